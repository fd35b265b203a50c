use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use amazons_engine::Level;
use amazons_engine_player::Bundled;
use amazons_protocol::{CommandError, Dialect, shorten};
use amazons_rules::{Board, BoardError, Position, Shape};
use thiserror::Error;

use crate::host::available_memory;

/// The options of an engine and their values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Options {
    pub(super) threads: NonZeroU32,
    /// MiB for the tree.
    pub(super) hash: u32,
    /// The number of lines to tell.
    pub(super) lines: u32,
    pub(super) ponders: bool,
    /// Whether positions are analysed rather than played: then strength is not limited.
    pub(super) analyses: bool,
    /// The time kept back from every time given.
    pub(super) overhead: Duration,
    pub(super) skill: i64,
    pub(super) is_limited: bool,
    pub(super) elo: u32,
    shape: Shape,
    size: u32,
}

/// Why a command is not obeyed.
#[derive(Debug, Error)]
pub(super) enum Refusal {
    #[error("{0}: wait for bestmove, or send stop first")]
    Busy(&'static str),
    #[error("the last position was none")]
    NoPosition,
    #[error("go: {}", Self::NoPosition)]
    NoPositionToGo,
    #[error(transparent)]
    Position(#[from] CommandError),
    #[error("setoption: unknown option '{0}'")]
    UnknownOption(String),
    #[error("setoption {name}: expected {expected}, found '{found}'")]
    Value { name: &'static str, expected: String, found: String },
    #[error("setoption Hash: only {free} MiB are free here, found '{found}'")]
    Hash { free: u64, found: u32 },
    #[error("setoption: {shape} {size}: {error}")]
    Board { shape: Shape, size: u32, error: BoardError },
}

/// The consequence of a changed option.
#[derive(Debug, PartialEq)]
pub(super) enum Change {
    Nothing,
    /// `startpos` is another position from now on.
    Start(Box<Position>),
    /// Earlier searches are to be forgotten.
    Forget,
}

/// The values that an option takes.
enum Values {
    Whole(RangeInclusive<i64>),
    Check,
    OneOf(&'static [&'static str]),
    Button,
}

/// The options, in the order in which they are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Threads,
    Hash,
    ClearHash,
    MultiPv,
    Ponder,
    Overhead,
    Skill,
    LimitStrength,
    Elo,
    Analyse,
    Variant,
    Shape,
    Size,
}

/// The default time for lines to come and go on a busy machine.
const OWN_OVERHEAD: Duration = Duration::from_millis(10);

/// The skill without a limit.
const MAX_SKILL: i64 = 20;

/// The lowest skill, as variant engines have it.
const MIN_SKILL: i64 = -20;

/// The skills between these.
const SKILLS: u32 = 40;

impl Name {
    const ALL: [(Self, &'static str); 13] = [
        (Self::Threads, "Threads"),
        (Self::Hash, "Hash"),
        (Self::ClearHash, "Clear Hash"),
        (Self::MultiPv, "MultiPV"),
        (Self::Ponder, "Ponder"),
        (Self::Overhead, "Move Overhead"),
        (Self::Skill, "Skill Level"),
        (Self::LimitStrength, "UCI_LimitStrength"),
        (Self::Elo, "UCI_Elo"),
        (Self::Analyse, "UCI_AnalyseMode"),
        (Self::Variant, "UCI_Variant"),
        (Self::Shape, "Shape"),
        (Self::Size, "Size"),
    ];

    fn values(self, own: Option<Bundled>) -> Values {
        match self {
            Self::Threads => Values::Whole(1..=1024),
            Self::Hash => Values::Whole(3..=1 << 20),
            Self::ClearHash => Values::Button,
            Self::MultiPv => Values::Whole(1..=500),
            Self::Overhead => Values::Whole(0..=5000),
            Self::Skill => Values::Whole(MIN_SKILL..=MAX_SKILL),
            Self::Elo => Values::Whole(Level::MIN.elo().into()..=Level::MAX.elo().into()),
            Self::Ponder | Self::LimitStrength | Self::Analyse => Values::Check,
            Self::Variant => Values::OneOf(&["amazons"]),
            Self::Shape => Values::OneOf(&["square", "donut", "clover", "figure-eight"]),
            // An engine searches boards of up to 32,768 squares.
            Self::Size => Values::Whole(5..=if own.is_some() { 181 } else { 1000 }),
        }
    }

    /// Whether an engine offers the option in a dialect; a player with only its functions knows less.
    fn is_offered(self, dialect: Dialect, own: Option<Bundled>) -> bool {
        let is_own = own.is_some();
        match self {
            Self::Threads | Self::Overhead => true,
            Self::Hash | Self::ClearHash | Self::Skill | Self::LimitStrength | Self::Elo => is_own,
            // A depth-first search knows one line.
            Self::MultiPv => own.is_some_and(|own| own != Bundled::AlphaBeta) && dialect == Dialect::Uci,
            Self::Ponder | Self::Analyse => is_own && dialect == Dialect::Uci,
            Self::Variant | Self::Shape | Self::Size => dialect == Dialect::Uci,
        }
    }
}

impl Options {
    /// Sets the defaults for an engine with so many bytes for its tree: none for a player with only its functions, whose
    /// time its process measures.
    pub(super) fn new(threads: NonZeroU32, hash: usize, start: &Position) -> Self {
        let board = start.board();
        let overhead = if hash > 0 { OWN_OVERHEAD } else { Duration::ZERO };
        Self {
            threads,
            hash: u32::try_from(hash >> 20).unwrap_or(u32::MAX),
            lines: 1,
            ponders: false,
            analyses: false,
            overhead,
            skill: MAX_SKILL,
            is_limited: false,
            elo: Level::MAX.elo(),
            shape: board.shape().unwrap_or(Shape::Square),
            size: board.columns(),
        }
    }

    /// Returns the strength to play with: by Elo, or by skill in equal steps of Elo; `None` for the full one.
    pub(super) fn level(&self) -> Option<Level> {
        let [least, most] = [Level::MIN, Level::MAX].map(Level::elo);
        let steps = u32::try_from(self.skill - MIN_SKILL).unwrap_or(0);
        let of_skill = least + (most - least) * steps / SKILLS;
        match self {
            Self { analyses: true, .. } => None,
            Self { is_limited: true, elo, .. } => Some(Level::of_elo(*elo)),
            Self { skill: MAX_SKILL, .. } => None,
            _ => Some(Level::of_elo(of_skill)),
        }
    }

    /// Returns the lines that list the options.
    pub(super) fn list(&self, dialect: Dialect, own: Option<Bundled>) -> Vec<String> {
        let offered = Name::ALL.into_iter().filter(|(name, _)| name.is_offered(dialect, own));
        let line = |(name, text): (Name, &str)| {
            let value = self.value(name);
            match name.values(own) {
                Values::Whole(range) => {
                    let (min, max) = (range.start(), range.end());
                    format!("option name {text} type spin default {value} min {min} max {max}")
                }
                Values::Check => format!("option name {text} type check default {value}"),
                Values::OneOf(words) => {
                    let words: String = words.iter().map(|word| format!(" var {word}")).collect();
                    format!("option name {text} type combo default {value}{words}")
                }
                Values::Button => format!("option name {text} type button"),
            }
        };
        offered.map(line).collect()
    }

    fn value(&self, name: Name) -> String {
        match name {
            Name::Threads => self.threads.to_string(),
            Name::Hash => self.hash.to_string(),
            Name::MultiPv => self.lines.to_string(),
            Name::Ponder => self.ponders.to_string(),
            Name::Overhead => self.overhead.as_millis().to_string(),
            Name::Skill => self.skill.to_string(),
            Name::LimitStrength => self.is_limited.to_string(),
            Name::Elo => self.elo.to_string(),
            Name::Analyse => self.analyses.to_string(),
            Name::Variant => "amazons".to_owned(),
            Name::Shape => self.shape.to_string(),
            Name::Size => self.size.to_string(),
            Name::ClearHash => String::new(),
        }
    }

    /// Changes an option, named in any case.
    pub(super) fn set(
        &mut self,
        name: &str,
        value: &str,
        dialect: Dialect,
        own: Option<Bundled>,
    ) -> Result<Change, Refusal> {
        let known = Name::ALL.into_iter().find(|(_, text)| text.eq_ignore_ascii_case(name));
        let Some((known, name)) = known.filter(|(known, _)| known.is_offered(dialect, own)) else {
            return Err(Refusal::UnknownOption(shorten(name)));
        };
        let wrong = |expected| Err(Refusal::Value { name, expected, found: shorten(value) });
        match known.values(own) {
            Values::Whole(range) => match value.parse::<i64>() {
                Ok(number) if range.contains(&number) => self.set_number(known, number),
                _ => wrong(format!("a whole number from {} to {}", range.start(), range.end())),
            },
            Values::Check => match value.to_ascii_lowercase().parse() {
                Ok(is_set) => {
                    match known {
                        Name::Ponder => self.ponders = is_set,
                        Name::LimitStrength => self.is_limited = is_set,
                        _ => self.analyses = is_set,
                    }
                    Ok(Change::Nothing)
                }
                Err(_) => wrong("true or false".to_owned()),
            },
            Values::OneOf(words) => {
                let named = words.iter().find(|word| word.eq_ignore_ascii_case(value));
                match (named, known) {
                    (None, _) => wrong(words.join(", ")),
                    (Some(word), Name::Shape) => {
                        let shape = Shape::ALL.into_iter().find(|shape| shape.name() == *word);
                        self.set_board(shape.unwrap_or(self.shape), self.size)
                    }
                    (Some(_), _) => Ok(Change::Nothing),
                }
            }
            Values::Button => Ok(Change::Forget),
        }
    }

    fn set_number(&mut self, name: Name, number: i64) -> Result<Change, Refusal> {
        let whole = u32::try_from(number).unwrap_or(0);
        match name {
            Name::Threads => self.threads = NonZeroU32::new(whole).unwrap_or(NonZeroU32::MIN),
            Name::Hash => {
                let free = available_memory().map_or(u64::MAX, |free| free >> 20);
                if u64::from(whole) > free {
                    return Err(Refusal::Hash { free, found: whole });
                }
                self.hash = whole;
            }
            Name::MultiPv => self.lines = whole,
            Name::Overhead => self.overhead = Duration::from_millis(whole.into()),
            Name::Skill => self.skill = number,
            Name::Elo => self.elo = whole,
            _ => return self.set_board(self.shape, whole),
        }
        Ok(Change::Nothing)
    }

    /// Sets the board of `startpos`; on ten columns and rows the game starts as the standard one does.
    fn set_board(&mut self, shape: Shape, size: u32) -> Result<Change, Refusal> {
        let board = Board::new(shape, size).map_err(|error| Refusal::Board { shape, size, error })?;
        (self.shape, self.size) = (shape, size);
        let is_standard = shape == Shape::Square && size == 10;
        let start = if is_standard { Position::standard() } else { Position::start(Arc::new(board)) };
        Ok(Change::Start(Box::new(start)))
    }
}
