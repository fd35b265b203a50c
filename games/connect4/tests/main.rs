//! The tests of Connect 4.

use amazons_testing as _;

mod analysis;
mod average;
mod bench;
mod book;
mod choice;
mod errors;
mod launched;
mod levels;
mod matches;
mod model;
mod perfect;
mod record;
mod rules;
mod search;
mod shared;
mod solve;
mod stopping;
mod support;
mod terminal;
mod web;
