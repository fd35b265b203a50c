use std::io::{self, BufRead};

use thiserror::Error;

use crate::record::FORMAT;
use crate::referee::{EndEvent, Event, FaultEvent, MoveEvent, StartEvent};

/// The longest line that is read: the start of a game on the largest board takes less.
const LINE_MAX: u64 = 64 << 20;

/// The events of one game, in their order but not yet checked against the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The first event.
    pub start: StartEvent,
    /// The legal moves.
    pub moves: Vec<MoveEvent>,
    /// The faults.
    pub faults: Vec<FaultEvent>,
    /// The last event.
    pub end: EndEvent,
}

/// Says why a text is not a record; lines count from 1.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("cannot read line {line}")]
    Io {
        /// The line.
        line: usize,
        /// Why not.
        source: io::Error,
    },
    /// A line is not an event.
    #[error("line {line}, column {column}: {reason}")]
    Json {
        /// The line.
        line: usize,
        /// The character within the line, from 1.
        column: usize,
        /// Why not.
        reason: String,
    },
    /// A line is longer than any event.
    #[error("line {0} is too long for an event")]
    LineLength(usize),
    /// The format is of another version.
    #[error("line 1: record format {0} is not known: this server reads format {FORMAT}")]
    Format(u32),
    /// An event comes where it cannot.
    #[error("line {line}: expected {expected}")]
    Order {
        /// The line.
        line: usize,
        /// What should come there.
        expected: &'static str,
    },
    /// The record stops before its end.
    #[error("the record stops after line {0} without an end: the game was cut off")]
    CutOff(usize),
}

impl Record {
    /// Reads a record: a start, moves and faults, an end, nothing more.
    ///
    /// # Errors
    /// Says which line is wrong and why.
    pub fn read(source: impl BufRead) -> Result<Self, ReadError> {
        let mut events = Events { source, line: 0 };
        let start = match events.next_event()? {
            Some(Event::Start(start)) if start.format == FORMAT => *start,
            Some(Event::Start(start)) => return Err(ReadError::Format(start.format)),
            _ => return Err(ReadError::Order { line: 1, expected: "a start event" }),
        };
        let (mut moves, mut faults) = (Vec::new(), Vec::new());
        let end = loop {
            match events.next_event()? {
                Some(Event::Move(mv)) => moves.push(mv),
                Some(Event::Fault(fault)) => faults.push(fault),
                Some(Event::End(end)) => break end,
                Some(Event::Start(_)) => {
                    return Err(ReadError::Order { line: events.line, expected: "a move, a fault or an end" });
                }
                None => return Err(ReadError::CutOff(events.line)),
            }
        };
        match events.next_event()? {
            None => Ok(Self { start, moves, faults, end }),
            Some(_) => Err(ReadError::Order { line: events.line, expected: "nothing after the end" }),
        }
    }
}

struct Events<R> {
    source: R,
    line: usize,
}

impl<R: BufRead> Events<R> {
    fn next_event(&mut self) -> Result<Option<Event>, ReadError> {
        let line = self.line + 1;
        let mut text = Vec::new();
        let mut limited = io::Read::take(&mut self.source, LINE_MAX);
        let read = limited.read_until(b'\n', &mut text).map_err(|source| ReadError::Io { line, source })?;
        if read == 0 {
            return Ok(None);
        }
        if read as u64 == LINE_MAX {
            return Err(ReadError::LineLength(line));
        }
        self.line = line;
        serde_json::from_slice(&text).map(Some).map_err(|error| {
            let message = error.to_string();
            let reason = message.split(" at line ").next().unwrap_or_default().to_owned();
            ReadError::Json { line, column: error.column(), reason }
        })
    }
}
