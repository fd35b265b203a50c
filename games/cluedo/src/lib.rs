//! Cluedo, two ways: a table of ranks with the classic 21 cards, and a server of lines for bots.
#![forbid(unsafe_code)]

pub mod assist;
pub mod bots;
pub mod card_names;
pub mod deck;
pub mod game;
pub mod knowledge;
pub mod line;
pub mod names;
pub mod record;
pub mod table;
pub mod tournament;
