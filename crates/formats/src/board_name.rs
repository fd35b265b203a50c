use std::fmt;
use std::str::FromStr;

use amazons_rules::{Board, BoardError, Shape};
use thiserror::Error;

/// A board in a few letters: `c10`, `d9`, `t15`, `8-12`, or `10x8` for a rectangle without a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardName {
    /// A shape and its size.
    Shape(Shape, u32),
    /// Columns and rows.
    Rectangle(u32, u32),
}

/// The error of parsing a [`BoardName`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown board '{0}': use a shape and a size such as c10, d9, t15 or 8-12, or columns and rows such as 10x8")]
pub struct UnknownBoard(String);

impl BoardName {
    /// Returns the name of a board; `None` if it came from a matrix.
    pub fn of(board: &Board) -> Option<Self> {
        let (columns, rows) = (board.columns(), board.rows());
        match board.shape() {
            Some(shape) => Some(Self::Shape(shape, columns)),
            // Only the full grid on that many cells has an edge wherever a king can go.
            None if board.edge_count() == king_steps(columns, rows) => Some(Self::Rectangle(columns, rows)),
            None => None,
        }
    }

    /// Builds the board.
    pub fn build(self) -> Result<Board, BoardError> {
        match self {
            Self::Shape(shape, m) => Board::new(shape, m),
            Self::Rectangle(columns, rows) => Board::rectangle(columns, rows),
        }
    }
}

/// Counts a king's steps on a full grid, in both directions.
const fn king_steps(columns: u32, rows: u32) -> usize {
    let (columns, rows) = (columns as usize, rows as usize);
    let (gaps, lanes) = (columns.saturating_sub(1), rows.saturating_sub(1));
    2 * (gaps * rows + lanes * columns + 2 * gaps * lanes)
}

impl fmt::Display for BoardName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape(Shape::FigureEight, m) => write!(f, "8-{m}"),
            Self::Shape(shape, m) => write!(f, "{}{m}", shape.code()),
            Self::Rectangle(columns, rows) => write!(f, "{columns}x{rows}"),
        }
    }
}

impl FromStr for BoardName {
    type Err = UnknownBoard;

    fn from_str(text: &str) -> Result<Self, UnknownBoard> {
        let number = |text: &str| text.parse::<u32>().ok();
        let rectangle = || {
            let (columns, rows) = text.split_once('x')?;
            Some(Self::Rectangle(number(columns)?, number(rows)?))
        };
        let shape = || {
            let code = text.chars().next()?;
            let shape = code.to_string().parse().ok()?;
            let size = text.get(code.len_utf8()..)?;
            Some(Self::Shape(shape, number(size.strip_prefix('-').unwrap_or(size))?))
        };
        rectangle().or_else(shape).ok_or_else(|| UnknownBoard(text.to_owned()))
    }
}
