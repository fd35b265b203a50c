use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use amazons_program::ranks::usual_threads;
use amazons_program::{Exit, Interrupt};
use connect4::matches::{Pairing, PlayedGame, Results, play, schedule};
use connect4::perfect::Stop;
use connect4::{Level, LevelPlayer};

use crate::levels::no_room;
use crate::match_args::MatchArgs;
use crate::match_report::write_report;
use crate::progress;

pub(crate) fn run(args: &MatchArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let interrupt = Interrupt::catch().map_err(|error| Exit::Failure(format!("cannot catch Ctrl-C: {error}")))?;
    let pairings = schedule(args.levels.len(), args.games / 2, args.size, args.openings, args.seed);
    let pairings = pairings.map_err(Exit::usage)?;
    let mut results = Results::new(args.levels.len());
    let mut failure = None;
    let threads = args.threads.map_or_else(usual_threads, NonZeroUsize::get).min(pairings.len());
    let next = AtomicUsize::new(0);
    let idle = Mutex::new(Vec::new());
    let bar = progress::bar(2 * pairings.len() as u64, "games");
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let (sender, next, pairings, idle, interrupt) = (sender.clone(), &next, &pairings, &idle, &interrupt);
            scope.spawn(move || {
                let is_stopped = || interrupt.is_set();
                while !interrupt.is_set()
                    && let Some(pairing) = pairings.get(next.fetch_add(1, Ordering::Relaxed))
                    && sender.send((pairing, play_pair(args, pairing, idle, &is_stopped))).is_ok()
                {}
            });
        }
        drop(sender);
        for (pairing, games) in receiver {
            let added = games.map_err(no_room).and_then(|games| {
                let Some(games) = games else { return Ok(()) };
                results.add(pairing, &games);
                bar.inc(2);
                if !args.json {
                    return Ok(());
                }
                bar.suspend(|| write_games(args, pairing, &games, out))
            });
            if let Err(error) = added {
                failure = Some(error);
                return;
            }
        }
    });
    bar.finish_and_clear();
    if let Some(error) = failure {
        return Err(error);
    }
    write_report(args, &results, out)?;
    if interrupt.is_set() {
        return Ok(Exit::Stopped);
    }
    // Perfect play that loses what it had won is a fault.
    Ok(if results.kept < results.promised { Exit::Partly } else { Exit::Success })
}

/// Plays both games of a pairing, unless stopped. Perfect players are used again: what they remember changes none of their moves.
fn play_pair(
    args: &MatchArgs,
    pairing: &Pairing,
    idle: &Mutex<Vec<LevelPlayer>>,
    stop: &Stop<'_>,
) -> io::Result<Option<[PlayedGame; 2]>> {
    let lock = || idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let game = |is_reversed| -> io::Result<Option<PlayedGame>> {
        let players = [0, 1].map(|seat: u8| {
            let level = args.levels[pairing.levels[usize::from(seat)]];
            let known = (level == Level::Perfect).then(|| lock().pop()).flatten();
            let seed = pairing.seed ^ u64::from(seat) ^ u64::from(is_reversed) << 1;
            known.map_or_else(|| LevelPlayer::new(level, args.size, seed), Ok)
        });
        let [one, two] = players;
        let mut players = [one?, two?];
        let [one, two] = &mut players;
        let order = if is_reversed { [two, one] } else { [one, two] };
        let game = play(args.size, &pairing.opening, order, stop);
        lock().extend(players.into_iter().filter(|player| player.level() == Level::Perfect));
        Ok(game)
    };
    let games = [game(false)?, game(true)?];
    let [Some(one), Some(two)] = games else { return Ok(None) };
    Ok(Some([one, two]))
}

fn write_games(args: &MatchArgs, pairing: &Pairing, games: &[PlayedGame; 2], out: &mut impl Write) -> Result<(), Exit> {
    let [one, two] = pairing.levels.map(|level| args.levels[level].to_string());
    for (game, players) in games.iter().zip([[&one, &two], [&two, &one]]) {
        let points = f64::from(game.half_points()) / 2.0;
        let line = serde_json::json!({
            "event": "game",
            "players": players,
            "opening": pairing.opening,
            "moves": game.moves,
            "result": points,
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}
