use std::convert::Infallible;
use std::io::Write;
use std::time::Duration;

use amazons_mpi::{Deadline, Keep, MpiWorld, Start, ThreadWorld, TracedWorld, World, decode, encode};
use amazons_program::{Exit, TextTable, speedup::Stopwatch};
use clap::Args;
use cluedo::classic::{
    AiType, Cell, Deal, LineUp, Master, Person, SeatedAi, Setup, Streams, host, play, seat_ai, serve,
};
use cluedo::game::{Asking, Event, Seats};

use crate::play::abort;
use crate::values;

#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// Games over ranks
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) games: u64,
    /// Games by direct calls
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) direct: u64,
    /// How many AIs play
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=5))]
    pub(crate) ais: u8,
    /// Their type
    #[arg(long = "type", value_name = "TYPE", default_value = "default", value_parser = values::ai_types())]
    pub(crate) ai_type: AiType,
    /// Where all random numbers come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

const AI_TIME: Duration = Duration::from_secs(60);

/// Rank 0 of AIs alone.
struct Nobody;

impl Person for Nobody {
    type Error = Infallible;
}

struct Speed {
    games: u64,
    processor: Duration,
    wall: Duration,
    messages: u64,
}

/// Plays the same games by direct calls, over threads, and over MPI under a launcher, and compares their events.
pub(crate) fn run(args: &BenchArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    match MpiWorld::start() {
        Start::Joined(world) if world.size() <= usize::from(args.ais) => {
            let reason = format!("{} AIs need {} ranks or more", args.ais, args.ais + 1);
            let exit = if world.rank() == 0 { Err(Exit::Usage(reason)) } else { Ok(Exit::Success) };
            world.leave().map_err(Exit::failure)?;
            exit
        }
        Start::Joined(mut world) => {
            let speed = over_ranks(args, &mut world);
            let done = match &speed {
                Ok(speed) if world.rank() == 0 => report(args, "MPI", speed, out),
                Ok(_) => Ok(Exit::Success),
                Err(exit) => {
                    abort(&mut world, exit);
                    Err(exit.clone())
                }
            };
            world.leave().map_err(Exit::failure)?;
            done
        }
        Start::Unable { reason, .. } => Err(Exit::Failure(reason)),
        Start::Alone => {
            let ranks = usize::from(args.ais) + 1;
            let mut results = ThreadWorld::run(ranks, |world| over_ranks(args, world)).into_iter();
            let first = results.next().unwrap_or_else(|| Err(Box::new("no rank")));
            let speed = first.map_err(|_| Exit::failure("rank 0 has failed"))??;
            report(args, "threads", &speed, out)
        }
    }
}

fn report(args: &BenchArgs, world: &str, speed: &Speed, out: &mut impl Write) -> Result<Exit, Exit> {
    let direct = direct(args);
    writeln!(out, "{} AIs of type {}, seed {}", args.ais, args.ai_type.name(), args.seed)?;
    let mut table = TextTable::of_names(["world", "games", "games/s of CPU", "games/s", "messages", "CPU, direct=1"]);
    let per_game = |speed: &Speed| speed.processor.as_secs_f64() / speed.games as f64;
    for (name, speed) in [("direct", &direct), (world, speed)] {
        let of_processor = format!("{:.0}", 1.0 / per_game(speed));
        let of_time = format!("{:.0}", speed.games as f64 / speed.wall.as_secs_f64());
        let messages = format!("{:.1}", speed.messages as f64 / speed.games as f64);
        let ratio = format!("{:.1}", per_game(speed) / per_game(&direct));
        table.row([name.to_owned(), speed.games.to_string(), of_processor, of_time, messages, ratio]);
    }
    write!(out, "{}", table.to_text())?;
    writeln!(out, "the games over ranks are the same as by direct calls, event by event")?;
    Ok(Exit::Success)
}

fn direct(args: &BenchArgs) -> Speed {
    let cell = Cell::new(LineUp::uniform(args.ai_type, args.ais.into()), Asking::Cyclic);
    let watch = Stopwatch::of_process();
    let tally = cell.play(args.seed, 0..args.direct);
    Speed { games: tally.games, processor: watch.busy(), wall: watch.time(), messages: 0 }
}

/// Plays the games on the ranks of a world; rank 0 compares them with direct calls.
fn over_ranks(args: &BenchArgs, world: &mut impl World) -> Result<Speed, Exit> {
    let rank = world.rank();
    let mut world = TracedWorld::new(world, Keep::Counts);
    world.barrier(Deadline::NEVER).map_err(Exit::failure)?;
    let watch = Stopwatch::of_process();
    let mut played: Vec<Vec<Event>> = Vec::new();
    for game in 0..args.games {
        if rank == 0 {
            let mut events = Vec::new();
            let watch = |event: &Event| {
                events.push(*event);
                Ok(())
            };
            let master = Master::new(setup(args, game));
            host(&mut world, &master, &mut Nobody, watch, AI_TIME).map_err(Exit::failure)?;
            played.push(events);
        } else {
            serve(&mut world, seat_ai, AI_TIME).map_err(Exit::failure)?;
        }
        // No message of the next game may arrive in this one.
        world.barrier(Deadline::NEVER).map_err(Exit::failure)?;
    }
    let (wall, own) = (watch.time(), watch.busy());
    let sent = world.trace().all_sent().messages;
    let bytes = encode(&(own, sent)).map_err(Exit::failure)?;
    let reports = world.gather(0, bytes, Deadline::NEVER).map_err(Exit::failure)?;
    let reports = reports.iter().map(|bytes| decode(bytes)).collect::<Result<Vec<(Duration, u64)>, _>>();
    let reports = reports.map_err(Exit::failure)?;
    if let Some(game) = (0..args.games).zip(&played).find(|(game, events)| **events != directly(args, *game)) {
        return Err(Exit::failure(format!("game {} over ranks is not the same as by direct calls", game.0)));
    }
    // Threads share the clock of one process.
    let processes =
        if amazons_mpi::Launch::from_env().is_some_and(|launch| launch.size > 1) { reports.len() } else { 1 };
    let processor = reports.iter().take(processes).map(|(busy, _)| *busy).sum();
    let messages = reports.iter().map(|(_, sent)| *sent).sum();
    Ok(Speed { games: args.games, processor, wall, messages })
}

fn setup(args: &BenchArgs, game: u64) -> Setup {
    let ais = usize::from(args.ais);
    let streams = Streams { seed: args.seed, game };
    Setup { seats: Seats::ais_alone(ais), ais: vec![args.ai_type; ais], streams, stays: false }
}

fn directly(args: &BenchArgs, game: u64) -> Vec<Event> {
    let Setup { seats, streams, .. } = setup(args, game);
    let deal = Deal::classic(seats, &mut streams.deal());
    let ai = |rank: usize| SeatedAi::new(seats, rank, args.ai_type, deal.hand(rank), streams.player(rank));
    let mut events = Vec::new();
    play(&deal, Asking::Cyclic, &mut seats.ranks().map(ai).collect::<Vec<_>>(), |event| events.push(event));
    events
}
