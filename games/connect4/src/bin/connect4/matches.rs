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
use serde::Serialize;
use serde_json::json;

use crate::board_args::seed;
use crate::player::no_room;
use crate::progress;

#[derive(Args, Debug)]
pub(crate) struct MatchArgs {
    /// The levels: random, average:DEPTH, alphabeta:DEPTH, mcts:VISITS, perfect; each plays each
    #[arg(value_name = "LEVEL", num_args = 2.., required = true)]
    levels: Vec<Level>,
    /// Games of every two levels, an even number: each opening is played with both colours
    #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true, default_value_t = 100, value_parser = even)]
    games: u32,
    /// Random plies before the levels play
    #[arg(long, value_name = "PLIES", allow_negative_numbers = true, default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=60))]
    openings: u32,
    /// The seed of openings and random moves
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1, value_parser = seed)]
    seed: u64,
    /// Columns and rows
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t)]
    size: Size,
    /// Games at a time (default: one for each core)
    #[arg(short = 'j', long = "threads", value_name = "N", allow_negative_numbers = true, value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
    /// Print a line for each pair of levels as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print JSON Lines: each game, then the results
    #[arg(long)]
    json: bool,
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
        let line = json!({
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

/// A level's results against all others.
#[derive(Serialize)]
struct Standing {
    level: String,
    elo: f64,
    elo_error: f64,
    points: f64,
    games: u64,
}

/// A level's results against another one.
#[derive(Serialize)]
struct Duel {
    players: [String; 2],
    won: u64,
    drawn: u64,
    lost: u64,
    elo: f64,
    /// Half the width of the 95 % interval, if it is known.
    elo_error: Option<f64>,
    los: f64,
    /// Pairs with 0, 1/2, 1, 3/2 and 2 points.
    pairs: Vec<u64>,
    #[serde(skip)]
    words: String,
}

impl Duel {
    fn new(args: &MatchArgs, results: &Results, first: usize, second: usize) -> Self {
        let (score, [lost, drawn, won]) = (results.score(first, second), results.games(first, second));
        let estimate = score.estimate();
        Self {
            players: [first, second].map(|level| args.levels[level].to_string()),
            won,
            drawn,
            lost,
            elo: estimate.elo.points(),
            elo_error: Some(estimate.error.points()).filter(|_| !estimate.error.is_beyond()),
            los: estimate.los,
            pairs: score.counts().to_vec(),
            words: format!("{estimate:.0}"),
        }
    }

    fn pairs(&self, gap: &str) -> String {
        self.pairs.iter().map(u64::to_string).collect::<Vec<_>>().join(gap)
    }
}

fn write_report(args: &MatchArgs, results: &Results, out: &mut impl Write) -> Result<(), Exit> {
    let number = args.levels.len();
    let pairs = (0..number).flat_map(|first| (first + 1..number).map(move |second| (first, second)));
    let duels: Vec<Duel> = pairs.map(|(first, second)| Duel::new(args, results, first, second)).collect();
    let ratings = results.ratings();
    let standing = |level: usize| {
        let (points, games) = results.points(level);
        let (elo, elo_error) = (ratings.points(level), ratings.error(level));
        Standing { level: args.levels[level].to_string(), elo, elo_error, points, games }
    };
    let mut levels: Vec<Standing> = (0..number).map(standing).collect();
    levels.sort_by(|one, two| two.elo.total_cmp(&one.elo));
    if args.csv {
        writeln!(
            out,
            "first,second,won,drawn,lost,elo,elo_error,los,pairs_0,pairs_half,pairs_1,pairs_3_halves,pairs_2"
        )?;
        for duel in duels {
            let Duel { won, drawn, lost, elo, elo_error, los, .. } = &duel;
            let error = elo_error.map_or_else(String::new, |error| format!("{error:.1}"));
            let (players, pairs) = (duel.players.join(","), duel.pairs(","));
            writeln!(out, "{players},{won},{drawn},{lost},{elo:.1},{error},{los:.4},{pairs}")?;
        }
    } else if args.json {
        let line = json!({
            "event": "results",
            "size": args.size.to_string(),
            "openings": args.openings,
            "seed": args.seed,
            "levels": levels,
            "duels": duels,
            "promised": results.promised,
            "kept": results.kept,
        });
        writeln!(out, "{line}")?;
    } else {
        let (size, openings, seed) = (args.size, args.openings, args.seed);
        let board = format!("board {size}, openings of {openings} random plies, seed {seed}");
        writeln!(out, "{board}, colours reversed; Elo with 95 % bars")?;
        text(&levels, &duels, out)?;
        let (promised, kept) = (results.promised, results.kept);
        if promised > 0 {
            writeln!(out, "perfect had a win or a draw in {promised} games and kept it in {kept}")?;
        }
    }
    Ok(())
}

fn text(levels: &[Standing], duels: &[Duel], out: &mut impl Write) -> Result<(), Exit> {
    if levels.len() > 2 {
        writeln!(out, "\n{:<16} {:>7} {:>6} {:>9} {:>6}", "level", "Elo", "+-", "points", "games")?;
        for Standing { level, elo, elo_error, points, games } in levels {
            writeln!(out, "{level:<16} {elo:>+7.0} {elo_error:>6.0} {points:>9.1} {games:>6}")?;
        }
        writeln!(out)?;
    }
    for duel in duels {
        let Duel { won, drawn, lost, words, .. } = duel;
        writeln!(out, "{}: {words} Elo", duel.players.join(" against "))?;
        let los = 100.0 * duel.los;
        writeln!(out, "  won {won}, drawn {drawn}, lost {lost}; likelihood of superiority {los:.1} %")?;
        writeln!(out, "  pairs with 0, 1/2, 1, 3/2, 2 points: {}", duel.pairs(" "))?;
    }
    Ok(())
}
