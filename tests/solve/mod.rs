//! The solver: sets, regions, races, whole games.

mod command;
mod fillings;
mod games;
mod graphs;
mod races;
mod slow;
