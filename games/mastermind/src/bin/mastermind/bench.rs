//! What the protocols cost: counted for any number of players, timed for as many as there are cores.

use std::fs;
use std::io::Write;
use std::num::NonZeroU32;
use std::path::PathBuf;

use amazons_program::{Exit, Interrupt, LinePlot, Machine, SIGINT, TextTable, ranks};
use clap::Args;
use mastermind::protocol::Protocol;
use mastermind::{Code, Game};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::json;

use crate::{counted, files, heavy, timed};

#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// The protocols, with commas
    #[arg(long, value_delimiter = ',', default_values = ["seed", "first-come", "shared"])]
    pub(crate) protocol: Vec<Protocol>,
    /// Numbers of players, such as 1..10 or 2,4
    #[arg(long, default_value = "1..10", value_parser = numbers)]
    players: Numbers,
    /// Pegs x colours, and r (a colour may repeat) or n (it may not)
    #[arg(long, value_name = "PxCr|PxCn", default_value = "4x10n")]
    pub(crate) game: Game,
    /// How many secrets to play: all or a number, drawn by --seed
    #[arg(long, default_value = "all", value_parser = how_many)]
    games: HowMany,
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
    /// Print comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Draw a plot into this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
}

/// Numbers of players, in order.
#[derive(Clone, Debug)]
pub(crate) struct Numbers(pub(crate) Vec<u32>);

/// How many secrets are played; `None` for all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HowMany(Option<u32>);

const PLAYERS_MAX: u32 = 1024;

fn numbers(text: &str) -> Result<Numbers, String> {
    let number = |text: &str| text.parse().ok().filter(|number| (1..=PLAYERS_MAX).contains(number));
    let range = |part: &str| match part.split_once("..") {
        None => number(part).map(|one| one..=one),
        Some((from, to)) => Some(number(from)?..=number(to)?),
    };
    let parts: Option<Vec<_>> = text.split(',').map(range).collect();
    let all: Vec<u32> = parts.unwrap_or_default().into_iter().flatten().collect();
    if all.is_empty() {
        Err(format!("write numbers of players from 1 to {PLAYERS_MAX}, such as 1..10 or 2,4"))
    } else {
        Ok(Numbers(all))
    }
}

fn how_many(text: &str) -> Result<HowMany, String> {
    match (text, text.parse::<NonZeroU32>()) {
        ("all", _) => Ok(HowMany(None)),
        (_, Ok(number)) => Ok(HowMany(Some(number.get()))),
        _ => Err("write all or a number of games from 1 on".to_owned()),
    }
}

impl BenchArgs {
    /// The numbers of players, or of ranks.
    pub(crate) fn players(&self) -> &[u32] {
        &self.players.0
    }

    /// The secrets to play, as they are drawn.
    pub(crate) fn secrets(&self) -> Vec<Code> {
        let mut all: Vec<u32> = (0..self.game.codes()).collect();
        if let HowMany(Some(number)) = self.games {
            let (drawn, _) = all.partial_shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(self.seed), number as usize);
            all = drawn.to_vec();
        }
        all.into_iter().map(|index| self.game.code(index)).collect()
    }
}

/// A table, and its plot with the name of a file.
pub(crate) type Measured = (TextTable, String, LinePlot);

pub(crate) fn run(args: &BenchArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    if let Some(folder) = &args.svg {
        // Before the long work, and on all ranks: they would wait for one that ends before they have met.
        fs::create_dir_all(folder).map_err(|error| Exit::unwritable(folder, &error))?;
    }
    let tables = measured(args)?;
    if !ranks::is_first() {
        return Ok(Exit::Success);
    }
    let machine = Machine::here();
    if args.json {
        let tables: Vec<_> =
            tables.iter().map(|(table, ..)| json!({ "title": table.title(), "rows": table.to_json() })).collect();
        let version = env!("CARGO_PKG_VERSION");
        writeln!(out, "{}", json!({ "version": version, "machine": machine.to_json(), "tables": tables }))?;
    } else if args.csv {
        let tables: Vec<_> = tables.iter().map(|(table, ..)| table.to_csv()).collect();
        write!(out, "{}", tables.join("\n"))?;
    } else {
        writeln!(out, "mastermind {}, {machine}", env!("CARGO_PKG_VERSION"))?;
        tables.iter().try_for_each(|(table, ..)| write!(out, "\n{}", table.to_text()))?;
    }
    if let Some(folder) = &args.svg {
        tables.iter().try_for_each(|(_, name, plot)| files::write(&folder.join(name), &plot.to_svg()))?;
    }
    Ok(Exit::Success)
}

/// Measures what is asked for; rank 0 gets the tables.
fn measured(args: &BenchArgs) -> Result<Vec<Measured>, Exit> {
    if let Some(game) = args.scoring {
        return Ok(heavy::scoring(args, game)?.into_iter().collect());
    }
    if let Some(game) = args.optimum {
        return Ok(heavy::optimum(args, game)?.into_iter().collect());
    }
    let timed = timed::plan(args)?;
    Interrupt::end_at_once(&[SIGINT]).map_err(Exit::failure)?;
    let mut tables = Vec::new();
    if ranks::is_first() {
        tables.push(counted::counted(args)?);
    }
    tables.extend(timed.run()?);
    Ok(tables)
}
