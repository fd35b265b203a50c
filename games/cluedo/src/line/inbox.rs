//! Bytes from a client to lines: tolerant of how they are cut, strict about how many there are.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::line::message::MAX_LINE_LEN;

/// Maximum number of bytes that may arrive while nothing is asked.
pub const MAX_UNASKED: usize = 4096;

/// How lines end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Framing {
    /// LF ends a line, but a client that never sent LF is understood after a short silence.
    #[default]
    Auto,
    /// Only LF ends a line.
    Lines,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    Nothing,
    /// A line without its end and the blanks around it, and how many bytes were used.
    Line(Vec<u8>, usize),
    /// A line is too long, or there are too many bytes that nobody asked for. The line's beginning.
    TooMuch(Vec<u8>),
}

/// The bytes of a client that were not used yet.
#[derive(Clone, Debug, Default)]
pub struct Inbox {
    line: Vec<u8>,
    has_sent_end: bool,
    /// Whether the rest of a line that began before the request is skipped.
    skips: bool,
    unasked: usize,
    /// Whether not all of them were blanks.
    has_unasked_text: bool,
    /// Bytes that were dropped because nothing was asked.
    pub dropped: u64,
    /// When the last byte came, in microseconds.
    pub last: u64,
}

impl Inbox {
    /// Forgets what came before a request that is sent now; returns how many bytes that were, unless all were blanks.
    pub fn open(&mut self) -> usize {
        self.skips = self.has_sent_end && !self.line.trim_ascii().is_empty();
        self.line.clear();
        let dropped = if std::mem::take(&mut self.has_unasked_text) { self.unasked } else { 0 };
        self.unasked = 0;
        dropped
    }

    pub fn unasked(&mut self, bytes: &[u8], now: u64) -> Received {
        if bytes.is_empty() {
            return Received::Nothing;
        }
        self.last = now;
        self.unasked += bytes.len();
        self.has_unasked_text |= !bytes.trim_ascii().is_empty();
        self.dropped += bytes.len() as u64;
        for &byte in bytes {
            if byte == b'\n' {
                self.has_sent_end = true;
                self.line.clear();
            } else {
                self.line.push(byte);
            }
            if self.is_too_long() || self.unasked > MAX_UNASKED {
                return Received::TooMuch(self.give_up(bytes));
            }
        }
        Received::Nothing
    }

    /// Takes bytes in while an answer is waited for, up to the end of a line.
    pub fn asked(&mut self, bytes: &[u8], now: u64) -> Received {
        self.last = now;
        for (place, &byte) in bytes.iter().enumerate() {
            if byte == b'\n' {
                self.has_sent_end = true;
                let line = std::mem::take(&mut self.line);
                if !std::mem::take(&mut self.skips) && !line.trim_ascii().is_empty() {
                    return Received::Line(line.trim_ascii().to_vec(), place + 1);
                }
                continue;
            }
            self.line.push(byte);
            if self.is_too_long() {
                return Received::TooMuch(self.give_up(bytes));
            }
        }
        Received::Nothing
    }

    /// Returns what a client that never ended a line has sent.
    pub fn unended(&self) -> Option<&[u8]> {
        (!self.has_sent_end && !self.line.is_empty()).then(|| self.line.trim_ascii())
    }

    /// Returns the line so far and skips the rest of these bytes, and of the line that they leave unended.
    fn give_up(&mut self, bytes: &[u8]) -> Vec<u8> {
        let line = std::mem::take(&mut self.line);
        self.unasked = 0;
        self.skips = false;
        self.has_sent_end |= bytes.contains(&b'\n');
        if bytes.last() != Some(&b'\n') {
            self.line.push(b'?');
        }
        line
    }

    fn is_too_long(&self) -> bool {
        self.line.strip_suffix(b"\r").unwrap_or(&self.line).len() > MAX_LINE_LEN
    }
}
