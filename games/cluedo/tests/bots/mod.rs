//! Bots against each other: laws, tables, bands.

mod answers;
pub(crate) mod direct;
mod laws;
mod long;
mod measured;
