//! The cost of the protocols by the counts of their models, for any number of players.

use std::sync::Arc;

use amazons_mpi::encode;
use amazons_program::ranks::usual_threads;
use amazons_program::speedup::{Report, Speedup};
use amazons_program::{LinePlot, TextTable};
use mastermind::model::{Cost, first_come, seed, shared};
use mastermind::protocol::{Body, Frame, Order, Protocol, Stamp};
use mastermind::{Code, in_parallel};

use crate::bench_args::BenchArgs;

const HEAD: &str = "protocol players games guesses slowest tests gathered broadcast proposals answers bytes fakes slower \
                    speed-up";

/// Counts tests, messages and fakes of all games.
pub(crate) fn count(args: &BenchArgs, report: &mut Report) {
    let game = args.game;
    let order = Arc::new(Order::new(game));
    let secrets = args.secrets();
    let costs = |play: &(dyn Fn(Code) -> Cost + Sync)| in_parallel(secrets.clone(), usual_threads(), play);
    let alone = costs(&|secret| seed(&order, secret, 1));
    let title = format!("{game}: {} games, counted in tests of a code against an answer", secrets.len());
    let (mut table, mut plot) = (TextTable::new(title, HEAD.split(' ')), LinePlot::new("speed-up", "players", "times"));
    for &protocol in &args.protocol {
        let mut points = Vec::new();
        for &players in &args.players {
            let (counts, factor): (Vec<String>, f64) = match protocol {
                Protocol::Shared => {
                    let load = shared(game.codes().into(), players.into(), 64);
                    let (guesses, busiest) = (load.guesses.to_string(), load.busiest.to_string());
                    let counts = ["-", "-", &busiest, &guesses, "-", "-", "-", "-", "-", "-", "0"];
                    (counts.map(str::to_owned).into(), load.speed_up())
                }
                Protocol::Seed | Protocol::FirstCome => {
                    let costs = costs(&|secret| match protocol {
                        Protocol::Seed => seed(&order, secret, players),
                        _ => first_come(&order, secret, protocol.parts(), players),
                    });
                    counts(protocol, players, &costs, &alone)
                }
            };
            let names = [protocol.to_string(), players.to_string()];
            table.row(names.into_iter().chain(counts).chain([format!("{factor:.3}")]));
            points.push((f64::from(players), factor));
        }
        plot.line(protocol.to_string(), points);
    }
    report.tables.push(table);
    report.plots.push((format!("protocols-{game}.svg"), plot));
}

/// Returns the counts of a row from the games on, and the speed-up against one player's costs.
fn counts(protocol: Protocol, players: u32, costs: &[Cost], alone: &[Cost]) -> (Vec<String>, f64) {
    let sum = |count: fn(&Cost) -> u64| costs.iter().map(count).sum::<u64>();
    let (guesses, slowest) = (sum(|cost| cost.guesses.len() as u64), sum(|cost| cost.slowest));
    let (proposals, fakes) = (sum(|cost| cost.proposals), sum(|cost| cost.fakes));
    let (games, players) = (costs.len() as u64, u64::from(players));
    // The report's Gather and its two Bcasts are a message for each player.
    let rounds = if protocol == Protocol::Seed { guesses } else { 0 };
    let answers = (guesses - games) * players;
    let length = |body| encode(&Frame { stamp: Stamp::default(), body }).map_or(0, |bytes| bytes.len() as u64);
    let bytes = proposals * length(Body::Propose { index: 0, tests: 0 })
        + fakes * length(Body::Empty { tests: 0 })
        + answers * length(Body::Answer { index: 0, blacks: 0, whites: 0 });
    let slower = costs.iter().zip(alone).filter(|(cost, alone)| cost.slowest > alone.slowest).count() as u64;
    let counts = [
        games,
        guesses,
        slowest,
        sum(|cost| cost.tests),
        rounds * players,
        2 * rounds * players,
        proposals,
        answers,
        bytes,
        fakes,
        slower,
    ];
    let base: u64 = alone.iter().map(|cost| cost.slowest).sum();
    (counts.map(|count| count.to_string()).into(), Speedup::new(base as f64, slowest as f64, 1).factor)
}
