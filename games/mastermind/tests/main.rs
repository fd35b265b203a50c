//! The tests of Mastermind.
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
