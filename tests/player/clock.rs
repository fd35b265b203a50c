use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use amazons_player::rules::{Board, Position, Shape};
use amazons_player::{GameBudget, GameClock, TimeLimits, open_vertices};

pub(super) const UNTOLD: TimeLimits =
    TimeLimits { cpu: None, wall: None, game: None, increment: Duration::ZERO, threads: NonZeroUsize::MIN };

pub(super) fn start(m: u32) -> Position {
    Position::start(Arc::new(Board::new(Shape::Square, m).expect("the size is legal")))
}

#[test]
fn moves_share_the_time_of_a_game_and_no_other() {
    let second = Some(Duration::from_secs(1));
    for limits in [TimeLimits { cpu: second, ..UNTOLD }, TimeLimits { wall: second, ..UNTOLD }] {
        assert_eq!(GameClock::new(&limits).budget(), None, "{limits:?}");
    }
    assert_eq!(GameClock::new(&UNTOLD).budget(), Some(GameBudget::default()));
    // A part of a told clock is kept back, and less of a short one.
    for (told, left) in [(10_000, 9800), (1000, 980), (200, 190), (20, 15)] {
        let limits = TimeLimits { game: Some(Duration::from_millis(told)), ..UNTOLD };
        assert_eq!(GameClock::new(&limits).budget().map(|budget| budget.left().as_millis()), Some(left), "{told}");
    }
    // Without time, a player that was told a clock still searches for a moment.
    let mut game = GameClock::new(&TimeLimits { game: Some(Duration::ZERO), ..UNTOLD });
    assert!(game.start_move(&start(5)).is_some_and(|mut clock| clock.is_over()));
}

#[test]
fn a_sole_move_takes_no_time() {
    let told = TimeLimits { game: Some(Duration::from_secs(60)), ..UNTOLD };
    let each = TimeLimits { wall: Some(Duration::from_secs(60)), ..UNTOLD };
    // The corner leads to one vertex, from which the only shot goes back.
    let position = |text: &str| Position::parse(text).expect("a position");
    let (sole, two) = (position("Q1*2q/***3/6/6/6/6 w"), position("Q2*1q/****2/6/6/6/6 w"));
    assert!(sole.has_one_move() && !two.has_one_move());
    for limits in [told, each, UNTOLD] {
        let mut game = GameClock::new(&limits);
        assert!(game.start_move(&sole).expect("there is time").is_over(), "{limits:?}");
        assert!(!game.start_move(&two).expect("there is time").is_over(), "{limits:?}");
    }
}

/// The times of the moves of a player whose opponent moves as often, on a simulated clock, until so many vertices are
/// open; each takes its time times `share` plus `more`.
fn simulate(mut budget: GameBudget, open: usize, until: usize, share: f64, more: Duration) -> Vec<Duration> {
    let mut spent = Vec::new();
    for open in (until..=open).rev().step_by(2) {
        // As a player does, it moves at once when nothing is left.
        let used = if budget.left().is_zero() { Duration::ZERO } else { budget.per_move(open).mul_f64(share) + more };
        assert!(budget.per_move(open) <= budget.most_per_move(open), "{budget:?}");
        budget.finish_move(used);
        spent.push(used);
    }
    spent
}

#[test]
fn a_budget_lasts_for_any_game_and_little_is_left_on_every_board() {
    let millis = Duration::from_millis;
    for (shape, m) in Shape::ALL.into_iter().flat_map(|shape| (5..=30).map(move |m| (shape, m))) {
        let position = Position::start(Arc::new(Board::new(shape, m).expect("the size is legal")));
        let open = open_vertices(&position);
        for (total, increment) in [(8000, 0), (10_000, 0), (1000, 0), (30_000, 100), (100, 100)] {
            let (total, increment) = (millis(total), millis(increment));
            let budget = GameBudget::new(total, increment);
            // To the last vertex, in moves that take as long as they may.
            let moves = simulate(budget, open, 0, 1.0, Duration::ZERO);
            let gained = increment * u32::try_from(moves.len()).expect("few moves");
            let sum: Duration = moves.iter().sum();
            assert!(sum <= total + gained, "{shape:?} {m}: {sum:?}");
            assert!(moves.iter().all(|&time| time <= total / 2 + increment), "{shape:?} {m}: {moves:?}");
            // There is time while a game may be undecided.
            let undecided = moves.len() * 3 / 4;
            assert!(moves[..undecided].iter().all(|&time| time > total / 100_000), "{shape:?} {m}: {moves:?}");
            // Later moves take no longer, but for the increment.
            let falls = |pair: &[Duration]| pair[0] + increment / 50 >= pair[1];
            assert!(increment > total / 2 || moves.windows(2).all(falls), "{shape:?} {m}: {moves:?}");
            // Most games are decided while two fifths are open, and most moves are calm.
            let calm: Duration = simulate(budget, open, open * 2 / 5, 0.8, Duration::ZERO).iter().sum();
            assert!(open < 44 || calm + increment >= (total + gained / 2).mul_f64(0.85), "{shape:?} {m}: {calm:?}");
            // Later moves pay for moves that take too long.
            for more in [millis(1), millis(30), millis(700)] {
                let moves = simulate(GameBudget::new(total, Duration::ZERO), open, 0, 1.0, more);
                let sum: Duration = moves.iter().sum();
                assert!(sum <= total + more, "{shape:?} {m}, {more:?} too long: {sum:?}");
            }
        }
    }
}

#[test]
fn a_move_gets_most_of_what_it_gains_and_never_more_than_half_of_what_is_left() {
    let millis = Duration::from_millis;
    let rich = GameBudget::new(millis(1000), millis(100));
    assert_eq!((rich.per_move(1000), rich.per_move(100)), (millis(98), millis(170)));
    let poor = GameBudget::new(millis(10), millis(100));
    assert_eq!((poor.per_move(90), poor.most_per_move(90)), (millis(5), millis(5)));
}

/// Regions of one side are no more to think about.
#[test]
fn only_what_both_sides_reach_is_open() {
    let open = |text: &str| open_vertices(&Position::parse(text).expect("a position"));
    assert_eq!(open("Q5/6/6/6/6/5q w"), 34);
    assert_eq!(open("Q2*2/3*2/3*2/3*2/3*2/3*1q w"), 0);
    assert_eq!(open("Q2*2/3*2/3*2/3*2/3*2/q2*1Q w"), 16);
}

#[test]
fn when_the_budget_is_spent_a_player_moves_at_once() {
    let mut budget = GameBudget::default();
    budget.spend(Duration::from_secs(3));
    assert_eq!(budget.left(), Duration::from_secs(5));
    budget.spend(Duration::from_secs(6));
    assert_eq!((budget.left(), budget.per_move(92)), (Duration::ZERO, Duration::ZERO));
}
