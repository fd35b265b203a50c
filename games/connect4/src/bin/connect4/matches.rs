use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use amazons_program::ranks::{thread_count, usual_threads};
use amazons_program::{Exit, Interrupt};
use clap::Args;
use connect4::matches::{Pairing, PlayedGame, Results, play, schedule};
use connect4::perfect::Stop;
use connect4::{Level, LevelPlayer, Size};

use crate::board_args::seed;
use crate::match_report::write_report;
use crate::player::no_room;
use crate::progress;

#[derive(Args, Debug)]
pub(crate) struct MatchArgs {
    /// The levels: random, average:DEPTH, alphabeta:DEPTH, mcts:VISITS, perfect; each plays each
    #[arg(value_name = "LEVEL", num_args = 2.., required = true)]
    pub(crate) levels: Vec<Level>,
    /// Games of every two levels, an even number: each opening is played with both colours
    #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true, default_value_t = 100, value_parser = even)]
    games: u32,
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
    #[arg(short = 'j', long = "threads", value_name = "N", allow_negative_numbers = true, value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
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

pub(crate) fn run(args: &MatchArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let interrupt = Interrupt::catch().map_err(|error| Exit::Failure(format!("cannot catch Ctrl-C: {error}")))?;
    let pairings = schedule(args.levels.len(), args.games / 2, args.size, args.openings, args.seed);
    let pairings = pairings.map_err(Exit::usage)?;
    let mut results = Results::new(args.levels.len());
    let threads = args.threads.map_or_else(usual_threads, NonZeroUsize::get).min(pairings.len());
    let next = AtomicUsize::new(0);
    let bar = progress::bar(2 * pairings.len() as u64, "games");
    let played = thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let (sender, next, pairings, interrupt) = (sender.clone(), &next, &pairings, &interrupt);
            scope.spawn(move || {
                let (mut idle, is_stopped) = (Vec::new(), || interrupt.is_set());
                while !interrupt.is_set()
                    && let Some(pairing) = pairings.get(next.fetch_add(1, Ordering::Relaxed))
                    && sender.send((pairing, play_pair(args, pairing, &mut idle, &is_stopped))).is_ok()
                {
                }
            });
        }
        drop(sender);
        receiver.into_iter().try_for_each(|(pairing, games)| {
            let Some(games) = games.map_err(no_room)? else { return Ok(()) };
            results.add(pairing, &games);
            bar.inc(2);
            if args.json { bar.suspend(|| write_games(args, pairing, &games, out)) } else { Ok(()) }
        })
    });
    bar.finish_and_clear();
    played?;
    write_report(args, &results, out)?;
    if interrupt.is_set() {
        return Ok(Exit::Stopped);
    }
    // Perfect play that loses what it had won is a fault.
    Ok(if results.kept < results.promised { Exit::Partly } else { Exit::Success })
}

/// Plays both games of a pairing, unless stopped. Perfect players are used again: what they remember changes none of
/// their moves.
fn play_pair(
    args: &MatchArgs,
    pairing: &Pairing,
    idle: &mut Vec<LevelPlayer>,
    stop: &Stop<'_>,
) -> io::Result<Option<[PlayedGame; 2]>> {
    let mut games = Vec::new();
    for seats in [[0_u8, 1], [1, 0]] {
        let mut player = |seat: u8| {
            let level = args.levels[pairing.levels[usize::from(seat)]];
            let seed = pairing.seed ^ u64::from(seat) ^ u64::from(seats[0]) << 1;
            let known = idle.pop_if(|_| level == Level::Perfect);
            known.map_or_else(|| LevelPlayer::new(level, args.size, seed), Ok)
        };
        let (mut first, mut second) = (player(seats[0])?, player(seats[1])?);
        games.extend(play(args.size, &pairing.opening, [&mut first, &mut second], stop));
        idle.extend([first, second].into_iter().filter(|player| player.level() == Level::Perfect));
    }
    Ok(games.try_into().ok())
}

fn write_games(args: &MatchArgs, pairing: &Pairing, games: &[PlayedGame; 2], out: &mut impl Write) -> Result<(), Exit> {
    let [one, two] = pairing.levels.map(|level| args.levels[level].to_string());
    for (game, players) in games.iter().zip([[&one, &two], [&two, &one]]) {
        let line = serde_json::json!({
            "event": "game",
            "players": players,
            "opening": pairing.opening,
            "moves": game.moves,
            "result": f64::from(game.half_points()) / 2.0,
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}
