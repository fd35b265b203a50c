//! Cluedo, two ways: the classic game with 21 cards over ranks, and a server of lines for bots.
#![forbid(unsafe_code)]

pub mod assist;
pub mod bots;
pub mod card_names;
pub mod classic;
pub mod deal;
pub mod deck;
mod fail;
pub mod game;
pub mod knowledge;
pub mod line;
pub mod names;
pub mod record;
mod seats;
pub mod tournament;
