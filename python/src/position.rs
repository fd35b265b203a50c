use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use amazons_formats::{Game, SVG};
use amazons_rules::{Board, Color, Move, Position, Vertex};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays::{Array, Out, output, writable};
use crate::classes::{
    PICKLE, PyBoard, PyMove, PyMoveList, PyPosition, check_pickle, color_name, is_same, parse_color, restorer,
};
use crate::move_list::SMALL_BOARD;
use crate::numbers::{Whole, value_error};
use crate::records::draw;
use crate::signals::interruptible;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyPosition>()?;
    module.add_function(wrap_pyfunction!(_position, module)?)
}

impl PyPosition {
    pub(crate) const fn new(position: Position) -> Self {
        Self { position, pushed: Vec::new() }
    }

    /// Reads a position text; the text of a start gives the start, with its order of queens.
    pub(crate) fn parse(board: &Arc<Board>, text: &str) -> PyResult<Self> {
        let position = Position::parse_on(Arc::clone(board), text).map_err(value_error)?;
        let start = Position::start(Arc::clone(board));
        Ok(Self::new(if position.to_string() == start.to_string() { start } else { position }))
    }

    /// Reads a move, or takes one of the same board.
    pub(crate) fn read_move(&self, given: &Bound<'_, PyAny>) -> PyResult<Move> {
        if let Ok(mv) = given.cast::<PyMove>() {
            let mv = mv.get();
            return match is_same(&mv.board, self.position.board()) {
                true => Ok(mv.mv),
                false => Err(value_error("the move belongs to another board")),
            };
        }
        let Ok(text) = given.extract::<String>() else {
            return Err(PyTypeError::new_err(format!("expected a Move or its text, got {}", given.get_type().name()?)));
        };
        self.position.parse_move(&text).map_err(value_error)
    }
}

#[pymethods]
impl PyPosition {
    /// Reads a position text onto the full rectangle of its ranks; every `*` is an arrow.
    ///
    /// The text of a board with holes needs its board: `Board.position`.
    #[staticmethod]
    fn from_text(text: &str) -> PyResult<Self> {
        Ok(Self::new(Position::parse(text).map_err(value_error)?))
    }

    /// The board.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard { board: Arc::clone(self.position.board()) }
    }

    /// "black" or "white".
    #[getter]
    fn side_to_move(&self) -> &'static str {
        color_name(self.position.side_to_move())
    }

    /// The number of the full move, as in the position text.
    #[getter]
    fn move_number(&self) -> u32 {
        self.position.move_number()
    }

    /// The moves pushed and not popped, the first one first.
    #[getter]
    fn moves(&self) -> PyMoveList {
        PyMoveList::new(Arc::clone(self.position.board()), self.pushed.clone())
    }

    /// Returns the vertices of a colour's queens.
    fn queens(&self, color: &str) -> PyResult<Vec<Vertex>> {
        Ok(self.position.queens(parse_color(color)?).to_vec())
    }

    /// The vertices that arrows hit, ascending.
    #[getter]
    fn arrows(&self) -> Vec<Vertex> {
        self.position.arrows().collect()
    }

    /// Returns all legal moves, in an order that does not change while the position does not.
    fn legal_moves(&self) -> PyResult<PyMoveList> {
        PyMoveList::legal(&self.position)
    }

    /// Returns the board: 0 free, 1 a black queen, 2 a white queen, 3 an arrow, 4 a hole; int8, shape (rows, columns).
    #[pyo3(signature = (out = None))]
    fn array<'py>(&self, py: Python<'py>, out: Out<'py>) -> PyResult<Array<'py, i8>> {
        let (position, board) = (&self.position, self.position.board());
        let array = output(py, out, &[board.rows() as usize, board.columns() as usize])?;
        let mut locked = writable(&array)?;
        let cells = locked.as_slice_mut()?;
        cells.fill(0);
        let stones = [
            (1, position.queens(Color::Black).to_vec()),
            (2, position.queens(Color::White).to_vec()),
            (3, position.arrows().collect()),
            (4, board.holes().collect()),
        ];
        stones.into_iter().for_each(|(stone, at)| at.into_iter().for_each(|at| cells[at as usize] = stone));
        Ok(array)
    }

    /// Returns whether a move, or its text, is legal here; no other text is.
    #[pyo3(signature = (mv, /))]
    fn is_legal(&self, mv: &Bound<'_, PyAny>) -> PyResult<bool> {
        match self.read_move(mv) {
            Ok(mv) => Ok(self.position.is_legal(mv).is_ok()),
            Err(error) if error.is_instance_of::<PyValueError>(mv.py()) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Plays a move, or its text in any usual notation; raises ValueError with the reason when it is illegal.
    #[pyo3(signature = (mv, /))]
    fn push(&mut self, mv: &Bound<'_, PyAny>) -> PyResult<()> {
        let mv = self.read_move(mv)?;
        self.position.try_play(mv).map_err(|error| value_error(error.describe(self.position.board())))?;
        self.pushed.push(mv);
        Ok(())
    }

    /// Takes the last move back and returns it; raises IndexError when no move was pushed.
    fn pop(&mut self) -> PyResult<PyMove> {
        let mv = self.pushed.pop().ok_or_else(|| PyIndexError::new_err("no move was pushed"))?;
        self.position.undo(mv);
        Ok(PyMove { board: Arc::clone(self.position.board()), mv })
    }

    /// Whether the side to move has no legal move.
    #[getter]
    fn is_over(&self) -> bool {
        !self.position.has_moves()
    }

    /// "black" or "white" when the game is over, else None: who cannot move loses.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.is_over().then(|| color_name(self.position.side_to_move().opposite()))
    }

    /// Counts the sequences of `depth` legal moves.
    fn perft(slf: &Bound<'_, Self>, depth: Whole) -> PyResult<u64> {
        let depth = depth.within("depth", 0..=u32::MAX)?;
        // Not borrowed meanwhile: other threads may play on.
        let (py, mut position) = (slf.py(), slf.borrow().position.clone());
        if depth < 2 && position.board().vertex_ids() <= SMALL_BOARD {
            return Ok(position.perft(depth));
        }
        interruptible(py, move |stop| perft(&mut position, depth, stop))
    }

    /// Returns a copy, with the moves pushed.
    fn copy(&self) -> Self {
        self.clone()
    }

    pub(crate) fn __eq__(&self, other: &Self) -> bool {
        is_same(self.position.board(), other.position.board()) && self.stones() == other.stones()
    }

    pub(crate) fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.stones().hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.position.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Position {} on {}>", self.position, self.board().name())
    }

    pub(crate) fn _repr_svg_(&self) -> PyResult<String> {
        draw(&Game::new(self.position.clone()).map_err(value_error)?, SVG)
    }

    /// The picture as an image of its own: its styles do not reach the rest of a notebook.
    pub(crate) fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let bytes = self._repr_svg_()?.into_bytes();
        let encoded: Bound<'_, PyBytes> = py.import("base64")?.call_method1("b64encode", (&bytes[..],))?.extract()?;
        let encoded = String::from_utf8_lossy(encoded.as_bytes()).into_owned();
        Ok(format!("<img alt=\"{}\" src=\"data:image/svg+xml;base64,{encoded}\">", self.position))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let mut start = self.position.clone();
        self.pushed.iter().rev().for_each(|&mv| start.undo(mv));
        let moves = self.pushed.iter().map(|mv| (mv.from, mv.to, mv.arrow)).collect();
        Ok((restorer(py, "_position")?, (PICKLE, self.board(), start.to_string(), moves)))
    }
}

/// Version, board, position text, moves.
type Pickled = (u32, PyBoard, String, Vec<(Vertex, Vertex, Vertex)>);

impl PyPosition {
    /// The parts that equal positions share, besides the board.
    fn stones(&self) -> (Color, [Vec<Vertex>; 2], Vec<Vertex>) {
        let sorted = |color| {
            let mut queens = self.position.queens(color).to_vec();
            queens.sort_unstable();
            queens
        };
        (self.position.side_to_move(), Color::ALL.map(sorted), self.position.arrows().collect())
    }
}

/// Counts sequences of moves; a set `stop` ends the count.
fn perft(position: &mut Position, depth: u32, stop: &AtomicBool) -> u64 {
    if depth == 0 || depth == 1 && position.board().vertex_ids() <= SMALL_BOARD {
        return position.perft(depth);
    }
    let mut count = 0;
    // Stage by stage: the list of all moves on a large board would fill the memory.
    for from in position.queens(position.side_to_move()).to_vec() {
        for to in position.slides(from).flatten().copied().collect::<Vec<_>>() {
            if stop.load(Ordering::Relaxed) {
                return count;
            }
            if depth == 1 {
                count += position.shots(from, to).map(|slide| slide.len() as u64).sum::<u64>();
                continue;
            }
            for arrow in position.shots(from, to).flatten().copied().collect::<Vec<_>>() {
                if stop.load(Ordering::Relaxed) {
                    return count;
                }
                let mv = Move { from, to, arrow };
                position.play_unchecked(mv);
                count += perft(position, depth - 1, stop);
                position.undo(mv);
            }
        }
    }
    count
}

#[pyfunction]
fn _position(version: u32, board: &PyBoard, text: &str, moves: Vec<(Vertex, Vertex, Vertex)>) -> PyResult<PyPosition> {
    check_pickle(version, PICKLE)?;
    let mut restored = PyPosition::parse(&board.board, text)?;
    for (from, to, arrow) in moves {
        let mv = Move { from, to, arrow };
        restored.position.try_play(mv).map_err(value_error)?;
        restored.pushed.push(mv);
    }
    Ok(restored)
}
