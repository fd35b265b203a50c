//! Mastermind: rules, strategies and proven optima.
//!
//! ```
//! use mastermind::{Game, History};
//!
//! let game: Game = "4x6r".parse().unwrap();
//! let history = History::parse(game, "1122:10 1344:11").unwrap();
//! let left: Vec<u32> = history.fitting().collect();
//! assert_eq!(game.text(game.code(left[0])), "1455");
//! ```
#![forbid(unsafe_code)]

mod code;
mod feedback;
mod game;
mod history;
mod kernel;
pub mod model;
pub mod optimum;
pub mod protocol;
pub mod record;
mod replay;
mod review;
mod scorer;
mod strategy;
mod symmetry;
mod table;
mod tree;
mod words;

pub use code::{Code, Codes};
pub use feedback::Feedback;
pub use game::{CODES_MAX, COLOURS_MAX, Game, PEGS_MAX, ParseError, Repetition};
pub use history::{Contradiction, History, Turn};
pub use replay::{ReplayError, replay};
pub use review::{Worth, review};
pub use scorer::{Candidates, Scorer};
pub use strategy::{Choice, Guesses, Strategy};
pub use table::{Table, in_parallel};
pub use tree::{Tree, TreeError};
