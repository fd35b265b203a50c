use std::sync::{Arc, mpsc};
use std::thread;

use amazons_formats::BoardName;
use amazons_rules::{Board, Position, Shape, Vertex};
use numpy::PyArray2;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::classes::{self, PICKLE, PyBoard, PyMove, PyPosition, check_pickle, is_same, restorer};
use crate::numbers::{Whole, value_error};
use crate::signals::wait;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyBoard>()?;
    module.add_function(wrap_pyfunction!(_board, module)?)
}

#[pymethods]
impl PyBoard {
    /// Builds a shape: "square", "donut", "clover" or "figure-eight" (or c, d, t, 8), with m from 5 to 1000.
    #[new]
    fn new(py: Python<'_>, shape: &str, m: Whole) -> PyResult<Self> {
        let named = Shape::ALL.into_iter().find(|known| known.name() == shape);
        let shape = named.map_or_else(|| shape.parse().map_err(value_error), Ok)?;
        let out_of_range =
            || value_error(format!("board size {m} is out of range: use {} to {}", Board::MIN_SIZE, Board::MAX_SIZE));
        let m = m.get().ok_or_else(out_of_range)?;
        built(py, BoardName::Shape(shape, m))
    }

    /// Builds a full rectangle of 1 x 1 to 1000 x 1000 cells.
    #[staticmethod]
    fn rectangle(py: Python<'_>, columns: Whole, rows: Whole) -> PyResult<Self> {
        let side = |name, number: &Whole| number.within(name, 1..=Board::MAX_SIZE);
        built(py, BoardName::Rectangle(side("columns", &columns)?, side("rows", &rows)?))
    }

    /// Builds the board of a short name: c10, d9, t15, 8-12, or 10x8 for a rectangle.
    #[staticmethod]
    fn from_name(py: Python<'_>, name: &str) -> PyResult<Self> {
        built(py, name.parse().map_err(value_error)?)
    }

    /// The short name, see `from_name`.
    #[getter]
    pub(crate) fn name(&self) -> String {
        BoardName::of(&self.board).map_or_else(String::new, |name| name.to_string())
    }

    /// The shape's name, or None for a rectangle.
    #[getter]
    fn shape(&self) -> Option<&'static str> {
        self.board.shape().map(Shape::name)
    }

    /// The number of columns.
    #[getter]
    fn columns(&self) -> u32 {
        self.board.columns()
    }

    /// The number of rows.
    #[getter]
    fn rows(&self) -> u32 {
        self.board.rows()
    }

    /// The vertices that are holes, ascending.
    #[getter]
    fn holes(&self) -> Vec<Vertex> {
        self.board.holes().collect()
    }

    /// The vertices of the board, ascending, without holes.
    #[getter]
    fn vertices(&self) -> Vec<Vertex> {
        self.board.vertices().collect()
    }

    /// Returns the square of a vertex, for example "d1".
    fn square(&self, vertex: Whole) -> PyResult<String> {
        Ok(self.board.square(classes::vertex(&self.board, "vertex", &vertex)?))
    }

    /// Returns the rotations and mirrors that map the board onto itself: int64 of shape (k, columns * rows), the identity
    /// first, up to 8 of a square board.
    ///
    /// Cell i of the image shows cell `symmetry[i]`: `masks[:, symmetry]` turns masks and policies, and likewise planes of
    /// shape (n, 10, columns * rows). Action `a` becomes `numpy.argsort(symmetry)[a]`.
    fn symmetries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let (columns, rows) = (self.columns(), self.rows());
        let image = |turns: u32| {
            let shown = move |id: Vertex| {
                let (mut row, mut column) = (id / columns, id % columns);
                if turns & 4 != 0 {
                    (row, column) = (column, row);
                }
                if turns & 2 != 0 {
                    row = rows - 1 - row;
                }
                if turns & 1 != 0 {
                    column = columns - 1 - column;
                }
                row * columns + column
            };
            (0..columns * rows).map(shown).collect::<Vec<_>>()
        };
        let fits =
            |ids: &Vec<Vertex>| (0..).zip(ids).all(|(id, &at)| self.board.is_vertex(id) == self.board.is_vertex(at));
        let images: Vec<_> = (0..if columns == rows { 8 } else { 4 }).map(image).filter(fits).collect();
        let images: Vec<Vec<i64>> = images.into_iter().map(|ids| ids.into_iter().map(i64::from).collect()).collect();
        Ok(PyArray2::from_vec2(py, &images)?)
    }

    /// Returns the vertex of a square.
    fn vertex(&self, square: &str) -> PyResult<Vertex> {
        self.board.parse_square(square).map_err(value_error)
    }

    /// Reads a move in any usual notation without checking whether it is legal.
    #[pyo3(name = "move")]
    fn parse_move(&self, text: &str) -> PyResult<PyMove> {
        let mv = self.board.parse_move(text).map_err(value_error)?;
        Ok(PyMove { board: Arc::clone(&self.board), mv })
    }

    /// Returns the shape's first position, Black to move; a rectangle without a shape has none.
    fn start(&self) -> PyResult<PyPosition> {
        match self.board.shape() {
            Some(_) => Ok(PyPosition::new(Position::start(Arc::clone(&self.board)))),
            None => Err(value_error(format!("{} has no start: give a position text", self.name()))),
        }
    }

    /// Reads a position text onto this board.
    fn position(&self, text: &str) -> PyResult<PyPosition> {
        PyPosition::parse(&self.board, text)
    }

    /// The number of vertices, without holes.
    fn __len__(&self) -> usize {
        self.board.vertices().count()
    }

    fn __contains__(&self, vertex: Whole) -> bool {
        vertex.get().is_some_and(|vertex| self.board.is_vertex(vertex))
    }

    fn __eq__(&self, other: &Self) -> bool {
        is_same(&self.board, &other.board)
    }

    fn __hash__(&self) -> u64 {
        u64::from(self.columns()) << 32
            | u64::from(self.rows()) << 3
            | self.board.shape().map_or(7, |shape| shape as u64)
    }

    fn __repr__(&self) -> String {
        match self.shape() {
            Some(shape) => format!("Board('{shape}', {})", self.columns()),
            None => format!("Board.rectangle({}, {})", self.columns(), self.rows()),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (u32, String))> {
        Ok((restorer(py, "_board")?, (PICKLE, self.name())))
    }
}

/// Builds a board on a thread, which an interrupt leaves behind: the largest takes a second.
fn built(py: Python<'_>, name: BoardName) -> PyResult<PyBoard> {
    let (sender, mut built) = mpsc::channel();
    thread::spawn(move || drop(sender.send(name.build())));
    let board = wait(py, &mut built, None)?.ok_or_else(|| PyRuntimeError::new_err("the board was not built"))?;
    board.map(|board| PyBoard { board: Arc::new(board) }).map_err(value_error)
}

#[pyfunction]
fn _board(py: Python<'_>, version: u32, name: &str) -> PyResult<PyBoard> {
    check_pickle(version, PICKLE)?;
    PyBoard::from_name(py, name)
}
