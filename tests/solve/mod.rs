//! The solver: sets, regions, races, whole games.

mod claims;
mod command;
mod fillings;
mod games;
mod graphs;
mod races;
pub(crate) mod slow;
