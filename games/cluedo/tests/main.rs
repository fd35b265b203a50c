//! The tests of Cluedo.
mod bots;
mod deck;
mod faults;
mod knowledge;
mod laws;
mod line;
mod notebook;
mod play;
mod ranks;
mod support;
mod twins;
