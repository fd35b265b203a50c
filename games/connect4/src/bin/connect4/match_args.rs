use std::num::NonZeroUsize;

use clap::Args;
use connect4::{Level, Size};

use crate::board_args::seed;

#[derive(Args, Debug)]
pub(crate) struct MatchArgs {
    /// The levels: random, average:DEPTH, alphabeta:DEPTH, mcts:VISITS, perfect; each plays each
    #[arg(value_name = "LEVEL", num_args = 2.., required = true)]
    pub(crate) levels: Vec<Level>,
    /// Games of every two levels, an even number: each opening is played with both colours
    #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true, default_value_t = 100, value_parser = even)]
    pub(crate) games: u32,
    /// Random plies before the levels play
    #[arg(long, value_name = "PLIES", allow_negative_numbers = true, default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=60))]
    pub(crate) openings: u32,
    /// The seed of openings and random moves
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1, value_parser = seed)]
    pub(crate) seed: u64,
    /// Columns and rows
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t)]
    pub(crate) size: Size,
    /// Games at a time (default: one for each core)
    #[arg(short = 'j', long = "threads", value_name = "N", allow_negative_numbers = true, value_parser = amazons_program::ranks::thread_count)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Print a line for each pair of levels as CSV
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Print JSON Lines: each game, then the results
    #[arg(long)]
    pub(crate) json: bool,
}

/// Maximum number of games between two levels.
const MAX_GAMES: u32 = 1_000_000;

fn even(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number: &u32| (2..=MAX_GAMES).contains(number) && number.is_multiple_of(2));
    number.ok_or_else(|| format!("games come in pairs: name an even number from 2 to {MAX_GAMES}"))
}
