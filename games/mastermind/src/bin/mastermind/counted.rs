//! What the protocols cost by the counts of their models, for any number of players.

use std::sync::Arc;
use std::thread;

use amazons_program::{Exit, LinePlot, TextTable};
use mastermind::Code;
use mastermind::model::{Cost, first_come, seed, shared};
use mastermind::protocol::{Body, Frame, Order, Protocol, Stamp};

use crate::bench::{BenchArgs, Measured};

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

/// Counts tests, messages and fakes of all games.
pub(crate) fn counted(args: &BenchArgs) -> Result<Measured, Exit> {
    let game = args.game;
    if game.codes() > COUNTED_MAX {
        return Err(Exit::Usage(format!("{game} has {} codes: bench counts at most {COUNTED_MAX}", game.codes())));
    }
    let order = Arc::new(Order::new(game));
    let secrets = args.secrets();
    let alone: Vec<u64> = costs(&secrets, |secret| seed(&order, secret, 1)).iter().map(|cost| cost.slowest).collect();
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
        for &players in args.players() {
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
                let sums = sums(protocol, &order, &secrets, &alone, players);
                let faster = base as f64 / sums.slowest as f64;
                table.row(row(protocol, players, sums, faster));
                faster
            };
            points.push((f64::from(players), faster));
        }
        plot.line(protocol.to_string(), points);
    }
    Ok((table, format!("protocols-{game}.svg"), plot))
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

fn sums(protocol: Protocol, order: &Arc<Order>, secrets: &[Code], alone: &[u64], players: u32) -> Sums {
    let play = |secret: Code| match protocol {
        Protocol::Seed => seed(order, secret, players),
        Protocol::FirstCome | Protocol::Shared => first_come(order, secret, protocol.parts(), players),
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
