//! The Game of the Amazons on graphs.
//!
//! A [`Board`] is a graph in CSR form whose entries are directions; a [`Position`] is a board with queens, arrows and a
//! side to move. In order of use:
//!
//! 1. [`Board::new`] builds one of the four shapes; [`Board::from_csr`] accepts any graph with consistent directions.
//! 2. [`Position::start`], [`Position::new`] or [`Position::parse`] puts stones on it.
//! 3. [`Position::legal_moves`], [`Position::is_legal`], [`Position::try_play`] and [`Position::undo`] play.
//! 4. [`Position::perft`] counts, [`DistanceMap`] and [`Territory`] measure, `Display` and [`Board::parse_move`]
//!    convert text.
//!
//! The crate opens no files, reads no clocks and starts no threads.
//!
//! ```
//! use amazons_rules::{Board, Position, Shape};
//!
//! let board = Board::new(Shape::Donut, 9)?;
//! let mut position = Position::start(board.into());
//! assert_eq!(position.perft(1), 944);
//! let opening = position.board().parse_move("c9-c8/d7")?;
//! position.try_play(opening)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod board;
mod color;
mod csr;
mod directions;
mod distance;
mod legality;
mod lines;
#[cfg(feature = "sprs")]
mod matrix;
mod movegen;
mod moves;
mod notation;
mod perft;
mod placement;
mod position;
mod random;
mod shape;
mod territory;
mod text;
mod text_error;

pub use board::{Board, BoardError};
pub use color::Color;
pub use csr::Csr;
pub use directions::Directions;
pub use distance::DistanceMap;
pub use legality::{IllegalMove, Step};
pub use movegen::MoveList;
pub use moves::{Move, Vertex};
pub use position::{Position, PositionError, Slides};
pub use shape::{Shape, UnknownShape};
pub use territory::{Nearer, Territory};
pub use text_error::TextError;
