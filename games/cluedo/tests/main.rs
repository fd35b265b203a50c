//! The tests of Cluedo.

use amazons_testing as _;

mod assist;
mod bots;
mod deck;
mod dialogue;
mod faults;
mod hint;
mod input_files;
mod knowledge;
mod laws;
mod line;
mod notebook;
mod play;
mod ranks;
mod reasoning;
mod support;
mod timing;
mod tournament;
mod twins;
mod web;
