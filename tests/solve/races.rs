use amazons_rules::{Color, Position};
use amazons_solve::{Graph, counted_winner};

use super::race::Race;
use super::slow;

#[test]
fn races_are_decided_as_by_a_full_search() {
    let (mut decided, mut separated) = (0, 0);
    for (position, wins) in slow::decided() {
        let race = Race::of(position);
        let Some(winner) = race.outcome(position.side_to_move()) else {
            assert!(race.shared, "{race:?} {position}");
            continue;
        };
        decided += 1;
        separated += u32::from(!race.shared);
        assert_eq!(winner == position.side_to_move(), *wins, "{race:?} {position}");
    }
    assert!(decided >= 1500 && separated >= 500, "{decided} decided, {separated} separated");
}

#[test]
fn a_counted_winner_is_that_of_a_full_search() {
    let (mut counted, mut left) = (0, 0);
    for (position, wins) in slow::decided() {
        match counted_winner(position) {
            None => {
                left += 1;
                assert!(Race::of(position).contested > 0, "{position}");
            }
            Some(winner) => {
                counted += 1;
                assert_eq!(winner == position.side_to_move(), *wins, "{position}");
            }
        }
    }
    assert!(counted >= 500 && left >= 500, "{counted} counted, {left} left");
}

#[test]
fn a_race_counts_both_sides() {
    let position = Position::parse("q2*Q1/3*2 b").expect("a position");
    let race = Race::of(&position);
    let found = [race.black.exact(), race.white.exact()];
    assert_eq!((found, race.contested, race.shared), ([Some(5), Some(3)], 0, false));
    assert_eq!(race.outcome(Color::White), Some(Color::Black));
}

#[test]
fn every_size_of_sets_gives_the_same_race() {
    for board in slow::boards() {
        for seed in 0..200 {
            let position = slow::scattered(&board, [2, 2], 6, seed);
            let (small, stones) = Graph::<1>::of_position(&position).expect("a small board");
            let (large, wide_stones) = Graph::<4>::of_position(&position).expect("a small board");
            let narrow = Race::with(&small, stones, Graph::fill_bounds);
            assert_eq!(narrow, Race::with(&large, wide_stones, Graph::fill_bounds), "seed {seed} {position}");
            let exact = Race::of(&position);
            for (quick, exact) in [(narrow.black, exact.black), (narrow.white, exact.white)] {
                let moves = exact.exact().expect("a small region");
                assert!(quick.lower <= moves && moves <= quick.upper, "seed {seed} {position}");
            }
        }
    }
}

#[test]
fn boards_beyond_the_sets_are_refused() {
    let huge = Position::parse(&format!("q39/{} w", vec!["40"; 39].join("/"))).expect("a position");
    let error = Graph::<16>::of_position(&huge).expect_err("1600 vertices");
    assert_eq!(error.to_string(), "1600 vertices without an arrow are too many: at most 1024");
    let large = Position::parse(&format!("q19/{} w", vec!["20"; 19].join("/"))).expect("a position");
    assert_eq!((counted_winner(&huge), counted_winner(&large)), (None, Some(Color::Black)));
}
