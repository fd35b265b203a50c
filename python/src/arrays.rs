//! Arrays that the caller may have allocated.

use numpy::{Element, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::board::value_error;

/// The caller's array, if there is one.
pub(crate) type Out<'py> = Option<Bound<'py, PyAny>>;

pub(crate) type Array<'py, T> = Bound<'py, PyArrayDyn<T>>;

/// Returns the array to write into: the caller's, when it fits, or a new one.
pub(crate) fn output<'py, T: Element>(py: Python<'py>, out: Out<'py>, shape: &[usize]) -> PyResult<Array<'py, T>> {
    let Some(out) = out else { return Ok(PyArrayDyn::zeros(py, shape, false)) };
    let kind = T::get_dtype(py);
    let Ok(array) = out.cast_into::<PyArrayDyn<T>>() else {
        return Err(PyTypeError::new_err(format!("out: expected a NumPy array of {kind}")));
    };
    match array.shape() == shape && array.is_c_contiguous() {
        true => Ok(array),
        false => {
            Err(value_error(format!("out: expected a C-contiguous array of shape {shape:?}, got {:?}", array.shape())))
        }
    }
}

/// Locks an array for writing: no other call may read or write it meanwhile.
pub(crate) fn writable<'py, T: Element>(array: &Array<'py, T>) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    array.try_readwrite().map_err(|error| value_error(format!("out: {error}")))
}
