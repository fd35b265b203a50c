use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

use crate::cli::SIZES;

/// More threads than any machine runs at once.
const THREADS_MAX: u32 = 1024;

/// Reads the size of a board.
pub(super) fn size(text: &str) -> Result<u32, String> {
    let size = text.parse().ok().filter(|size| SIZES.contains(size));
    size.ok_or_else(|| format!("use a whole number from {} to {}", SIZES.start(), SIZES.end()))
}

/// Reads a seed.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("use a whole number from 0 to {}", u64::MAX))
}

/// Reads the depth of a count.
pub(super) fn depth(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("use a whole number from 0 to {}", u32::MAX))
}

/// Reads a number of moves.
pub(super) fn moves(text: &str) -> Result<u32, String> {
    let moves = text.parse().ok().filter(|moves| *moves > 0);
    moves.ok_or_else(|| "use a whole number from 1".to_owned())
}

/// Reads a moment of a game.
pub(super) fn ply(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "use a whole number from 0, the start".to_owned())
}

/// Reads the side of a picture.
pub(super) fn pixels(text: &str) -> Result<u32, String> {
    let pixels = text.parse().ok().filter(|pixels| (16..=8192).contains(pixels));
    pixels.ok_or_else(|| "use a whole number of pixels from 16 to 8192".to_owned())
}

/// Reads how long a picture is shown.
pub(super) fn delay(text: &str) -> Result<u32, String> {
    let delay = text.parse().ok().filter(|delay| (20..=60_000).contains(delay));
    delay.ok_or_else(|| "use a whole number of milliseconds from 20 to 60000".to_owned())
}

/// Reads a port; 0 is any that is free.
pub(super) fn port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| "use a whole number from 0, any free port, to 65535".to_owned())
}

/// Reads a number of positions.
pub(super) fn nodes(text: &str) -> Result<u64, String> {
    let nodes = text.parse().ok().filter(|nodes| *nodes > 0);
    nodes.ok_or_else(|| "use a whole number from 1".to_owned())
}

/// Reads the size of a table.
pub(super) fn table(text: &str) -> Result<usize, String> {
    let size = size_in_bytes(text, 1 << 20, "1M")?;
    usize::try_from(size).map_err(|_| "this machine has no so large sizes".to_owned())
}

/// Reads a number of threads.
pub(super) fn threads(text: &str) -> Result<NonZeroU32, String> {
    let threads = text.parse().ok().filter(|threads: &NonZeroU32| threads.get() <= THREADS_MAX);
    threads.ok_or_else(|| format!("use a whole number from 1 to {THREADS_MAX}"))
}

/// Reads how much memory a player may keep.
pub(super) fn memory(text: &str) -> Result<u64, String> {
    size_in_bytes(text, 16 << 20, "16M")
}

/// Reads how much a player may print.
pub(super) fn log_size(text: &str) -> Result<u64, String> {
    size_in_bytes(text, 1 << 10, "1K")
}

/// Reads a size of at least so many bytes.
fn size_in_bytes(text: &str, least: u64, least_text: &str) -> Result<u64, String> {
    let units = [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("T", 1 << 40)];
    let upper = text.to_ascii_uppercase();
    let plain = upper.strip_suffix("IB").or_else(|| upper.strip_suffix('B')).unwrap_or(&upper);
    let found = units.iter().find_map(|&(letter, unit)| Some((plain.strip_suffix(letter)?, unit)));
    let (number, unit) = found.unwrap_or((plain, 1));
    let size = number.trim().parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    size.filter(|size| (least..=1 << 50).contains(size))
        .ok_or_else(|| format!("use bytes, or a number with K, M, G or T, from {least_text} to 1024T"))
}

/// Reads how long something goes on.
pub(super) fn span(text: &str) -> Result<Duration, String> {
    const LONGEST: u64 = 366 * 24 * 3600;
    let units = [("h", 3600), ("min", 60), ("m", 60), ("s", 1)];
    let found = units.iter().find_map(|&(letter, unit)| Some((text.strip_suffix(letter)?, unit)));
    let (number, unit) = found.unwrap_or((text, 1));
    let seconds = number.trim().parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    let seconds = seconds.filter(|seconds| (1..=LONGEST).contains(seconds));
    seconds.map(Duration::from_secs).ok_or_else(|| "use hours, minutes or seconds, such as 8h, 90m or 30s".to_owned())
}

/// A duration as a person writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seconds(pub Duration);

impl Seconds {
    /// The longest time that can be given: a week.
    const MAX: Duration = Duration::from_secs(7 * 24 * 3600);

    fn read(text: &str, least: Duration) -> Option<Self> {
        let (number, unit) = match text.strip_suffix("ms") {
            Some(number) => (number, 1e-3),
            None => (text.strip_suffix('s').unwrap_or(text), 1.0),
        };
        let seconds = number.trim().parse::<f64>().ok().map(|number| number * unit);
        let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        duration.filter(|duration| (least..=Self::MAX).contains(duration)).map(Self)
    }
}

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::read(text, Duration::from_millis(1))
            .ok_or_else(|| "use seconds or milliseconds, such as 2, 0.5 or 500ms, from 1ms to a week".to_owned())
    }
}

/// Reads what is added to a time, which may be nothing.
pub(super) fn increment(text: &str) -> Result<Seconds, String> {
    Seconds::read(text, Duration::ZERO)
        .ok_or_else(|| "use seconds or milliseconds, such as 2, 0.5 or 500ms, from 0 to a week".to_owned())
}
