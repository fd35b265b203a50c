//! The C interface of Amazons players, for both sides.
//!
//! - [`abi`]: the types of the four C headers, with C's layout.
//! - `Handover`, with the feature of that name: a server's data for one player, in blocks from C's `malloc`.
//! - [`graph`]: reads servers' graphs, whatever their conventions, into a `Board`.
//! - [`Player`] and [`export_player!`]: write a player in safe Rust and export it as a C shared library.
//! - [`library`]: the implementation of the exported functions: one or two games in one process, memory, panics.
//!
//! The order of calls to a player: `initialize`, `get_player_name`, then `play` for each of its turns, each followed by
//! `get_opinion` on servers that know it, and `finalize`.
#![warn(missing_docs)]

pub mod abi;
#[cfg(feature = "handover")]
mod block;
mod game_budget;
mod game_clock;
mod given;
pub mod graph;
#[cfg(feature = "handover")]
mod handover;
mod instance;
pub mod library;
mod player;

pub use amazons_rules as rules;
pub use game_budget::{GameBudget, open_vertices};
pub use game_clock::{GameClock, MoveClock, thread_time};
pub use graph::GraphError;
#[cfg(feature = "handover")]
pub use handover::{GraphFields, Handover, HandoverError};
pub use library::Library;
pub use player::{GameInfo, Opinion, Player, Rng, TimeLimits};
