use std::io::{self, BufRead};

use amazons_formats::no_game;
use amazons_program::journal::reason_of;
use amazons_rules::Board;
use serde::Deserialize;
use thiserror::Error;

use crate::record::FORMAT;
use crate::referee::{BoardEvent, EndEvent, Event, FaultEvent, MoveEvent, StartEvent, Termination};

/// The longest line accepted: the start of a game on the largest board is shorter.
pub const LINE_MAX: u64 = 16 << 20;

/// Each player fails at most once during the game and once in `finalize`.
const FAULTS_MAX: usize = 4;

/// The events of one game in order, not yet checked against the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The first event.
    pub start: StartEvent,
    /// The moves and faults, in order.
    pub steps: Vec<Step>,
    /// The last event.
    pub end: EndEvent,
}

/// An event between the start and the end of a game.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A move was played.
    Move(MoveEvent),
    /// A player made a mistake.
    Fault(FaultEvent),
}

impl From<Step> for Event {
    fn from(step: Step) -> Self {
        match step {
            Step::Move(mv) => Self::Move(mv),
            Step::Fault(fault) => Self::Fault(fault),
        }
    }
}

/// Why text is not a record; lines count from 1.
#[derive(Debug, Error)]
pub enum ReadError {
    #[error("cannot read line {line}")]
    Io { line: usize, source: io::Error },
    /// A line is not an event.
    #[error("line {line}, column {column}: {reason}")]
    Json {
        line: usize,
        /// The byte within the line, from 1.
        column: usize,
        reason: String,
    },
    #[error("line {0} is too long for an event")]
    LineLength(usize),
    #[error("not a record of this server: its format is {0}, not {FORMAT}")]
    Format(u32),
    /// An event is out of place.
    #[error("line {line}: expected {expected}")]
    Order {
        line: usize,
        /// The events allowed there.
        expected: &'static str,
    },
    #[error("line {line}: no game on this board has more than {limit}")]
    TooMany {
        /// The line of the first excess event.
        line: usize,
        /// The limit and what it counts.
        limit: String,
    },
    #[error("not a record of this server: its first line is not a start event")]
    NoRecord,
    /// The file has fewer games.
    #[error("{0}")]
    NoGame(String),
    #[error("the record stops after line {0} without an end: the game was cut off")]
    CutOff(usize),
}

impl ReadError {
    /// Returns the line and column; column 1 if the whole line is wrong.
    pub const fn place(&self) -> (usize, usize) {
        match self {
            Self::Json { line, column, .. } => (*line, *column),
            Self::Io { line, .. } | Self::Order { line, .. } | Self::TooMany { line, .. } => (*line, 1),
            Self::LineLength(line) | Self::CutOff(line) => (*line, 1),
            Self::Format(_) | Self::NoRecord | Self::NoGame(_) => (1, 1),
        }
    }
}

impl Record {
    /// Reads a record: a start, moves and faults, an end; further games and blank lines may follow.
    pub fn read(source: impl BufRead) -> Result<Self, ReadError> {
        Self::read_game(source, 1).map(|(record, _)| record)
    }

    /// Reads one of several records in a file by its number, from 1, and returns their number.
    pub fn read_game(source: impl BufRead, number: usize) -> Result<(Self, usize), ReadError> {
        let mut events = Events { source, line: 0 };
        let mut next = match events.next_event()? {
            Some(Event::Start(start)) => Some(start),
            _ => return Err(ReadError::NoRecord),
        };
        let (mut found, mut games) = (None, 0);
        while let Some(start) = next {
            let record;
            (record, next) = events.record(*start)?;
            games += 1;
            if games == number {
                found = Some(record);
            }
        }
        found.map(|record| (record, games)).ok_or_else(|| ReadError::NoGame(no_game(number, games).message))
    }
}

impl<R: BufRead> Events<R> {
    /// Reads the rest of a record, and the start behind it.
    fn record(&mut self, mut start: StartEvent) -> Result<(Record, Option<Box<StartEvent>>), ReadError> {
        let (mut steps, mut faults) = (Vec::new(), 0);
        loop {
            if start.format != FORMAT {
                return Err(ReadError::Format(start.format));
            }
            let moves_max = moves_max(&start.board);
            match self.next_event()? {
                // Counted while reading, so that an endless file does not fill the memory.
                Some(Event::Move(_)) if steps.len() - faults == moves_max => {
                    return Err(ReadError::TooMany { line: self.line, limit: format!("{moves_max} moves") });
                }
                Some(Event::Fault(_)) if faults == FAULTS_MAX => {
                    return Err(ReadError::TooMany { line: self.line, limit: format!("{FAULTS_MAX} faults") });
                }
                Some(Event::Move(mv)) => steps.push(Step::Move(mv)),
                Some(Event::Fault(fault)) => {
                    faults += 1;
                    steps.push(Step::Fault(fault));
                }
                Some(Event::End(end)) => match self.event_behind_end()? {
                    // A void game is replayed into the same stream.
                    Some(again) if end.termination == Some(Termination::Void) => {
                        (start, steps, faults) = (*again, Vec::new(), 0);
                    }
                    next => return Ok((Record { start, steps, end }, next)),
                },
                Some(Event::Start(_)) => {
                    return Err(ReadError::Order { line: self.line, expected: "a move, a fault or an end" });
                }
                None => return Err(ReadError::CutOff(self.line)),
            }
        }
    }

    /// Reads the start of another game, which may follow blank lines.
    fn event_behind_end(&mut self) -> Result<Option<Box<StartEvent>>, ReadError> {
        while let Some(line) = self.next_line()? {
            if !line.trim_ascii().is_empty() {
                return match self.event(&line) {
                    Ok(Event::Start(start)) => Ok(Some(start)),
                    _ => Err(ReadError::Order { line: self.line, expected: "nothing after the end" }),
                };
            }
        }
        Ok(None)
    }
}

/// Returns the most moves of a game: each leaves an arrow, so there are fewer than vertices. The board is not yet
/// checked.
fn moves_max(board: &BoardEvent) -> usize {
    let [columns, rows] = [board.columns, board.rows].map(|side| side.min(Board::MAX_SIZE) as usize);
    (columns * rows).saturating_sub(board.holes.len())
}

struct Events<R> {
    source: R,
    line: usize,
}

/// The part of the first event that is common to all formats.
#[derive(Deserialize)]
struct Head {
    event: String,
    format: Option<u32>,
}

/// Returns whether a text begins like a record: an object that names its event.
pub fn begins_with_event(bytes: &[u8]) -> bool {
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii_start();
    line.starts_with(b"{") && line.windows(7).any(|word| word == b"\"event\"")
}

impl<R: BufRead> Events<R> {
    fn next_line(&mut self) -> Result<Option<Vec<u8>>, ReadError> {
        let line = self.line + 1;
        let mut text = Vec::new();
        let mut limited = io::Read::take(&mut self.source, LINE_MAX);
        let read = limited.read_until(b'\n', &mut text).map_err(|source| ReadError::Io { line, source })?;
        if read as u64 == LINE_MAX {
            return Err(ReadError::LineLength(line));
        }
        self.line += usize::from(read != 0);
        Ok((read != 0).then_some(text))
    }

    fn next_event(&mut self) -> Result<Option<Event>, ReadError> {
        let Some(text) = self.next_line()? else { return Ok(None) };
        if self.line == 1 {
            let head = serde_json::from_slice::<Head>(&text).ok();
            if !begins_with_event(&text) || head.as_ref().is_some_and(|head| head.event != "start") {
                return Err(ReadError::NoRecord);
            }
            // Another format rather than the errors that follow from it.
            if let Some(format) = head.and_then(|head| head.format).filter(|format| *format != FORMAT) {
                return Err(ReadError::Format(format));
            }
        }
        self.event(&text).map(Some)
    }

    fn event(&self, text: &[u8]) -> Result<Event, ReadError> {
        // Without its line feed: an error after it would be in column 0 of a second line.
        serde_json::from_slice(text.trim_ascii_end()).map_err(|error| ReadError::Json {
            line: self.line,
            column: error.column().max(1),
            reason: reason_of(&error),
        })
    }
}
