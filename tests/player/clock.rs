use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use amazons_player::rules::{Board, Position, Shape};
use amazons_player::{GameBudget, GameClock, TimeLimits};

const UNTOLD: TimeLimits =
    TimeLimits { cpu: None, wall: None, game: None, increment: Duration::ZERO, threads: NonZeroUsize::MIN };

fn start(m: u32) -> Position {
    Position::start(Arc::new(Board::new(Shape::Square, m).expect("the size is legal")))
}

#[test]
fn a_move_takes_most_of_its_time_and_leaves_some() {
    for (limit, least) in [(4, 2500), (20, 15_000), (100, 90_000)] {
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

#[test]
fn only_a_game_without_limits_has_a_budget() {
    let second = Some(Duration::from_secs(1));
    for limits in [
        TimeLimits { cpu: second, ..UNTOLD },
        TimeLimits { wall: second, ..UNTOLD },
        TimeLimits { game: second, ..UNTOLD },
    ] {
        assert_eq!(GameClock::new(&limits).budget(), None, "{limits:?}");
    }
    assert_eq!(GameClock::new(&UNTOLD).budget(), Some(GameBudget::default()));
}

/// The times of a game's moves on a simulated clock; each takes its time plus `more`.
fn simulate(free: usize, own_moves: usize, more: Duration) -> Vec<Duration> {
    let mut budget = GameBudget::default();
    let mut spent = Vec::new();
    for number in 0..own_moves {
        // As a player does, it moves at once when nothing is left.
        let used = if budget.left().is_zero() {
            Duration::ZERO
        } else {
            budget.per_move(free.saturating_sub(2 * number)) + more
        };
        budget.spend(used);
        spent.push(used);
    }
    spent
}

#[test]
fn a_budget_lasts_for_any_game_and_falls_move_by_move() {
    let millis = Duration::from_millis;
    for m in [5_usize, 6, 8, 10, 14, 20, 30] {
        let free = m * m - 8 * (m / 10 + 1);
        let moves = simulate(free, free / 2, Duration::ZERO);
        let sum: Duration = moves.iter().sum();
        assert!(sum <= GameBudget::TOTAL && sum > millis(7000), "{m}: {sum:?}");
        assert!(moves.windows(2).all(|pair| pair[0] > pair[1]), "{m}: {moves:?}");
        // Even the last move of the fullest board has some time, and the first has not much more than it needs.
        assert!(moves.iter().all(|&time| Duration::ZERO < time && time <= millis(2000)), "{m}: {moves:?}");
        // Later moves pay for moves that take too long.
        for more in [millis(1), millis(30), millis(700)] {
            let sum: Duration = simulate(free, free / 2, more).iter().sum();
            assert!(sum <= GameBudget::TOTAL + more, "{m}, {more:?} too long: {sum:?}");
        }
    }
    // A game may end early: of the 42 moves that 10x10 has room for, 18 take six seconds.
    let sum: Duration = simulate(84, 18, Duration::ZERO).iter().sum();
    assert!(sum >= millis(6000), "{sum:?}");
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
fn when_the_budget_is_spent_a_player_moves_at_once() {
    let mut budget = GameBudget::default();
    budget.spend(Duration::from_secs(3));
    assert_eq!(budget.left(), Duration::from_secs(5));
    budget.spend(Duration::from_secs(6));
    assert_eq!((budget.left(), budget.per_move(92)), (Duration::ZERO, Duration::ZERO));
}
