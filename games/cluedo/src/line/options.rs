//! How a table is run.

use std::sync::Arc;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::deal::{Deal, salt, stream};
use crate::line::inbox::Framing;
use crate::line::message::{Codes, Echo};

/// The consequence of a client's fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum OnError {
    /// The game is void; the next one is dealt.
    #[default]
    Abort,
    /// The client is out for good; the server shows its cards, the others play on.
    Forfeit,
}

/// The options of a table. Times are in microseconds; 0 means never. Records tell those that clients notice.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    #[arg(skip)]
    #[serde(skip)]
    pub players: usize,
    #[arg(skip)]
    pub games: u64,
    /// The time for each answer, as 10s or 500ms; 0 waits for ever
    #[arg(long, default_value = "10s", value_parser = microseconds)]
    pub timeout: u64,
    /// How long a seat waits for a client that has left and whose login has a secret part, as name#secret; if it was
    /// asked, its first return renews the time for that answer, and later returns do not
    #[arg(long, default_value = "0s", value_parser = microseconds)]
    pub rejoin: u64,
    /// The seats that hear a hypothesis
    #[arg(long, default_value = "others", value_enum)]
    pub echo: Echo,
    /// The numbers of errors
    #[arg(long, default_value = "subject", value_enum)]
    pub codes: Codes,
    /// End T, C and M with a blank
    #[arg(long)]
    pub trailing_blank: bool,
    /// How clients end their lines; auto also understands clients that do not end them
    #[arg(long, default_value = "auto", value_enum)]
    pub framing: Framing,
    /// After a client's fault: the game is void, or only that client is out
    #[arg(long, default_value = "abort", value_enum)]
    pub on_error: OnError,
    /// The time until all players must be there; 0 waits for ever
    #[arg(long, default_value = "60s", value_parser = microseconds)]
    #[serde(skip)]
    pub wait: u64,
    /// Let game g begin with seat g mod N instead of seat 0
    #[arg(long = "rotate-start")]
    #[serde(skip)]
    pub rotates: bool,
    #[arg(skip)]
    #[serde(skip)]
    pub limit: usize,
    /// The seed of deals and of ghosts' choices.
    #[arg(skip)]
    #[serde(skip)]
    pub seed: u64,
    /// The deals of the first games; the seed, the table and the game make the others.
    #[arg(skip)]
    #[serde(skip)]
    pub deals: Arc<[Deal]>,
}

/// Returns the turn limit of the rules: N^3.
pub const fn default_limit(players: usize) -> usize {
    players.pow(3)
}

impl Options {
    pub fn new(players: usize, games: u64) -> Self {
        let (timeout, wait, limit) = (10_000_000, 60_000_000, default_limit(players));
        Self { players, games, timeout, wait, limit, ..Self::default() }
    }

    /// Returns a game's deal and the salt of its commitment.
    pub fn deal(&self, table: u64, game: u64) -> (Deal, [u8; 16]) {
        let listed = usize::try_from(game).ok().and_then(|game| self.deals.get(game)).copied();
        let deal = listed.unwrap_or_else(|| Deal::course(self.players, &mut stream(self.seed, table, game, "deal")));
        (deal, salt(self.seed, table, game))
    }
}

/// Why a text is no time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TimeError {
    #[error("write a whole number and ms, s or m, as 500ms")]
    Unit,
    #[error("write a whole number and ms, s or m, at most a day")]
    Number,
}

/// Reads a time as `10s`, `500ms` or `2m`, in microseconds; a bare number is seconds.
pub fn microseconds(text: &str) -> Result<u64, TimeError> {
    let split = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = match unit {
        "us" => 1,
        "ms" => 1_000,
        "" | "s" => 1_000_000,
        "m" => 60_000_000,
        _ => return Err(TimeError::Unit),
    };
    let time = number.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    time.filter(|&time| time <= 86_400_000_000).ok_or(TimeError::Number)
}
