//! The bytes of a message: values of any type that serde can write, in the format of [postcard].
//!
//! [postcard]: https://postcard.jamesmunns.com/wire-format

use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// A value that ranks can send each other.
///
/// The format has no names of fields: types with `flatten`, `untagged` or skipped fields travel as [`Json`].
pub trait Payload: Serialize + DeserializeOwned + Send + 'static {}

impl<T: Serialize + DeserializeOwned + Send + 'static> Payload for T {}

/// A value that serde refuses to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a message cannot be written: are its paths UTF-8?")]
pub struct EncodeError;

/// Bytes that are not a value of the expected type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("an unknown message of {0} bytes: the ranks run different programs")]
pub struct DecodeError(usize);

/// Returns the bytes of a value. Fails when serde refuses it, as it does a path that is not UTF-8.
pub fn encode(value: &impl Serialize) -> Result<Vec<u8>, EncodeError> {
    postcard::to_allocvec(value).map_err(|_| EncodeError)
}

/// Returns the value of bytes that [`encode`] wrote. Fails when they are anything else, or more.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DecodeError> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        _ => Err(DecodeError(bytes.len())),
    }
}

/// A value of a file's type, whose form depends on the names of its fields: it is sent as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Json<T>(pub T);

impl<T: Serialize> Serialize for Json<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&serde_json::to_string(&self.0).map_err(S::Error::custom)?)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Json<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde_json::from_str(&String::deserialize(deserializer)?).map(Self).map_err(D::Error::custom)
    }
}
