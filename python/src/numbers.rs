//! Whole numbers as callers give them: one that does not fit is a `ValueError` that names its argument.

use std::fmt::Display;
use std::ops::RangeInclusive;

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;

/// Raises a `ValueError` with the sentence of an error.
pub(crate) fn value_error(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A whole number of any size.
#[derive(Clone, Debug)]
pub(crate) enum Whole {
    Number(i128),
    /// A larger one, as text.
    Huge(String),
}

impl<'py> FromPyObject<'_, 'py> for Whole {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let is_too_large = |error: &PyErr| error.is_instance_of::<PyOverflowError>(given.py());
        match given.extract::<i64>() {
            Ok(number) => return Ok(Self::Number(number.into())),
            Err(error) if !is_too_large(&error) => return Err(error),
            Err(_) => {}
        }
        // Seeds and memory have 64 bits without a sign.
        match given.extract::<u64>() {
            Ok(number) => Ok(Self::Number(number.into())),
            Err(_) => Ok(Self::Huge(given.str()?.to_string())),
        }
    }
}

impl Display for Whole {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Huge(text) => text.fmt(f),
        }
    }
}

impl Whole {
    /// Returns the number, if a type has it.
    pub(crate) fn get<T: TryFrom<i128>>(&self) -> Option<T> {
        match self {
            Self::Number(number) => T::try_from(*number).ok(),
            Self::Huge(_) => None,
        }
    }

    /// Returns the number of an argument if it is within its range.
    pub(crate) fn within<T>(&self, name: &str, range: RangeInclusive<T>) -> PyResult<T>
    where
        T: TryFrom<i128> + PartialOrd + Display,
    {
        self.get()
            .filter(|number| range.contains(number))
            .ok_or_else(|| value_error(format!("{name}: expected {} to {}, got {self}", range.start(), range.end())))
    }
}
