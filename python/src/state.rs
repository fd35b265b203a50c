use amazons_rules::{Move, Vertex};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::arrays::{Array, Out, output, writable};
use crate::classes::{PICKLE, PyBoard, PyPosition, check_pickle, color_name, restorer, value_error};
use crate::planes::{self, PLANES};
use crate::staged::{Stage, Staged};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("PLANES", PLANES)?;
    module.add_class::<PyState>()?;
    module.add_function(wrap_pyfunction!(_state, module)?)
}

/// A position within a turn. A turn is three actions, as in OpenSpiel: the queen, its target and its arrow, each given
/// by its vertex, 0 to columns * rows - 1.
#[pyclass(name = "State", module = "amazons")]
#[derive(Clone, Debug)]
pub(crate) struct PyState {
    pub(crate) staged: Staged,
    applied: Vec<Vertex>,
    /// The legal actions, if they were listed since the last one.
    listed: Vec<Vertex>,
}

impl PyState {
    pub(crate) const fn new(staged: Staged) -> Self {
        Self { staged, applied: Vec::new(), listed: Vec::new() }
    }
}

/// Checks an action.
pub(crate) fn check(staged: &Staged, action: i64) -> Result<Vertex, String> {
    let count = staged.position.board().vertex_ids();
    let action = match u32::try_from(action) {
        Ok(action) if (action as usize) < count => action,
        _ => return Err(format!("action {action} is out of range: use 0 to {}", count - 1)),
    };
    if staged.is_legal(action) { Ok(action) } else { Err(staged.explain(action)) }
}

#[pymethods]
impl PyState {
    /// Starts a turn in a position.
    #[new]
    fn start(position: &PyPosition) -> Self {
        Self::new(Staged::new(position.position.clone()))
    }

    /// The board.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard { board: self.staged.position.board().clone() }
    }

    /// The position before this turn.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition::new(self.staged.position.clone())
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

    /// Returns the legal actions; none when the game is over.
    fn legal_actions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let Self { staged, listed, .. } = self;
        listed.clear();
        staged.for_each_legal(|action| listed.push(action));
        PyList::new(py, &*listed)
    }

    /// Applies an action; raises ValueError with the reason when it is illegal.
    fn apply(&mut self, action: i64) -> PyResult<()> {
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let chosen = self.staged.chosen().into_iter().flatten().collect();
        Ok((restorer(py, "_state")?, (PICKLE, self.position(), chosen)))
    }
}

/// Version, position before the turn, what was chosen.
type Pickled = (u32, PyPosition, Vec<Vertex>);

/// Writes a one for each legal action and zeros elsewhere.
pub(crate) fn mask(staged: &Staged, out: &mut [i8]) {
    out.fill(0);
    staged.for_each_legal(|action| out[action as usize] = 1);
}

#[pyfunction]
fn _state(version: u32, position: &PyPosition, chosen: Vec<i64>) -> PyResult<PyState> {
    check_pickle(version)?;
    let mut state = PyState::start(position);
    for action in chosen {
        state.apply(action)?;
    }
    Ok(state)
}
