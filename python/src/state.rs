use std::fmt::Display;
use std::hash::{DefaultHasher, Hash, Hasher};

use amazons_rules::{Move, Position, Vertex};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::arrays::{Array, Out, output, writable};
use crate::classes::{PyBoard, PyPosition, check_pickle, color_name, restorer};
use crate::numbers::{Whole, value_error};
use crate::planes::{self, PLANES};
use crate::staged::{Stage, Staged};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("PLANES", PLANES)?;
    module.add_class::<PyState>()?;
    module.add_function(wrap_pyfunction!(_state, module)?)
}

/// A position within a turn. A turn is three actions, as in OpenSpiel: the queen, its target and its arrow, each given
/// by its vertex, 0 to columns * rows - 1.
///
/// States are equal, and hash alike, when their positions are and the choices of the turn.
#[pyclass(name = "State", module = "amazons", weakref)]
#[derive(Clone, Debug)]
pub(crate) struct PyState {
    pub(crate) staged: Staged,
    /// The actions since the start, three for each turn.
    pub(crate) applied: Vec<Vertex>,
    /// The legal actions, if they were listed since the last one.
    listed: Vec<Vertex>,
}

impl PyState {
    pub(crate) const fn new(staged: Staged, applied: Vec<Vertex>) -> Self {
        Self { staged, applied, listed: Vec::new() }
    }

    /// Returns the position before the first of the actions.
    fn beginning(&self) -> Position {
        let mut position = self.staged.position.clone();
        self.turns().into_iter().rev().for_each(|mv| position.undo(mv));
        position
    }

    /// Returns the finished turns.
    fn turns(&self) -> Vec<Move> {
        let turns = self.applied.chunks_exact(3);
        turns.map(|turn| Move { from: turn[0], to: turn[1], arrow: turn[2] }).collect()
    }
}

/// Checks an action.
pub(crate) fn check(staged: &Staged, action: i64) -> Result<Vertex, String> {
    let count = staged.position.board().vertex_ids();
    let action = match u32::try_from(action) {
        Ok(action) if (action as usize) < count => action,
        _ => return Err(out_of_range(action, count)),
    };
    if staged.is_legal(action) { Ok(action) } else { Err(staged.explain(action)) }
}

fn out_of_range(action: impl Display, count: usize) -> String {
    format!("action {action} is out of range: use 0 to {}", count - 1)
}

#[pymethods]
impl PyState {
    /// Starts a turn in a position.
    #[new]
    pub(crate) fn start(position: &PyPosition) -> Self {
        let applied = position.pushed.iter().flat_map(|mv| [mv.from, mv.to, mv.arrow]).collect();
        Self::new(Staged::new(position.position.clone()), applied)
    }

    /// The board.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard { board: self.staged.position.board().clone() }
    }

    /// The position before this turn, with the moves since the start.
    #[getter]
    pub(crate) fn position(&self) -> PyPosition {
        PyPosition { position: self.staged.position.clone(), pushed: self.turns() }
    }

    /// "black" or "white".
    #[getter]
    fn side_to_move(&self) -> &'static str {
        color_name(self.staged.position.side_to_move())
    }

    /// The choice that is due: 0 a queen, 1 its target, 2 its arrow.
    #[getter]
    fn phase(&self) -> u8 {
        self.staged.phase()
    }

    /// The queen chosen in this turn, or None.
    #[getter]
    fn origin(&self) -> Option<Vertex> {
        self.staged.chosen()[0]
    }

    /// The target chosen in this turn, or None.
    #[getter]
    fn target(&self) -> Option<Vertex> {
        self.staged.chosen()[1]
    }

    /// Whether the side to move has no legal action.
    #[getter]
    fn is_over(&self) -> bool {
        self.staged.is_over()
    }

    /// "black" or "white" when the game is over, else None.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.staged.is_over().then(|| color_name(self.staged.position.side_to_move().opposite()))
    }

    /// Returns the legal actions, ascending; none when the game is over.
    fn legal_actions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let Self { staged, listed, .. } = self;
        listed.clear();
        staged.for_each_legal(|action| listed.push(action));
        listed.sort_unstable();
        PyList::new(py, &*listed)
    }

    /// Applies an action; raises ValueError with the reason when it is illegal.
    fn apply(&mut self, action: Whole) -> PyResult<()> {
        let Some(action) = action.get::<i64>() else {
            return Err(value_error(out_of_range(action, self.staged.position.board().vertex_ids())));
        };
        let listed = u32::try_from(action).ok().filter(|action| self.listed.contains(action));
        let action = listed.map_or_else(|| check(&self.staged, action).map_err(value_error), Ok)?;
        self.listed.clear();
        self.staged.apply(action);
        self.applied.push(action);
        Ok(())
    }

    /// Takes the last action back and returns it; raises IndexError when no action was applied.
    fn undo(&mut self) -> PyResult<Vertex> {
        let last = self.applied.pop().ok_or_else(|| PyIndexError::new_err("no action was applied"))?;
        self.listed.clear();
        self.staged.stage = match self.staged.stage {
            Stage::Arrow(from, _) => Stage::Target(from),
            Stage::Target(_) => Stage::Queen,
            Stage::Queen => {
                let &[.., from, to] = &self.applied[..] else {
                    return Err(PyIndexError::new_err("no action was applied"));
                };
                self.staged.position.undo(Move { from, to, arrow: last });
                Stage::Arrow(from, to)
            }
        };
        Ok(last)
    }

    /// Returns the legal actions as ones among zeros: int8, shape (columns * rows,).
    #[pyo3(signature = (out = None))]
    fn mask<'py>(&self, py: Python<'py>, out: Out<'py>) -> PyResult<Array<'py, i8>> {
        let array = output(py, out, &[self.staged.position.board().vertex_ids()])?;
        mask(&self.staged, writable(&array)?.as_slice_mut()?);
        Ok(array)
    }

    /// Returns the planes of `PLANES`: float32, shape (10, rows, columns).
    #[pyo3(signature = (out = None))]
    fn observation<'py>(&self, py: Python<'py>, out: Out<'py>) -> PyResult<Array<'py, f32>> {
        let board = self.staged.position.board();
        let array = output(py, out, &[PLANES.len(), board.rows() as usize, board.columns() as usize])?;
        planes::write(&self.staged, writable(&array)?.as_slice_mut()?);
        Ok(array)
    }

    /// Returns a copy.
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __repr__(&self) -> String {
        let chosen: Vec<Vertex> = self.staged.chosen().into_iter().flatten().collect();
        format!("<State {} {chosen:?} on {}>", self.staged.position, self.board().name())
    }

    /// The picture of the position before this turn.
    fn _repr_svg_(&self) -> PyResult<String> {
        self.position()._repr_svg_()
    }

    /// The same as an image of its own.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        self.position()._repr_html_(py)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.staged.stage == other.staged.stage && self.position().__eq__(&other.position())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.position().__hash__(), self.staged.chosen()).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        Ok((restorer(py, "_state")?, (PICKLE, PyPosition::new(self.beginning()), self.applied.clone())))
    }
}

/// The version of pickled states: 1 had no history.
const PICKLE: u32 = 2;

/// Version, position before the first action, the actions.
type Pickled = (u32, PyPosition, Vec<Vertex>);

/// Writes a one for each legal action and zeros elsewhere.
pub(crate) fn mask(staged: &Staged, out: &mut [i8]) {
    out.fill(0);
    staged.for_each_legal(|action| out[action as usize] = 1);
}

#[pyfunction]
fn _state(version: u32, position: &PyPosition, applied: Vec<Whole>) -> PyResult<PyState> {
    if version != 1 {
        check_pickle(version, PICKLE)?;
    }
    let mut state = PyState::start(position);
    applied.into_iter().try_for_each(|action| state.apply(action))?;
    Ok(state)
}
