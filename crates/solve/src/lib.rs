//! Proves the winner of a game of the Amazons.
//!
//! - [`solve()`] finds the winner of a position with best play, a winning move, and the size of a proof.
//! - [`Solves::proof`] finds the moves of a proof as well, and [`verify_proof`] checks them without any search.
//! - [`counted_winner`] counts each side's moves, once arrows have split the board and no region is shared.
//! - [`MoveBounds`] bound the moves that each side can still make while regions are shared.
//! - [`Graph`], [`Bits`], [`Region`] and [`Filler`] are the parts, for engines: build a graph of the board once, then
//!   count the moves in the regions of any stones with [`Graph::fill_bounds`] (no search) or [`Filler::fill`] (exact).
//!
//! The crate reads no clocks, and opens no files but memory that processes share ([`TableFile`]). Any graph can be a
//! board.
//!
//! ```
//! use amazons_rules::{Color, Position};
//! use amazons_solve::{SolveLimits, solve};
//!
//! let position = Position::parse("1q1q1/q3q/Q3Q/1Q1Q1 w")?;
//! let limits = SolveLimits { table_bytes: 1 << 20, ..SolveLimits::default() };
//! let solution = solve(&position, &limits, &mut || true)?;
//! assert_eq!(solution.winner, Some(Color::White));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod bits;
mod fill;
mod graph;
mod limits;
mod move_bounds;
mod proof;
mod proof_size;
mod proof_tree;
mod race;
mod region;
mod search;
mod shared;
mod solve;
mod solver;
mod state;
mod sum;
mod symmetry;
mod table;

pub use bits::Bits;
pub use fill::{Bounds, Filler};
pub use graph::{Graph, Stones, TooManyVertices};
pub use limits::{Limit, SolveLimits};
pub use move_bounds::MoveBounds;
pub use proof::{ProofMoves, Refuted, verify_proof};
pub use proof_tree::{NodeId, Progress, ProofTree, Prospect};
pub use race::counted_winner;
pub use region::Region;
pub use solve::solve;
pub use solver::{Situation, Solution, Solver, Solves};
pub use table::{CostlyResult, TableFile};
