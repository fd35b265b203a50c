//! Values as typed on the command line, and as text or numbers in files.

use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use amazons_rules::Board;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// Maximum number of threads, more than any machine runs at once.
const THREADS_MAX: u32 = 1024;

/// The values that are allowed, where another text was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ValueError {
    #[error("use a whole number{of} from {least} to {most}")]
    Whole { of: &'static str, least: u64, most: u64 },
    #[error("use a whole number from {0}")]
    AtLeast(u32),
    #[error("use a whole number from 0, the start")]
    Ply,
    #[error("use a whole number from 0, any free port, to 65535")]
    Port,
    #[error("use seconds or milliseconds, such as 2, 0.5 or 500ms, from {least}{unit} to a week")]
    Seconds { least: u64, unit: &'static str },
    #[error("use bytes, or a number with K, M, G or T, from {least}{unit} to 1024T")]
    Bytes { least: u64, unit: char },
    #[error("use hours, minutes or seconds, such as 8h, 90m or 30s")]
    Span,
}

/// A whole number from `MIN` to `MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Whole<const MIN: u32, const MAX: u32>(u32);

/// A number of games, moves or rounds.
pub type Count = Whole<1, { u32::MAX }>;

/// A number of threads.
pub type Threads = Whole<1, THREADS_MAX>;

pub type BoardSize = Whole<{ Board::MIN_SIZE }, { Board::MAX_SIZE }>;

impl<const MIN: u32, const MAX: u32> Whole<MIN, MAX> {
    /// Returns the number.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Parses a number.
    pub(crate) fn number(text: &str) -> Result<u32, ValueError> {
        text.parse().map(Self::get)
    }
}

impl From<Threads> for NonZeroU32 {
    fn from(threads: Threads) -> Self {
        Self::new(threads.0).unwrap_or(Self::MIN)
    }
}

impl<const MIN: u32, const MAX: u32> FromStr for Whole<MIN, MAX> {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let number = whole(text, MIN.into()..=MAX.into(), "").map(Self);
        if MAX == u32::MAX { number.or(Err(ValueError::AtLeast(MIN))) } else { number }
    }
}

impl<'de, const MIN: u32, const MAX: u32> Deserialize<'de> for Whole<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        typed(from)
    }
}

/// A time of at least `MIN_MS` milliseconds, typed as seconds or with a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seconds<const MIN_MS: u64 = 1>(pub Duration);

impl<const MIN_MS: u64> FromStr for Seconds<MIN_MS> {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        const WEEK: Duration = Duration::from_secs(7 * 24 * 3600);
        let (number, unit) = match text.strip_suffix("ms") {
            Some(number) => (number, 1e-3),
            None => (text.strip_suffix('s').unwrap_or(text), 1.0),
        };
        let seconds = number.trim().parse::<f64>().ok().map(|number| number * unit);
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let unit = if MIN_MS == 0 { "" } else { "ms" };
        let time = time.filter(|time| (Duration::from_millis(MIN_MS)..=WEEK).contains(time)).map(Self);
        time.ok_or(ValueError::Seconds { least: MIN_MS, unit })
    }
}

impl<const MIN_MS: u64> Serialize for Seconds<MIN_MS> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        // Keeps fractions of a millisecond.
        to.collect_str(&format_args!("{}ms", self.0.as_secs_f64() * 1000.0))
    }
}

impl<'de, const MIN_MS: u64> Deserialize<'de> for Seconds<MIN_MS> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        typed(from)
    }
}

/// A size of at least `MIN` bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bytes<const MIN: u64>(pub u64);

impl<const MIN: u64> FromStr for Bytes<MIN> {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let units = [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("T", 1 << 40)];
        let upper = text.to_ascii_uppercase();
        let plain = upper.strip_suffix("IB").or_else(|| upper.strip_suffix('B')).unwrap_or(&upper);
        let found = units.iter().find_map(|&(letter, unit)| Some((plain.strip_suffix(letter)?, unit)));
        let (number, unit) = found.unwrap_or((plain, 1));
        let size = number.trim().parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
        size.filter(|size| (MIN..=1 << 50).contains(size)).map(Self).ok_or_else(|| {
            let (least, unit) = if MIN < 1 << 20 { (MIN >> 10, 'K') } else { (MIN >> 20, 'M') };
            ValueError::Bytes { least, unit }
        })
    }
}

impl<'de, const MIN: u64> Deserialize<'de> for Bytes<MIN> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        typed(from)
    }
}

/// Reads a value from a file, as text in command line form or as a number.
fn typed<'de, T: FromStr<Err = ValueError>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a text or a number is expected")]
    enum Typed {
        Text(String),
        Whole(i64),
        Decimal(f64),
    }
    let text = match Typed::deserialize(from)? {
        Typed::Text(text) => text,
        Typed::Whole(number) => number.to_string(),
        Typed::Decimal(number) => number.to_string(),
    };
    text.parse().map_err(|reason| D::Error::custom(format_args!("'{text}' is not allowed: {reason}")))
}

/// Reads texts from a file, a list or a single one.
pub(crate) fn texts<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a text or a list of texts is expected")]
    enum Texts {
        One(String),
        Many(Vec<String>),
    }
    Ok(match Texts::deserialize(from)? {
        Texts::One(text) => vec![text],
        Texts::Many(texts) => texts,
    })
}

/// Parses a whole number of something.
pub(crate) fn whole<N: TryFrom<u64>>(
    text: &str,
    range: RangeInclusive<u64>,
    of: &'static str,
) -> Result<N, ValueError> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    let (least, most) = range.into_inner();
    number.and_then(|number| number.try_into().ok()).ok_or(ValueError::Whole { of, least, most })
}

/// Parses a seed.
pub(crate) fn seed(text: &str) -> Result<u64, ValueError> {
    whole(text, 0..=u64::MAX, "")
}

/// Parses a ply of a game.
pub(crate) fn ply(text: &str) -> Result<u32, ValueError> {
    text.parse().or(Err(ValueError::Ply))
}

/// Parses a port; 0 means any free one.
pub(crate) fn port(text: &str) -> Result<u16, ValueError> {
    text.parse().or(Err(ValueError::Port))
}

/// Parses a number of positions.
pub(crate) fn nodes(text: &str) -> Result<u64, ValueError> {
    whole(text, 1..=u64::MAX, "").or(Err(ValueError::AtLeast(1)))
}

/// Parses the size of a table.
pub(crate) fn table(text: &str) -> Result<usize, ValueError> {
    text.parse().map(|Bytes::<{ 1 << 20 }>(size)| usize::try_from(size).unwrap_or(usize::MAX))
}

/// Parses a number of threads.
pub(crate) fn threads(text: &str) -> Result<NonZeroU32, ValueError> {
    text.parse::<Threads>().map(NonZeroU32::from)
}

/// Parses a duration.
pub(crate) fn span(text: &str) -> Result<Duration, ValueError> {
    const MAX_SECONDS: u64 = 366 * 24 * 3600;
    let units = [("h", 3600), ("min", 60), ("m", 60), ("s", 1)];
    let found = units.iter().find_map(|&(letter, unit)| Some((text.strip_suffix(letter)?, unit)));
    let (number, unit) = found.unwrap_or((text, 1));
    let seconds = number.trim().parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    let seconds = seconds.filter(|seconds| (1..=MAX_SECONDS).contains(seconds));
    seconds.map(Duration::from_secs).ok_or(ValueError::Span)
}
