//! Bots against each other: laws, tables, bands.

mod answers;
mod laws;
mod long;
mod measured;
