//! Values as people type them.

use std::ops::RangeInclusive;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use cluedo::classic::AiType;
use cluedo::record::Viewer;
use thiserror::Error;

/// Why a text is no value.
#[derive(Debug, Error)]
pub(crate) enum ValueError {
    #[error("{0:?} is not a number")]
    Number(String),
    #[error("write one number, or FIRST..LAST with at most 10000 numbers")]
    Span,
    #[error("2 to 5 AIs can play")]
    Ais,
    #[error("the types are {}", AiType::ALL.map(AiType::name).join(", "))]
    AiType,
    #[error("write the number of a seat, spectator, or all")]
    Viewer,
}

/// Reads `3` or `2..5`.
pub(crate) fn span(text: &str) -> Result<RangeInclusive<u64>, ValueError> {
    let number = |text: &str| text.parse::<u64>().map_err(|_| ValueError::Number(text.to_owned()));
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let (first, last) = (number(first)?, number(last)?);
    if first > last || last - first >= 10_000 {
        return Err(ValueError::Span);
    }
    Ok(first..=last)
}

pub(crate) fn ais(text: &str) -> Result<RangeInclusive<u64>, ValueError> {
    let span = span(text)?;
    if *span.start() < 2 || *span.end() > 5 {
        return Err(ValueError::Ais);
    }
    Ok(span)
}

/// Reads who looks on.
pub(crate) fn viewer(text: &str) -> Result<Viewer, ValueError> {
    match text {
        "spectator" => Ok(Viewer::Spectator),
        "all" => Ok(Viewer::All),
        _ => text.parse().map(Viewer::Seat).map_err(|_| ValueError::Viewer),
    }
}

/// Reads the name of a type of AIs, or its number.
pub(crate) fn ai_type(text: &str) -> Result<AiType, ValueError> {
    let found = AiType::ALL.into_iter().find(|known| text == known.name() || text == (*known as u8).to_string());
    found.ok_or(ValueError::AiType)
}

/// Reads the same, and lists the types in `--help`.
pub(crate) fn ai_types() -> impl TypedValueParser<Value = AiType> {
    const NUMBERS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let named = AiType::ALL.into_iter().zip(NUMBERS);
    let named = named.map(|(known, number)| PossibleValue::new(known.name()).alias(number));
    PossibleValuesParser::new(named).try_map(|text| ai_type(&text))
}
