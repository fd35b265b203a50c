//! Connect 4: the rules, the averaged search, and perfect play.
#![forbid(unsafe_code)]

pub mod analysis;
pub mod average;
pub mod book;
pub mod book_making;
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
mod side;
mod size;
mod tasks;
mod text;

pub use book::{Book, BookChoice};
pub use choice::{Choice, Chosen, Deepened};
pub use game::OpenLines;
pub use level::{Level, LevelError};
pub use level_player::LevelPlayer;
pub use position::{Ending, MoveError, MovesError, Position};
pub use scores::ColumnScores;
pub use side::Side;
pub use size::{Size, SizeError};
pub use tasks::{DepthError, Task, TaskTree};
pub use text::excerpt;
