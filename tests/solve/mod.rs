//! The solver: sets, regions, races, whole games.

mod command;
mod fillings;
mod games;
mod graphs;
mod jobs;
mod move_bounds;
mod proofs;
pub(crate) mod race;
mod races;
pub(crate) mod slow;
mod sums;
