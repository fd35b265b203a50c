//! Search for two-player games of perfect information.
//!
//! A [`Game`] is a position that plays and undoes moves; an [`Evaluator`] estimates its winner; a [`Searcher`] combines
//! both into a [`SearchReport`], within a [`Budget`]. There are two searchers:
//!
//! - [`AlphaBeta`], depth first: exact values at a fixed depth, small memory;
//! - [`Mcts`], best first, on one tree for any number of threads: for games with many moves.
//!
//! **Every value is from [`Player::First`]'s view**: 1 is a win for First, −1 for Second, whoever is to move. A move
//! need not pass the turn (a queen's step and its arrow may be two moves), so a value changes sign only where
//! [`Game::turn`] does.
//!
//! The crate opens no files and reads no clocks; [`Mcts`] starts threads only on request and ends them in the same
//! call.
//!
//! ```
//! use amazons_search::{AlphaBeta, AlphaBetaConfig, Evaluator, Game, Limits, Outcome, Player, Searcher};
//!
//! /// Players take one or two sticks in turn; whoever takes the last one wins.
//! #[derive(Clone)]
//! struct Sticks {
//!     left: u32,
//!     turn: Player,
//! }
//!
//! impl Game for Sticks {
//!     type Move = u32;
//!
//!     fn pack(taken: u32) -> u32 {
//!         taken
//!     }
//!
//!     fn unpack(packed: u32) -> u32 {
//!         packed
//!     }
//!
//!     fn turn(&self) -> Player {
//!         self.turn
//!     }
//!
//!     fn moves(&self, moves: &mut Vec<u32>) {
//!         moves.clear();
//!         moves.extend(1..=self.left.min(2));
//!     }
//!
//!     fn play(&mut self, taken: u32) {
//!         self.left -= taken;
//!         self.turn = self.turn.opponent();
//!     }
//!
//!     fn undo(&mut self, taken: u32) {
//!         self.left += taken;
//!         self.turn = self.turn.opponent();
//!     }
//!
//!     fn outcome(&self) -> Option<Outcome> {
//!         (self.left == 0).then_some(Outcome::Win(self.turn.opponent()))
//!     }
//!
//!     fn key(&self) -> u64 {
//!         u64::from(self.left * 2 + self.turn as u32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
//!     }
//! }
//!
//! /// Calls every position even.
//! struct Even;
//!
//! impl Evaluator<Sticks> for Even {
//!     fn evaluate(&mut self, _: &Sticks) -> f32 {
//!         0.0
//!     }
//! }
//!
//! let game = Sticks { left: 7, turn: Player::First };
//! let config = AlphaBetaConfig { table_bytes: 1 << 16, ..AlphaBetaConfig::default() };
//! let report = AlphaBeta::new(config, Even).search(&game, &mut Limits::default());
//! // Six sticks lose, whatever is taken.
//! assert_eq!(report.best, Some(1));
//! assert_eq!(report.proof.map(|proof| proof.outcome), Some(Outcome::Win(Player::First)));
//! ```
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod alpha_beta;
mod evaluator;
mod game;
mod limits;
mod mcts;
mod report;

pub use alpha_beta::{AlphaBeta, AlphaBetaConfig};
pub use evaluator::Evaluator;
pub use game::{Game, Outcome, Player};
pub use limits::{Budget, Choice, Limits, Progress};
pub use mcts::{Mcts, MctsConfig};
pub use report::{Avoid, Avoided, Proof, RootMove, SearchLine, SearchReport, Searcher};
