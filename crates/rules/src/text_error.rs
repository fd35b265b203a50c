use std::error::Error;
use std::fmt;

/// An error in the text of a position, a move or a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The place, if known: characters count from 1.
    pub column: Option<usize>,
    /// The reason.
    pub reason: String,
}

impl TextError {
    pub(crate) fn at(column: usize, reason: impl ToString) -> Self {
        Self { column: Some(column), reason: reason.to_string() }
    }

    pub(crate) fn new(reason: impl ToString) -> Self {
        Self { column: None, reason: reason.to_string() }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            Some(column) => write!(f, "column {column}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl Error for TextError {}
