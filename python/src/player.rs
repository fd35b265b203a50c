//! Nothing yet.

use pyo3::prelude::*;

pub(crate) const fn register(_: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}
