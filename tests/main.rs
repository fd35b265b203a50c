//! All tests, in one executable: `cargo test`, `cargo nextest run` and `install/alltests` run the same.
//!
//! Run `make install` first: the tests play with the installed server and players.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "the numbers of tests are small, and a wrong one fails"
)]

use amazons_testing as _;

mod analysis;
mod bench;
mod bridge;
mod check;
mod cli;
mod course;
mod directions;
mod engine;
mod engine_protocol;
mod formats;
mod fuzz;
mod host;
mod hostile;
mod human;
mod mpi;
mod new_player;
mod page_types;
mod player;
mod publish;
mod puzzles;
#[cfg(coverage)]
mod quiet_profile;
mod record;
mod referee;
mod rules;
mod scripts;
mod search;
mod solve;
mod start;
mod statistics;
mod support;
mod terminal;
mod tournament;
mod watch;
