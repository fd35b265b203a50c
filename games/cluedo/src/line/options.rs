//! How a table is run.

use serde::{Deserialize, Serialize};

use crate::deal::{Deal, salt, stream};
use crate::line::delivery::Echo;
use crate::line::inbox::Framing;
use crate::line::message::Codes;

/// The consequence of a client's fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnError {
    /// The game is void; the next one is dealt.
    #[default]
    Abort,
    /// The client is out for good; the server shows its cards, the others play on.
    Forfeit,
}

/// Where deals come from.
#[derive(Clone, Debug)]
pub enum Deals {
    /// From the seed, the table and the game.
    Seed,
    Listed(Vec<Deal>),
}

/// The options of a table. Times are in microseconds; 0 means never.
#[derive(Clone, Debug)]
pub struct Options {
    pub players: usize,
    pub games: u64,
    /// The time for each answer.
    pub timeout: u64,
    /// The time until all players must be there.
    pub wait: u64,
    /// The turn limit.
    pub limit: usize,
    /// The seed of deals and of ghosts' choices.
    pub seed: u64,
    /// Whether game g begins with seat g mod N.
    pub rotates: bool,
    pub echo: Echo,
    pub codes: Codes,
    /// Whether `T`, `C` and `M` end with a blank.
    pub trailing_blank: bool,
    pub framing: Framing,
    pub on_error: OnError,
    /// How long a seat waits for a client that has left.
    pub rejoin: u64,
    pub deals: Deals,
}

/// Returns the turn limit of the rules: N^3.
pub const fn default_limit(players: usize) -> usize {
    players.pow(3)
}

impl Options {
    /// Returns the usual options.
    pub const fn new(players: usize, games: u64) -> Self {
        Self {
            players,
            games,
            timeout: 10_000_000,
            wait: 60_000_000,
            limit: default_limit(players),
            seed: 0,
            rotates: false,
            echo: Echo::Others,
            codes: Codes::Subject,
            trailing_blank: false,
            framing: Framing::Auto,
            on_error: OnError::Abort,
            rejoin: 0,
            deals: Deals::Seed,
        }
    }

    /// Returns a game's deal and the salt of its commitment.
    pub fn deal(&self, table: u64, game: u64) -> (Deal, [u8; 16]) {
        let listed = match &self.deals {
            Deals::Listed(deals) => usize::try_from(game).ok().and_then(|game| deals.get(game)).copied(),
            Deals::Seed => None,
        };
        let deal = listed.unwrap_or_else(|| Deal::course(self.players, &mut stream(self.seed, table, game, "deal")));
        (deal, salt(self.seed, table, game))
    }
}

/// Reads a time as `10s`, `500ms` or `2m`, in microseconds; a bare number is seconds.
pub fn microseconds(text: &str) -> Result<u64, String> {
    let split = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = match unit {
        "us" => 1,
        "ms" => 1_000,
        "" | "s" => 1_000_000,
        "m" => 60_000_000,
        _ => return Err("write a whole number and ms, s or m, as 500ms".to_owned()),
    };
    let time = number.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    time.filter(|&time| time <= 86_400_000_000)
        .ok_or_else(|| "write a whole number and ms, s or m, at most a day".to_owned())
}
