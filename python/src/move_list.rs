use std::sync::Arc;

use amazons_rules::{Board, Move, MoveList, Position};
use numpy::{PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyRange, PySlice};

use crate::classes::{PICKLE, PyBoard, PyMove, PyMoveList, check_pickle, is_same, restorer, vertex};
use crate::numbers::{Whole, value_error};

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

    /// Returns what may be a move of this list.
    fn given(&self, mv: &Bound<'_, PyAny>) -> Option<Move> {
        match mv.cast::<PyMove>() {
            Ok(mv) => Some(mv.get()).filter(|mv| is_same(&self.board, &mv.board)).map(|mv| mv.mv),
            Err(_) => self.board.parse_move(&mv.extract::<String>().ok()?).ok(),
        }
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

    fn __reversed__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let backwards = PySlice::new(slf.py(), slf.get().moves.len().cast_signed() - 1, isize::MIN, -1);
        Ok(slf.get_item(backwards)?.try_iter()?.into_any())
    }

    fn __contains__(&self, mv: &Bound<'_, PyAny>) -> bool {
        self.given(mv).is_some_and(|mv| self.moves.contains(&mv))
    }

    /// Returns the index of a move, or of its text; raises ValueError when it is not in the list.
    #[pyo3(signature = (mv, start = 0, stop = isize::MAX, /))]
    fn index(&self, mv: &Bound<'_, PyAny>, start: isize, stop: isize) -> PyResult<usize> {
        let (moves, count) = (&self.moves, self.moves.len());
        // As a list has it: negative ones count from the end.
        let clamped =
            |at: isize| if at < 0 { count.saturating_sub(at.unsigned_abs()) } else { count.min(at.unsigned_abs()) };
        let (start, stop) = (clamped(start), clamped(stop));
        let found = self.given(mv).and_then(|mv| (start..stop).find(|&at| moves[at] == mv));
        found.ok_or_else(|| {
            value_error(format!(
                "{} is not in the list",
                mv.str().map_or_else(|_| "it".to_owned(), |text| text.to_string())
            ))
        })
    }

    /// Returns how often a move, or its text, is in the list.
    #[pyo3(signature = (mv, /))]
    fn count(&self, mv: &Bound<'_, PyAny>) -> usize {
        self.given(mv).map_or(0, |mv| self.moves.iter().filter(|&&own| own == mv).count())
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let board = PyBoard { board: Arc::clone(&self.board) };
        Ok((restorer(py, "_move_list")?, (PICKLE, board, self.array(py)?)))
    }
}

/// Version, board, the moves as an array.
type Pickled<'py> = (u32, PyBoard, Bound<'py, PyArray2<i32>>);

#[pyfunction]
fn _move_list(version: u32, board: &PyBoard, moves: Vec<[i64; 3]>) -> PyResult<PyMoveList> {
    check_pickle(version, PICKLE)?;
    let id = |number: i64| vertex(&board.board, "moves", &Whole::Number(number.into()));
    let read = |[from, to, arrow]: [i64; 3]| Ok(Move { from: id(from)?, to: id(to)?, arrow: id(arrow)? });
    let moves = moves.into_iter().map(read).collect::<PyResult<_>>()?;
    Ok(PyMoveList::new(Arc::clone(&board.board), moves))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyMoveList>()?;
    module
        .py()
        .import("collections.abc")?
        .getattr("Sequence")?
        .call_method1("register", (module.getattr("MoveList")?,))?;
    module.add_function(wrap_pyfunction!(_move_list, module)?)
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
