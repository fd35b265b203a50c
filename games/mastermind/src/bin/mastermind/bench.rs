//! What the protocols cost: counted for any number of players, timed for as many as there are cores.

use std::io::Write;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use amazons_program::{Exit, LinePlot, Machine, TextTable};
use clap::Args;
use mastermind::model::{Cost, first_come, seed, shared};
use mastermind::protocol::{Body, Frame, Order, Parts, Pick, Protocol, Stamp};
use mastermind::{Code, Game};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::json;

use crate::timing;

#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// The protocols, with commas
    #[arg(long, value_delimiter = ',', default_values = ["seed", "first-come", "shared"])]
    protocol: Vec<Protocol>,
    /// Numbers of players, such as 1..10 or 2,4
    #[arg(long, default_value = "1..10", value_parser = numbers)]
    players: Numbers,
    /// Pegs x colours, and r (a colour may repeat) or n (it may not)
    #[arg(long, value_name = "PxCr|PxCn", default_value = "4x10n")]
    game: Game,
    /// How many secrets to play: all or a number, drawn by --seed
    #[arg(long, default_value = "all", value_parser = how_many)]
    games: HowMany,
    /// Let players of seed own codes in turn instead of those with their first colours
    #[arg(long)]
    interleaved: bool,
    /// Let the master of seed pick random proposals
    #[arg(long)]
    random: bool,
    /// Draw secrets and picks by this number
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
    /// The numbers of ranks to time.
    pub(crate) fn ranks(&self) -> &[u32] {
        &self.players.0
    }
}

/// The most codes for counted games.
const COUNTED_MAX: u32 = 1_000_000;

/// The sums over all games of a protocol with a number of players.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    games: u64,
    guesses: u64,
    slowest: u64,
    tests: u64,
    proposals: u64,
    fakes: u64,
    slower: u64,
}

impl Sums {
    fn add(&mut self, cost: &Cost, alone: u64) {
        self.games += 1;
        self.guesses += cost.guesses.len() as u64;
        self.slowest += cost.slowest;
        self.tests += cost.tests;
        self.proposals += cost.proposals;
        self.fakes += cost.fakes;
        self.slower += u64::from(cost.slowest > alone);
    }

    fn join(self, other: Self) -> Self {
        Self {
            games: self.games + other.games,
            guesses: self.guesses + other.guesses,
            slowest: self.slowest + other.slowest,
            tests: self.tests + other.tests,
            proposals: self.proposals + other.proposals,
            fakes: self.fakes + other.fakes,
            slower: self.slower + other.slower,
        }
    }
}

pub(crate) fn run(args: &BenchArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let (table, plot) = match (args.scoring, args.optimum) {
        (Some(game), _) => timing::scoring(args, game)?,
        (_, Some(game)) => timing::optimum(args, game)?,
        _ if !amazons_program::ranks::is_first() => return Ok(Exit::Success),
        _ => counted(args)?,
    };
    if !amazons_program::ranks::is_first() {
        return Ok(Exit::Success);
    }
    let machine = Machine::here();
    if args.json {
        let value = json!({
            "version": env!("CARGO_PKG_VERSION"), "machine": machine.to_json(),
            "title": table.title(), "rows": table.to_json(),
        });
        writeln!(out, "{value}")?;
    } else if args.csv {
        write!(out, "{}", table.to_csv())?;
    } else {
        writeln!(out, "mastermind {}, {machine}\n", env!("CARGO_PKG_VERSION"))?;
        write!(out, "{}", table.to_text())?;
    }
    args.svg.as_deref().map_or(Ok(()), |folder| draw(folder, args, &plot))?;
    Ok(Exit::Success)
}

fn draw(folder: &Path, args: &BenchArgs, plot: &LinePlot) -> Result<(), Exit> {
    let name = match (args.scoring, args.optimum) {
        (Some(game), _) => format!("scoring-{game}.svg"),
        (_, Some(game)) => format!("optimum-{game}.svg"),
        _ => format!("protocols-{}.svg", args.game),
    };
    let file = folder.join(name);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&file, plot.to_svg()))
        .map_err(|error| Exit::Failure(format!("cannot write {}: {error}", file.display())))
}

/// Counts tests, messages and fakes of all games.
fn counted(args: &BenchArgs) -> Result<(TextTable, LinePlot), Exit> {
    let game = args.game;
    if game.codes() > COUNTED_MAX {
        return Err(Exit::Usage(format!("{game} has {} codes: bench counts at most {COUNTED_MAX}", game.codes())));
    }
    let order = Arc::new(Order::new(game));
    let secrets = secrets(args);
    let random = |_| Xoshiro256PlusPlus::seed_from_u64(args.seed);
    let alone = costs(&secrets, |secret| seed(&order, secret, Parts::Interleaved, 1, Pick::Lowest, &mut random(0)));
    let alone: Vec<u64> = alone.iter().map(|cost| cost.slowest).collect();
    let base: u64 = alone.iter().sum();
    let head = [
        "protocol",
        "players",
        "games",
        "guesses",
        "slowest",
        "tests",
        "gathered",
        "broadcast",
        "proposals",
        "answers",
        "bytes",
        "fakes",
        "slower",
        "speed-up",
    ];
    let title = format!("{game}: {} games, counted in tests of a code against an answer", secrets.len());
    let (mut table, mut plot) = (TextTable::new(title, head), LinePlot::new("speed-up", "players", "times"));
    for &protocol in &args.protocol {
        let mut points = Vec::new();
        for &players in &args.players.0 {
            let faster = if protocol == Protocol::Shared {
                let load = shared(game.codes().into(), players.into(), 64);
                let mut row = vec![protocol.to_string(), players.to_string(), load.guesses.to_string()];
                row =
                    [&row[..2], &["-".into(), "-".into(), load.busiest.to_string(), load.guesses.to_string()]].concat();
                row.extend(std::iter::repeat_n("-".to_owned(), 6));
                row.extend(["0".to_owned(), format!("{:.3}", load.speed_up())]);
                table.row(row);
                load.speed_up()
            } else {
                let sums = sums(args, protocol, &order, &secrets, &alone, players);
                let faster = base as f64 / sums.slowest as f64;
                table.row(row(protocol, players, sums, faster));
                faster
            };
            points.push((f64::from(players), faster));
        }
        plot.line(protocol.to_string(), points);
    }
    Ok((table, plot))
}

fn secrets(args: &BenchArgs) -> Vec<Code> {
    let mut all: Vec<u32> = (0..args.game.codes()).collect();
    if let HowMany(Some(number)) = args.games {
        let (drawn, _) = all.partial_shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(args.seed), number as usize);
        all = drawn.to_vec();
    }
    all.into_iter().map(|index| args.game.code(index)).collect()
}

/// Plays the secrets on two threads; the costs keep their order.
fn costs(secrets: &[Code], play: impl Fn(Code) -> Cost + Sync) -> Vec<Cost> {
    let play = &play;
    let half = secrets.len().div_ceil(2).max(1);
    thread::scope(|scope| {
        let parts: Vec<_> = secrets
            .chunks(half)
            .map(|part| scope.spawn(move || part.iter().map(|&secret| play(secret)).collect::<Vec<_>>()))
            .collect();
        parts.into_iter().flat_map(|part| part.join().unwrap_or_default()).collect()
    })
}

fn sums(
    args: &BenchArgs,
    protocol: Protocol,
    order: &Arc<Order>,
    secrets: &[Code],
    alone: &[u64],
    players: u32,
) -> Sums {
    let play = |secret: Code| match protocol {
        Protocol::Seed => {
            let parts = if args.interleaved { Parts::Interleaved } else { Parts::FirstColour };
            let pick = if args.random { Pick::Random } else { Pick::Lowest };
            let index = args.game.index(secret).unwrap_or_default();
            let mut random = Xoshiro256PlusPlus::seed_from_u64(args.seed ^ u64::from(index));
            seed(order, secret, parts, players, pick, &mut random)
        }
        Protocol::FirstCome | Protocol::Shared => first_come(order, secret, Parts::Interleaved, players),
    };
    let costs = costs(secrets, play);
    let one = |(cost, alone): (&Cost, &u64)| {
        let mut sums = Sums::default();
        sums.add(cost, *alone);
        sums
    };
    costs.iter().zip(alone).map(one).fold(Sums::default(), Sums::join)
}

fn row(protocol: Protocol, players: u32, sums: Sums, faster: f64) -> Vec<String> {
    let length = |body| Frame { stamp: Stamp::default(), body }.encode().len() as u64;
    let players_long = u64::from(players);
    // The report's Gather and its two Bcasts are a message for each player.
    let (gathered, broadcast) = match protocol {
        Protocol::Seed => (sums.guesses * players_long, 2 * sums.guesses * players_long),
        Protocol::FirstCome | Protocol::Shared => (0, 0),
    };
    let answers = (sums.guesses - sums.games) * players_long;
    let bytes = sums.proposals * length(Body::Propose { index: 0, tests: 0 })
        + sums.fakes * length(Body::Empty { tests: 0 })
        + answers * length(Body::Answer { index: 0, blacks: 0, whites: 0 });
    let numbers = [
        u64::from(players),
        sums.games,
        sums.guesses,
        sums.slowest,
        sums.tests,
        gathered,
        broadcast,
        sums.proposals,
        answers,
        bytes,
        sums.fakes,
        sums.slower,
    ];
    let mut row = vec![protocol.to_string()];
    row.extend(numbers.map(|number| number.to_string()));
    row.push(format!("{faster:.3}"));
    row
}
