//! What all tests share: a start that does not depend on the caller, waits that end, and skips that a person sees.

mod ends;
mod skips;
mod start;

pub use ends::{output_of, output_within, status_of};
pub use skips::skip;
