use std::num::NonZeroU32;

use amazons_program::speedup::ReportArgs;
use clap::Args;
use mastermind::protocol::Protocol;
use mastermind::{Code, Game};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_xoshiro::Xoshiro256PlusPlus;

#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// The protocols, with commas
    #[arg(long, value_delimiter = ',', default_values = ["seed", "first-come", "shared"])]
    pub(crate) protocol: Vec<Protocol>,
    /// Numbers of players, such as 1..10 or 2,4
    #[arg(long, default_value = "1..10", value_parser = numbers)]
    pub(crate) players: std::vec::Vec<u32>,
    /// Pegs x colours, and r (a colour may repeat) or n (it may not)
    #[arg(long, value_name = "PxCr|PxCn", default_value = "4x10n")]
    pub(crate) game: Game,
    /// How many secrets to play: all or a number, drawn by --seed
    #[arg(long, default_value = "all", value_parser = how_many)]
    games: NonZeroU32,
    /// How many of the games to play on real ranks and time, at most; 0 for none
    #[arg(long, value_name = "GAMES", default_value = "100")]
    pub(crate) timed: usize,
    /// Draw secrets by this number
    #[arg(long, default_value = "1")]
    pub(crate) seed: u64,
    /// Time the first move of a game, with every guess scored
    #[arg(long, value_name = "GAME", conflicts_with = "optimum")]
    pub(crate) scoring: Option<Game>,
    /// Time the proof of a game's optimum
    #[arg(long, value_name = "GAME")]
    pub(crate) optimum: Option<Game>,
    /// How often to time each number of ranks; the fastest counts
    #[arg(long, default_value = "5")]
    pub(crate) repeat: NonZeroU32,
    /// Time more ranks than there are cores
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

const MAX_PLAYERS: u32 = 1024;

fn numbers(text: &str) -> Result<Vec<u32>, String> {
    let number = |text: &str| text.parse().ok().filter(|number| (1..=MAX_PLAYERS).contains(number));
    let range = |part: &str| match part.split_once("..") {
        None => number(part).map(|one| one..=one),
        Some((from, to)) => Some(number(from)?..=number(to)?),
    };
    let parts: Option<Vec<_>> = text.split(',').map(range).collect();
    let all: Vec<u32> = parts.unwrap_or_default().into_iter().flatten().collect();
    if all.is_empty() {
        Err(format!("write numbers of players from 1 to {MAX_PLAYERS}, such as 1..10 or 2,4"))
    } else {
        Ok(all)
    }
}

fn how_many(text: &str) -> Result<NonZeroU32, String> {
    let number = if text == "all" { Ok(NonZeroU32::MAX) } else { text.parse() };
    number.map_err(|_| "write all or a number of games from 1 on".to_owned())
}

impl BenchArgs {
    /// The secrets to play, as they are drawn.
    pub(crate) fn secrets(&self) -> Vec<Code> {
        let mut all: Vec<u32> = (0..self.game.codes()).collect();
        if self.games < NonZeroU32::MAX {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
            all = all.partial_shuffle(&mut random, self.games.get() as usize).0.to_vec();
        }
        all.into_iter().map(|index| self.game.code(index)).collect()
    }
}
