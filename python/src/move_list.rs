use std::sync::Arc;

use amazons_rules::{Board, Move, MoveList, Position};
use numpy::{PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyRange, PySlice};

use crate::classes::{PyMove, PyMoveList, is_same, value_error};

/// Number of cells up to which every list of moves is short enough.
pub(crate) const SMALL_BOARD: usize = 64 * 64;
/// Maximum number of moves in a list.
const MAX_MOVES: u64 = 1 << 22;

impl PyMoveList {
    pub(crate) fn legal(position: &Position) -> PyResult<Self> {
        let mut list = MoveList::new();
        fill(&mut list, position)?;
        Ok(Self { board: Arc::clone(position.board()), moves: list.into() })
    }

    pub(crate) const fn new(board: Arc<Board>, moves: Vec<Move>) -> Self {
        Self { board, moves }
    }

    fn at(&self, mv: Move) -> PyMove {
        PyMove { board: Arc::clone(&self.board), mv }
    }
}

#[pymethods]
impl PyMoveList {
    fn __len__(&self) -> usize {
        self.moves.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let count = self.moves.len().cast_signed();
        if let Ok(slice) = index.cast::<PySlice>() {
            let taken = slice.indices(count)?;
            let at = |step: isize| usize::try_from(taken.start + step * taken.step).unwrap_or_default();
            let moves = (0..).take(taken.slicelength).map(|step| self.moves[at(step)]).collect();
            return Ok(Bound::new(py, Self::new(Arc::clone(&self.board), moves))?.into_any());
        }
        let Ok(index) = index.extract::<isize>() else {
            return Err(PyTypeError::new_err(format!(
                "expected an index or a slice, got {}",
                index.get_type().name()?
            )));
        };
        let from_start = if index < 0 { index + count } else { index };
        let found = usize::try_from(from_start).ok().and_then(|at| self.moves.get(at));
        let mv = found.ok_or_else(|| PyIndexError::new_err(format!("no move {index}: the list has {count}")))?;
        Ok(Bound::new(py, self.at(*mv))?.into_any())
    }

    fn __iter__<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let all = PyRange::new(slf.py(), 0, slf.get().moves.len().cast_signed())?;
        slf.py().import("builtins")?.getattr("map")?.call1((slf.getattr("__getitem__")?, all))
    }

    fn __contains__(&self, mv: &PyMove) -> bool {
        is_same(&self.board, &mv.board) && self.moves.contains(&mv.mv)
    }

    fn __eq__(&self, other: &Self) -> bool {
        is_same(&self.board, &other.board) && self.moves == other.moves
    }

    fn __repr__(&self) -> String {
        let shown: Vec<String> = self.moves.iter().take(5).map(|&mv| self.board.move_text(mv)).collect();
        let more = if self.moves.len() > shown.len() { ", ..." } else { "" };
        format!("<MoveList of {}: {}{more}>", self.moves.len(), shown.join(", "))
    }

    /// Returns the moves as int32 of shape (k, 3): origin, target and arrow.
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        moves_array(py, &self.moves)
    }
}

/// Lists all legal moves, unless there are too many for a list.
pub(crate) fn fill(list: &mut MoveList, position: &Position) -> PyResult<()> {
    if position.board().vertex_ids() > SMALL_BOARD {
        let count = position.perft(1);
        if count > MAX_MOVES {
            return Err(value_error(format!("the position has {count} legal moves, a list holds {MAX_MOVES} at most")));
        }
    }
    position.legal_moves(list);
    Ok(())
}

/// Returns moves as an array of shape (k, 3).
pub(crate) fn moves_array<'py>(py: Python<'py>, moves: &[Move]) -> PyResult<Bound<'py, PyArray2<i32>>> {
    let array = PyArray2::zeros(py, [moves.len(), 3], false);
    for (row, mv) in array.readwrite().as_slice_mut()?.chunks_exact_mut(3).zip(moves) {
        row.copy_from_slice(&[mv.from, mv.to, mv.arrow].map(u32::cast_signed));
    }
    Ok(array)
}
