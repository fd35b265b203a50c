//! Another team's server with a secret clock: it gives 10 s of processor time for all moves of a player.
//!
//! Both players are in its own process, as they are on most servers. It also counts the arrows through the vertex that
//! the queen has just left, which one server forbids.

use std::ffi::c_int;
use std::sync::Arc;
use std::time::Duration;
use std::{env, mem};

use amazons_player::abi::MoveT;
use amazons_player::rules::{Board, Color, Directions, Move, Position, Shape};

use super::games::LoadedPlayer;
use crate::support::{self, alone};

/// The server's limit.
const LIMIT: Duration = Duration::from_secs(10);
/// The part of it to use in a long game.
const MIN: Duration = Duration::from_secs(6);
/// Moves of one player in a long game.
const LONG: usize = 25;
/// The least time of a first move on a large board.
const SHARE: Duration = Duration::from_millis(43);
/// What no player may take for a move there.
const MAX: Duration = Duration::from_millis(900);
/// Games for two without a disturbance.
const GAMES: usize = 20;

/// The pairings.
const PAIRINGS: [[&str; 2]; 6] = [
    ["champion", "mcts"],
    ["alphabeta", "champion"],
    ["mcts", "alphabeta"],
    ["mcts", "champion"],
    ["champion", "alphabeta"],
    ["alphabeta", "mcts"],
];

/// The boards of the long run, one after the other for each pairing.
const BOARDS: [(Shape, u32); 10] = [
    (Shape::Square, 10),
    (Shape::Donut, 10),
    (Shape::Square, 10),
    (Shape::Clover, 10),
    (Shape::Square, 10),
    (Shape::FigureEight, 10),
    (Shape::Square, 8),
    (Shape::Square, 14),
    (Shape::Square, 5),
    (Shape::Square, 20),
];

/// The statistics of one player in a game.
#[derive(Debug, Default)]
struct Account {
    /// The time of its moves.
    moves: Vec<Duration>,
    /// Arrows through the vertex that the queen has just left.
    shots_back: usize,
}

impl Account {
    fn used(&self) -> Duration {
        self.moves.iter().sum()
    }
}

/// Plays until one side is blocked or has made that many moves.
fn play(players: &[LoadedPlayer; 2], board: &Arc<Board>, most_moves: usize) -> [Account; 2] {
    let given: Vec<_> = Color::ALL
        .into_iter()
        .zip(players)
        .map(|(color, player)| player.initialize(color, board, Directions::Ring))
        .collect();
    let mut accounts = [Account::default(), Account::default()];
    let mut position = Position::start(Arc::clone(board));
    let mut previous = MoveT::NONE;
    while position.has_moves() {
        let index = position.side_to_move().index();
        if accounts[index].moves.len() == most_moves {
            break;
        }
        let start = processor_time();
        let answer = players[index].play(previous);
        accounts[index].moves.push(processor_time() - start);
        let mv = Move { from: answer.queen_src, to: answer.queen_dst, arrow: answer.arrow_dst };
        assert_eq!(position.is_legal(mv), Ok(()), "{mv:?}");
        accounts[index].shots_back += usize::from(position.shoots_back(mv));
        position.play_unchecked(mv);
        previous = answer;
    }
    for player in players {
        player.finalize();
    }
    mem::drop(given);
    accounts
}

/// The processor time of this process, the usual measure of a player.
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is valid for writes.
    let failed: c_int = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    assert_eq!(failed, 0);
    Duration::new(u64::try_from(time.tv_sec).expect("it ascends"), u32::try_from(time.tv_nsec).expect("below 1e9"))
}

fn load(names: [&str; 2]) -> [LoadedPlayer; 2] {
    names.map(|name| LoadedPlayer::open(&support::player(name)))
}

/// Runs a test in its own process, where nothing else uses the processor and no limits are set; returns whether this is
/// that process.
fn is_server(test: &str) -> bool {
    if alone::is_alone() {
        return true;
    }
    let mut command = alone::command(&format!("player::clock_not_told::{test}"));
    for name in ["MOVE_CPU_MS", "MOVE_WALL_MS", "GAME_MS", "INCREMENT_MS", "THREADS", "SEED"] {
        command.env_remove(format!("AMAZONS_{name}"));
    }
    let output = alone::run(&mut command);
    print!("{}", String::from_utf8_lossy(&output.stdout));
    false
}

#[test]
fn moves_share_the_time_of_a_game() {
    if !is_server("moves_share_the_time_of_a_game") {
        return;
    }
    let board = Arc::new(Board::new(Shape::Square, 20).expect("the size is legal"));
    // Usually a quarter of a second on this board: more than an even share of 8 s for 188 moves, and far from a second.
    let is_share =
        |account: &Account| account.moves.len() == 2 && account.moves.iter().all(|&used| SHARE < used && used < MAX);
    for names in [["champion", "alphabeta"], ["mcts", "champion"]] {
        let players = load(names);
        // A busy machine takes time from a move, or charges it for time that it never had: most games may be wrong.
        // The second game in this process has as much time as the first.
        let mut told = Vec::new();
        let as_expected = (0..GAMES).filter(|_| {
            let accounts = play(&players, &board, 2);
            let holds = accounts.iter().all(is_share);
            told.push(accounts);
            holds
        });
        assert_eq!(as_expected.take(2).count(), 2, "{names:?}: {told:?}");
        println!("{names:?}: {told:?}");
    }
}

/// A whole game takes the time that it may.
mod long {
    use super::*;

    /// AMAZONS_CLOCK_GAMES=60 plays that many; without it one whole game is played on a small board.
    #[test]
    fn nobody_is_late() {
        if !is_server("long::nobody_is_late") {
            return;
        }
        let games: Option<usize> = env::var("AMAZONS_CLOCK_GAMES").ok().and_then(|text| text.parse().ok());
        let mut longest = [0, 0].map(|_| (0, Duration::ZERO));
        for game in 0..games.unwrap_or(1) {
            let names = PAIRINGS[game % PAIRINGS.len()];
            let (shape, m) = games.map_or((Shape::Square, 5), |_| BOARDS[game / PAIRINGS.len() % BOARDS.len()]);
            let board = Arc::new(Board::new(shape, m).expect("the size is legal"));
            let accounts = play(&load(names), &board, usize::MAX);
            for ((name, account), longest) in names.iter().zip(&accounts).zip(&mut longest) {
                let (moves, used) = (account.moves.len(), account.used());
                let slowest = account.moves.iter().max().expect("each has moved");
                println!(
                    "game {game}, {shape:?} {m}: {name} {used:.2?} for {moves} moves, {slowest:.2?} at most, {} back",
                    account.shots_back
                );
                assert!(used < LIMIT, "{name} is late: {account:?}");
                *longest = (*longest).max((moves, used));
            }
        }
        for (moves, used) in longest {
            assert!(moves < LONG || used >= MIN, "{used:?} for {moves} moves");
        }
    }
}
