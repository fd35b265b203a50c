//! Proofs of who wins, as lists of moves that are checked without a search.

mod ruled;
mod seen;
mod verify;
mod write;

pub use verify::{Refuted, verify_proof};
pub use write::ProofMoves;
pub(crate) use write::write;
