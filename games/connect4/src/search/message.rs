use std::time::Duration;

use crate::average::Value;
use crate::{Position, Size, Task};

/// How a task is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The rule as it is written, to count its calls.
    Plain,
    /// With a table, and wins seen early.
    Table,
}

/// A task for a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The number of the search.
    pub search: u32,
    /// The position; the game goes on.
    pub position: Position,
    /// The plies to search.
    pub depth: u32,
    /// How to search.
    pub method: Method,
    /// The plies of the whole search, which the size of the table follows from.
    pub whole_depth: u32,
}

/// The result of a task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// For the side to move.
    pub value: Value,
    /// Executions of the rule, or positions looked at.
    pub calls: u64,
    /// The processor time it took.
    pub cpu: Duration,
}

/// The first byte of a question, which tells it from other kinds of jobs.
const AVERAGE: u8 = 1;
const QUESTION_LEN: usize = 25;
const ANSWER_LEN: usize = 25;
/// No game has more plies.
const DEPTH_MAX: u32 = 64;
/// The first byte of an answer to what is no question.
const REFUSAL: u8 = 255;

impl Question {
    /// Asks for the value of a task of the search with this number, to so many plies in all.
    pub const fn new(task: &Task, search: u32, method: Method, whole_depth: u32) -> Self {
        Self { search, position: task.position, depth: task.depth, method, whole_depth }
    }

    /// Writes 25 bytes, little-endian: 1, search, width, height, depth, method, stones of the side to move, all stones.
    /// The method is 0 without a table, and otherwise 1 and the plies of the whole search.
    pub fn encode(&self) -> Vec<u8> {
        let size = self.position.size();
        let mut bytes = Vec::with_capacity(QUESTION_LEN);
        bytes.push(AVERAGE);
        bytes.extend(self.search.to_le_bytes());
        bytes.extend([size.width(), size.height(), self.depth].map(|number| number.to_le_bytes()[0]));
        bytes.push(match self.method {
            Method::Plain => 0,
            Method::Table => 1 + self.whole_depth.min(DEPTH_MAX).to_le_bytes()[0],
        });
        bytes.extend(self.position.own().to_le_bytes());
        bytes.extend(self.position.stones().to_le_bytes());
        bytes
    }

    /// Reads what [`Self::encode`] wrote.
    ///
    /// # Errors
    /// If these are other bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        let wrong = || format!("an unknown task of {} bytes", bytes.len());
        let is_question = bytes.len() == QUESTION_LEN && bytes.first() == Some(&AVERAGE);
        let (head, boards) =
            bytes.get(1..).unwrap_or_default().split_at_checked(8).filter(|_| is_question).ok_or_else(wrong)?;
        let size = Size::new(head[4].into(), head[5].into()).map_err(|_| wrong())?;
        let (method, whole_depth) = match u32::from(head[7]) {
            0 => (Method::Plain, head[6].into()),
            number if number <= 1 + DEPTH_MAX => (Method::Table, number - 1),
            _ => return Err(wrong()),
        };
        let position = Position::from_stones(size, word(&boards[..8]), word(&boards[8..]))
            .filter(|position| position.ending().is_none())
            .ok_or_else(wrong)?;
        let search = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
        Ok(Self { search, position, depth: head[6].into(), method, whole_depth })
    }
}

impl Answer {
    /// Writes 25 bytes, little-endian: whether it is a guess (0), a win (1) or a loss (2), score, calls, nanoseconds.
    pub fn encode(&self) -> Vec<u8> {
        let kind = match self.value {
            Value::Guess(_) => 0,
            Value::Win => 1,
            Value::Loss => 2,
        };
        let mut bytes = vec![kind];
        bytes.extend(self.value.score().to_le_bytes());
        bytes.extend(self.calls.to_le_bytes());
        bytes.extend(u64::try_from(self.cpu.as_nanos()).unwrap_or(u64::MAX).to_le_bytes());
        bytes
    }

    /// Answers a message that is no question.
    pub(super) fn refusal(reason: &str) -> Vec<u8> {
        [&[REFUSAL], reason.as_bytes()].concat()
    }

    /// Reads what [`Self::encode`] wrote.
    ///
    /// # Errors
    /// If these are other bytes, or the rank could not read the question.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        if let Some((&REFUSAL, reason)) = bytes.split_first() {
            return Err(format!("it was sent {}", String::from_utf8_lossy(reason)));
        }
        let wrong = || format!("it sent an unknown result of {} bytes", bytes.len());
        let (&kind, numbers) = bytes.split_first().filter(|_| bytes.len() == ANSWER_LEN).ok_or_else(wrong)?;
        let score = f64::from_bits(word(&numbers[..8]));
        let value = match kind {
            0 if (-1.0..=1.0).contains(&score) => Value::Guess(score),
            1 => Value::Win,
            2 => Value::Loss,
            _ => return Err(wrong()),
        };
        Ok(Self { value, calls: word(&numbers[8..16]), cpu: Duration::from_nanos(word(&numbers[16..])) })
    }
}

fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}
