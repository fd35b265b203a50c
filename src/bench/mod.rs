//! Fixed work for the engine: what it counts is the same on every machine, how long it takes is not.

mod evaluating;
mod searching;

pub use evaluating::{Evaluated, evaluate};
pub use searching::{Searched, best_first, depth_first};
