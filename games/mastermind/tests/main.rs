//! The tests of Mastermind.

use amazons_testing as _;

mod bench;
mod commands;
mod launched;
mod model;
mod optimum;
mod pages;
mod protocol;
mod rules;
mod stopping;
mod strategies;
mod support;
mod terminal;
