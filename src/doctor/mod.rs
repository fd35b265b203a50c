//! What this machine offers for running players safely, what is missing, what that costs, and how to get it.

mod examine;
mod finding;

pub use examine::{Examination, examine};
pub use finding::{Finding, State};
