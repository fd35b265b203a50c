//! A seed in JSON.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Browsers give numbers above this wrong last digits.
const EXACT: u64 = 1 << 53;

/// A number, or its text where a number would not be exact.
#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "the seed must be a number from 0, or its digits as a string")]
enum Written {
    Number(u64),
    Text(String),
}

pub(super) fn serialize<S: Serializer>(seed: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
    let written = |seed| if seed < EXACT { Written::Number(seed) } else { Written::Text(seed.to_string()) };
    seed.map(written).serialize(to)
}

pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Option<u64>, D::Error> {
    let wrong = |text: &str| {
        serde::de::Error::custom(format_args!("expected the digits of a seed instead of '{}'", text.escape_default()))
    };
    match Option::<Written>::deserialize(from)? {
        None => Ok(None),
        Some(Written::Number(seed)) => Ok(Some(seed)),
        Some(Written::Text(text)) => text.parse().map(Some).map_err(|_| wrong(&text)),
    }
}
