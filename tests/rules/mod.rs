//! Boards, positions, legality, move generation, notation.

mod boards;
mod generation;
mod graphs;
mod legality;
mod notation;
mod perft;
mod random;
pub(crate) mod slow;
mod text;
