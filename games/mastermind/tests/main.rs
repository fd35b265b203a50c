//! The tests of Mastermind.
mod commands;
mod model;
mod optimum;
mod protocol;
mod rules;
mod strategies;
mod terminal;
