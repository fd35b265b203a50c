//! The classes that refer to each other, and what the files of their methods share.

use std::sync::Arc;

use amazons_rules::{Board, Color, Move, Position, Vertex};
use pyo3::prelude::*;

use crate::numbers::{Whole, value_error};

/// The version of pickles.
pub(crate) const PICKLE: u32 = 1;

/// A board: one of the four shapes with m x m cells, or a rectangle.
///
/// Vertices are numbered row by row from the top left corner, 0 to columns * rows - 1, holes included.
#[pyclass(name = "Board", module = "amazons", frozen, weakref)]
#[derive(Debug)]
pub(crate) struct PyBoard {
    pub(crate) board: Arc<Board>,
}

/// A move on a board: a queen goes from `origin` to `target` and shoots its arrow at `arrow`.
///
/// All three are vertices. A move unpacks into them, and its text is for example "d1-d7/g7".
#[pyclass(name = "Move", module = "amazons", frozen)]
#[derive(Debug)]
pub(crate) struct PyMove {
    pub(crate) board: Arc<Board>,
    pub(crate) mv: Move,
}

/// A sequence of moves. They are made one by one as they are read, so that a long list is cheap.
#[pyclass(name = "MoveList", module = "amazons", frozen)]
#[derive(Debug)]
pub(crate) struct PyMoveList {
    pub(crate) board: Arc<Board>,
    pub(crate) moves: Vec<Move>,
}

/// A position: a board with queens and arrows, the side to move, and the moves pushed so far.
///
/// Positions are equal, and hash alike, when board, stones and side to move are the same, whatever was pushed before.
#[pyclass(name = "Position", module = "amazons", weakref)]
#[derive(Clone, Debug)]
pub(crate) struct PyPosition {
    pub(crate) position: Position,
    pub(crate) pushed: Vec<Move>,
}

/// Returns whether two boards are the same: all of them are shapes or rectangles.
pub(crate) fn is_same(one: &Arc<Board>, other: &Arc<Board>) -> bool {
    let key = |board: &Board| (board.columns(), board.rows(), board.shape());
    Arc::ptr_eq(one, other) || key(one) == key(other)
}

/// Reads "black" or "white".
pub(crate) fn parse_color(name: &str) -> PyResult<Color> {
    let color = Color::ALL.into_iter().find(|color| color.to_string() == name);
    color.ok_or_else(|| value_error(format!("unknown colour '{name}': use black or white")))
}

/// Returns "black" or "white".
pub(crate) const fn color_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// Returns the function that a pickle calls.
pub(crate) fn restorer<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("amazons._amazons")?.getattr(name)
}

/// Checks the version of a pickle.
pub(crate) fn check_pickle(version: u32, known: u32) -> PyResult<()> {
    match version == known {
        true => Ok(()),
        false => Err(value_error(format!("the pickle has format {version}: this version of amazons reads {known}"))),
    }
}

/// Returns the vertex of an argument, hole or not.
pub(crate) fn vertex(board: &Board, name: &str, number: &Whole) -> PyResult<Vertex> {
    let found = number.get::<Vertex>().filter(|&vertex| (vertex as usize) < board.vertex_ids());
    found.ok_or_else(|| value_error(format!("{name}: {number} is not a vertex of the board")))
}
