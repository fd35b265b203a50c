//! Values as people type them.

use std::ops::RangeInclusive;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use cluedo::classic::AiType;

/// Reads `3` or `2..5`.
pub(crate) fn span(text: &str) -> Result<RangeInclusive<u64>, String> {
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("{text:?} is not a number"));
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let (first, last) = (number(first)?, number(last)?);
    if first > last || last - first >= 10_000 {
        return Err("write one number, or FIRST..LAST with at most 10000 numbers".to_owned());
    }
    Ok(first..=last)
}

pub(crate) fn ais(text: &str) -> Result<RangeInclusive<u64>, String> {
    let span = span(text)?;
    if *span.start() < 2 || *span.end() > 5 {
        return Err("2 to 5 AIs can play".to_owned());
    }
    Ok(span)
}

/// Reads the name of a type of AIs, or its number.
pub(crate) fn ai_type(text: &str) -> Result<AiType, String> {
    let found = AiType::ALL.into_iter().find(|known| text == known.name() || text == (*known as u8).to_string());
    found.ok_or_else(|| format!("the types are {}", AiType::ALL.map(AiType::name).join(", ")))
}

/// Reads the same, and lists the types in `--help`.
pub(crate) fn ai_types() -> impl TypedValueParser<Value = AiType> {
    const NUMBERS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let named = AiType::ALL.into_iter().zip(NUMBERS);
    let named = named.map(|(known, number)| PossibleValue::new(known.name()).alias(number));
    PossibleValuesParser::new(named).try_map(|text| ai_type(&text))
}
