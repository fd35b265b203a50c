//! The fewest guesses in sum over all secrets, by branch and bound.
//!
//! A set of codes costs one guess for each of them plus the costs of the parts that the best guess makes. A lower bound
//! follows from the sizes of the parts; guesses are tried in the order of their bounds until none is better than what
//! is known. Costs of sets are remembered, since different guesses lead to the same sets.
//!
//! | | |
//! |---|---|
//! | [`Solver`] | what all threads of a process share: answers of all pairs, sets already solved |
//! | [`prove`] | rank 0's side: parts of first guesses, and second guesses for them, are jobs for all ranks |
//! | [`Outcome`] | the optimum with a tree, or bounds if the search was stopped |

mod board;
mod leader;
mod memo;
mod search;
mod solver;

pub use leader::{Outcome, Progress, prove};
pub use solver::{Job, Settings, Solved, Solver};
