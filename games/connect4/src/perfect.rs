//! Perfect play: scores of positions.
//!
//! A score is 0 for a draw, k for a win with the k-th last stone of the winner, and -k for such a loss, always for the
//! side to move.
//!
//! ```
//! use connect4::perfect::Solver;
//! use connect4::{Position, Size};
//!
//! let mut solver = Solver::new(Size::STANDARD, 1 << 20, 1).unwrap();
//! let position = Position::from_moves(Size::STANDARD, "2113121222725633415156").unwrap();
//! let never = || false;
//! assert_eq!(solver.score(&position, &never), Some(10));
//! assert_eq!(solver.columns(&position, &never).unwrap(), [(2, 5), (3, 3), (4, 10), (5, 5), (6, 2)]);
//! assert_eq!(solver.best(&position, &never), Some(4));
//! ```

mod follow_up;
pub mod frontier;
mod in_flight;
mod questions;
mod search;
mod solver;
mod solvers;
mod table;

pub use solver::{Solver, Stop};
pub use solvers::Solvers;
pub use table::{Bounds, Table};
