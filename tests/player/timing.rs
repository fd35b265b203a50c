//! The clocks of players, measured: these tests run alone.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use amazons_player::abi::MoveT;
use amazons_player::rules::{Board, Color, Directions, Move, Position, Shape};
use amazons_player::{GameBudget, GameClock, TimeLimits};

use super::clock::{UNTOLD, start};
use super::games::LoadedPlayer;
use crate::support;

#[test]
fn a_move_takes_most_of_its_time_and_leaves_some() {
    for (limit, least) in [(4, 2500), (20, 15_000), (100, 88_000)] {
        let limits = TimeLimits { wall: Some(Duration::from_millis(limit)), ..UNTOLD };
        let position = start(5);
        let tell = |pause: Duration| {
            let start = Instant::now();
            let mut game = GameClock::new(&limits);
            let mut clock = game.start_move(&position).expect("a limit is told, and no budget");
            while !clock.is_over() {
                let asked = Instant::now();
                while asked.elapsed() < pause {}
            }
            start.elapsed()
        };
        let (least, most) = (Duration::from_micros(least), Duration::from_millis(limit));
        // On a busy machine a thread may have to wait for longer than what is left.
        let in_time = (0..50).any(|_| (least..most).contains(&tell(Duration::ZERO)));
        assert!(in_time, "{limit} ms were never enough, or not used");
        // Callers that ask seldom are stopped earlier.
        let in_time = (0..50).any(|_| tell(most * 3 / 10) < most);
        assert!(in_time, "{limit} ms were never enough for three pauses");
    }
}

/// Keeps the processor busy until the clock is over plus `more`; returns the remaining budget.
fn spin(game: &mut GameClock, position: &Position, more: Duration) -> Duration {
    let mut clock = game.start_move(position).expect("something is left");
    while !clock.is_over() {}
    let over = Instant::now();
    while over.elapsed() < more {}
    drop(clock);
    game.budget().expect("nothing is told").left()
}

#[test]
fn what_a_move_takes_is_what_the_budget_loses() {
    let position = start(40);
    let mut game = GameClock::new(&UNTOLD);
    // The budget pays for getting ready.
    game.charge(|| {
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(20) {}
    });
    let ready = game.budget().expect("nothing is told");
    assert!(ready.left() < GameBudget::TOTAL, "{ready:?}");
    // And for all of a move, but not for time between moves, when an opponent in this process may think.
    let share = ready.per_move(40 * 40 - 40);
    let after = spin(&mut game, &position, Duration::ZERO);
    assert!(ready.left() - after >= share / 2, "{ready:?} {after:?}");
    let between = Instant::now();
    while between.elapsed() < Duration::from_millis(20) {}
    assert_eq!(game.budget().map(|budget| budget.left()), Some(after));
    // The next game's clock is independent of this one.
    assert_eq!(GameClock::new(&UNTOLD).budget(), Some(GameBudget::default()));
}

#[test]
fn a_large_board_takes_territory_and_c_mobility_no_longer_than_planned() {
    for name in ["territory", "c_mobility"] {
        let player = LoadedPlayer::open(&support::player(name));
        let board = Arc::new(Board::new(Shape::Square, 100).expect("the size is legal"));
        let given = player.initialize(Color::Black, &board, Directions::Subject);
        let before = cpu_seconds();
        let answer = player.play(MoveT::NONE);
        // Without a budget it would take minutes, more than any busy machine explains.
        assert!(cpu_seconds() - before < 10.0, "{name}");
        let mv = Move { from: answer.queen_src, to: answer.queen_dst, arrow: answer.arrow_dst };
        assert_eq!(Position::start(board).is_legal(mv), Ok(()), "{name}");
        player.finalize();
        drop(given);
    }
}

/// CPU time of this thread.
fn cpu_seconds() -> f64 {
    let times = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux has it");
    let nanos = times.split_whitespace().next().expect("the first number is CPU time");
    nanos.parse::<f64>().expect("it is a number") / 1e9
}
