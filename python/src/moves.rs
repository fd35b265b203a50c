use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use amazons_rules::{Move, Vertex};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::classes::{PyBoard, PyMove, is_same, vertex};
use crate::move_list;
use crate::numbers::Whole;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyMove>()?;
    move_list::register(module)
}

#[pymethods]
impl PyMove {
    #[new]
    fn new(board: &PyBoard, origin: Whole, target: Whole, arrow: Whole) -> PyResult<Self> {
        let board = Arc::clone(&board.board);
        let [from, to, arrow] = [("origin", origin), ("target", target), ("arrow", arrow)]
            .map(|(name, number)| vertex(&board, name, &number));
        Ok(Self { mv: Move { from: from?, to: to?, arrow: arrow? }, board })
    }

    /// The board.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard { board: Arc::clone(&self.board) }
    }

    /// The vertex that the queen leaves.
    #[getter]
    fn origin(&self) -> Vertex {
        self.mv.from
    }

    /// The vertex where the queen lands.
    #[getter]
    fn target(&self) -> Vertex {
        self.mv.to
    }

    /// The vertex that the arrow hits.
    #[getter]
    fn arrow(&self) -> Vertex {
        self.mv.arrow
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let ids = PyTuple::new(py, [self.mv.from, self.mv.to, self.mv.arrow])?;
        Ok(ids.try_iter()?.into_any())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.mv == other.mv && is_same(&self.board, &other.board)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.mv.hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.board.move_text(self.mv)
    }

    fn __repr__(&self) -> String {
        format!("<Move {} on {}>", self.__str__(), self.board().name())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (PyBoard, Vertex, Vertex, Vertex)) {
        (py.get_type::<Self>().into_any(), (self.board(), self.mv.from, self.mv.to, self.mv.arrow))
    }
}
