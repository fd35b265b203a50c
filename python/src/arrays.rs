//! Arrays that the caller may have allocated.

use numpy::{Element, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::numbers::value_error;

/// Elements of an array that is small enough for any machine.
const MAX_PLAIN_LEN: usize = 1 << 22;

/// The caller's array, if there is one.
pub(crate) type Out<'py> = Option<Bound<'py, PyAny>>;

pub(crate) type Array<'py, T> = Bound<'py, PyArrayDyn<T>>;

/// Returns the array to write into: the caller's, when it fits, or a new one.
pub(crate) fn output<'py, T: Element>(py: Python<'py>, out: Out<'py>, shape: &[usize]) -> PyResult<Array<'py, T>> {
    let Some(out) = out else {
        if shape.iter().product::<usize>() < MAX_PLAIN_LEN {
            return Ok(PyArrayDyn::zeros(py, shape, false));
        }
        // Raises a MemoryError where the call above would panic.
        return Ok(py.import("numpy")?.call_method1("zeros", (shape.to_vec(), T::get_dtype(py)))?.cast_into()?);
    };
    let kind = T::get_dtype(py);
    let Ok(array) = out.cast_into::<PyArrayDyn<T>>() else {
        return Err(PyTypeError::new_err(format!("out: expected a NumPy array of {kind}")));
    };
    check(&array, "out", shape)?;
    Ok(array)
}

/// Locks an array for writing: no other call may read or write it meanwhile.
pub(crate) fn writable<'py, T: Element>(array: &Array<'py, T>) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    array.try_readwrite().map_err(|error| value_error(format!("out: {error}")))
}

/// Reads an array of a shape, or what NumPy makes one of, when its numbers fit.
pub(crate) fn input<'py, T: Element>(
    given: &Bound<'py, PyAny>,
    name: &str,
    shape: &[usize],
) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    let array = match given.cast::<PyArrayDyn<T>>() {
        Ok(array) if array.is_c_contiguous() => array.clone(),
        _ => converted(given, name)?,
    };
    check(&array, name, shape)?;
    array.try_readonly().map_err(|error| value_error(format!("{name}: {error}")))
}

fn converted<'py, T: Element>(given: &Bound<'py, PyAny>, name: &str) -> PyResult<Array<'py, T>> {
    let (py, kind) = (given.py(), T::get_dtype(given.py()));
    let numpy = py.import("numpy")?;
    let found = numpy.call_method1("asarray", (given,))?;
    let dtype = found.getattr("dtype")?;
    if !numpy.call_method1("can_cast", (&dtype, &kind, "same_kind"))?.extract::<bool>()? {
        return Err(PyTypeError::new_err(format!("{name}: expected an array of {kind}, got {dtype}")));
    }
    let array = found.call_method1("astype", (&kind, "C"))?;
    // A float may be rounded, a whole number may not change.
    let is_float = kind.getattr("kind")?.extract::<String>()? == "f";
    if !is_float && !numpy.call_method1("array_equal", (&array, &found))?.extract::<bool>()? {
        return Err(value_error(format!("{name}: a number does not fit into {kind}")));
    }
    Ok(array.cast_into()?)
}

fn check<T: Element>(array: &Array<'_, T>, name: &str, shape: &[usize]) -> PyResult<()> {
    let found = array.shape();
    match found == shape && array.is_c_contiguous() {
        true => Ok(()),
        false => Err(value_error(format!("{name}: expected a C-contiguous array of shape {shape:?}, got {found:?}"))),
    }
}
