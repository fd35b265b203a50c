//! A person as a player, with input on standard input.

mod completing;
mod entries;
mod games;
