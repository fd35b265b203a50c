//! Cluedo, two ways: a table of ranks with the classic 21 cards, and a server of lines for bots.
#![forbid(unsafe_code)]

pub mod bots;
pub mod deck;
pub mod knowledge;
pub mod line;
pub mod pack;
pub mod table;
