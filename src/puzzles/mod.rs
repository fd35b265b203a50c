//! Positions of played games in which exactly one move wins, and another one looks best.

mod finder;
mod page;
mod puzzle;

pub use finder::Finder;
pub(crate) use page::PuzzleView;
pub use page::page;
pub use puzzle::{Puzzle, Refutation, Source};
