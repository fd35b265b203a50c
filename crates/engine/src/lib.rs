//! Fast states and evaluation of the Game of the Amazons for searches.
//!
//! In order:
//!
//! 1. [`Weights`] are read from text, or [`Weights::standard`]; an [`EvalTable`] holds them ready for use.
//! 2. [`AnyGame::new`] prepares a board: a [`Grid`] gives its vertices rows and columns, and one of the three layouts
//!    of [`GridGame`] holds its cells as bits, in two words for each side on boards of up to 10 rows of 11. A board that
//!    is not a grid gets a [`GraphGame`].
//! 3. [`Game::state`] converts a position. States move by half-moves: a queen's step, then its arrow.
//! 4. [`Game::evaluate`] evaluates a state, [`Game::features`] returns its counts, for learning weights.
//! 5. [`HalfMoves`] connects a game to the searches; an [`Endgame`] proves outcomes by counting moves, and an
//!    [`engine()`] plays so that proven outcomes are kept.
//!
//! Results are integers and the same on every CPU; the [`Isa`] affects only the speed.
//!
//! ```
//! use std::sync::Arc;
//!
//! use amazons_engine::{AnyGame, Game, Isa, EvalTable};
//! use amazons_rules::Position;
//!
//! // Arrows have split the board: Black has three free squares to itself, White one.
//! let position = Position::parse("q3*/*****/***1Q b")?;
//! let board = Arc::clone(position.board());
//! let AnyGame::Small(game) = AnyGame::new(board, Arc::new(EvalTable::standard()), Isa::best()) else {
//!     panic!("a board of at most 16 x 16 has the small layout");
//! };
//! let evaluation = game.evaluate(&game.state(&position));
//! assert_eq!(evaluation.decided(), Some([3, 1]));
//! assert!(evaluation.value() > 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![warn(missing_docs)]
#![deny(unsafe_code)]

mod any_game;
mod bare_search;
mod chance;
mod children;
mod classes;
mod endgame;
mod engine;
mod evaluate;
mod evaluation;
mod features;
mod flood;
mod game;
mod graph_game;
mod grid;
mod grid_game;
mod half_move;
mod half_moves;
mod layer;
mod level;
mod moves;
mod network;
mod ownership;
mod phase;
mod playouts;
mod race;
mod random_moves;
mod scan;
mod search_engine;
#[cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "vector instructions, and the functions that may use them")
)]
mod simd;
mod state;
mod table;
mod tasks;
mod text;
mod weights;
mod zobrist;

pub use any_game::AnyGame;
pub use bare_search::{BareReport, BareSearch};
pub use chance::chance;
pub use classes::{KING_CLASSES, NEIGHBOR_CLASSES, QUEEN_CLASSES};
pub use endgame::Endgame;
pub use engine::{Arrows, Engine, SearchResult, Variation};
pub use evaluation::Evaluation;
pub use features::Features;
pub use game::Game;
pub use graph_game::{GraphGame, GraphState};
pub use grid::{Coordinates, Grid};
pub use grid_game::GridGame;
pub use half_move::{Cell, HalfMove};
pub use half_moves::{HalfMoves, NetworkEvaluator};
pub use level::Level;
pub use network::Network;
pub use ownership::{Ownership, OwnershipInputs, OwnershipModel, OwnershipView, ownership};
pub use playouts::random_playouts;
pub use search_engine::{Endgames, EngineConfig, Method, TooLarge, engine};
pub use simd::{Isa, Layout};
pub use state::State;
pub use table::EvalTable;
pub use text::TextError;
pub use weights::Weights;
