//! Connect 4: the rules, the averaged search, and perfect play.
#![forbid(unsafe_code)]
#![expect(missing_debug_implementations, reason = "closures have none, and nobody publishes this crate")]

pub mod analysis;
pub mod average;
pub mod book;
mod choice;
mod game;
pub mod geometry;
pub mod jobs;
mod level;
mod level_player;
pub mod matches;
pub mod model;
pub mod perfect;
pub mod perft;
mod position;
pub mod record;
mod scores;
pub mod search;
mod size;
mod tasks;

pub use amazons_search::{Outcome as Ending, Player as Side};
pub use book::{Book, BookChoice};
pub use choice::{Choice, Chosen};
pub use game::OpenLines;
pub use level::Level;
pub use level_player::LevelPlayer;
pub use position::{MoveError, MovesError, Position, letter};
pub use scores::ColumnScores;
pub use size::{Size, SizeError, excerpt};
pub use tasks::{DepthError, Task, TaskTree};
