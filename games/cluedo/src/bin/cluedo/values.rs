//! Values as people type them.

use cluedo::classic::AiType;

/// Whole numbers from one to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) first: u64,
    pub(crate) last: u64,
}

impl Span {
    pub(crate) fn numbers(self) -> impl ExactSizeIterator<Item = u64> {
        (0..usize::try_from(self.last - self.first + 1).unwrap_or(usize::MAX)).map(move |at| self.first + at as u64)
    }
}

/// Reads `3` or `2..5`.
pub(crate) fn span(text: &str) -> Result<Span, String> {
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("{text:?} is not a number"));
    let span = match text.split_once("..") {
        Some((first, last)) => Span { first: number(first)?, last: number(last)? },
        None => Span { first: number(text)?, last: number(text)? },
    };
    if span.first > span.last || span.last - span.first >= 10_000 {
        return Err("write one number, or FIRST..LAST with at most 10000 numbers".to_owned());
    }
    Ok(span)
}

pub(crate) fn ais(text: &str) -> Result<Span, String> {
    let span = span(text)?;
    if span.first < 2 || span.last > 5 {
        return Err("2 to 5 AIs can play".to_owned());
    }
    Ok(span)
}

/// Reads the name of a type of AIs, or its number.
pub(crate) fn ai_type(text: &str) -> Result<AiType, String> {
    let found = AiType::ALL.into_iter().find(|known| text == known.name() || text == (*known as u8).to_string());
    found.ok_or_else(|| "the types are default, listening, mix, memory, logic and exact".to_owned())
}
