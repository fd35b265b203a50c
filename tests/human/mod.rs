//! A person as a player, with what would be typed on standard input.

mod completing;
mod entries;
mod games;
