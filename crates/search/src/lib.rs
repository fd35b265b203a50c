//! Search for two-player games of perfect information.
//!
//! A [`Game`] is a position that plays and takes back moves; an [`Evaluator`] guesses who wins it; a [`Searcher`]
//! combines both into a [`Report`], for as long as a [`Budget`] allows. Two searchers are here:
//!
//! - [`AlphaBeta`], depth first: exact values at a fixed depth, small memory;
//! - [`Mcts`], best first, on one tree for any number of threads: for games with many moves.
//!
//! **Every value is seen from [`Player::First`]**: 1 is a win for First, −1 one for Second, whoever is to move. A
//! move need not pass the turn (a queen's step and its arrow may be two moves), so neither searcher assumes that it
//! does: a value changes sign only where [`Game::turn`] does.
//!
//! Nothing here opens a file or reads a clock; [`Mcts`] starts threads when it is told to and ends them in the same
//! call.

#![forbid(unsafe_code)]

mod alpha_beta;
mod budget;
mod evaluator;
mod game;
mod mcts;
mod report;

pub use alpha_beta::{AlphaBeta, AlphaBetaConfig};
pub use budget::{Budget, Limits, Progress};
pub use evaluator::Evaluator;
pub use game::{Game, Outcome, Player};
pub use mcts::{Mcts, MctsConfig};
pub use report::{Avoided, Line, Proof, Report, RootMove, Searcher};
