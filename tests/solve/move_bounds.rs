use amazons_rules::{Color, Position};
use amazons_solve::{Filler, Graph, MoveBounds};

use super::race::Race;
use super::slow;

fn graph(position: &Position) -> (Graph<1>, amazons_solve::Stones<1>) {
    Graph::of_position(position).expect("a small board")
}

fn all_claims(position: &Position) -> [MoveBounds; 4] {
    let (graph, stones) = graph(position);
    let side = position.side_to_move();
    let filler = || Filler::new(256);
    [
        graph.move_bounds(stones),
        graph.sharp_bounds(stones, side, &mut filler(), 3, &mut || true),
        graph.sharp_bounds(stones, side, &mut filler(), u64::MAX, &mut || true),
        graph.full_bounds(stones, &mut filler(), u64::MAX, &mut || true),
    ]
}

#[test]
fn who_wins_by_claims_wins_a_full_search() {
    let mut decided = [0; 4];
    for (position, wins) in slow::decided() {
        let side = position.side_to_move();
        for (bounds, decided) in all_claims(position).iter().zip(&mut decided) {
            let Some(claimed) = bounds.winner(side) else { continue };
            *decided += 1;
            assert_eq!(claimed == side, *wins, "{bounds:?} {position}");
        }
    }
    // Each way of counting proves at least as much as the one before.
    assert!(decided[0] > 1400 && decided.is_sorted() && decided[0] < decided[2], "{decided:?}");
}

#[test]
fn claims_decide_what_a_race_does() {
    let (mut races, mut more) = (0, 0);
    for board in slow::boards() {
        for seed in 0..700 {
            let queens = [1 + (seed % 2) as usize, 1 + (seed / 2 % 2) as usize];
            let position = slow::scattered(&board, queens, 3 + (seed % 6) as usize, seed);
            let side = position.side_to_move();
            let claimed = all_claims(&position)[2].winner(side);
            match Race::of(&position).outcome(side) {
                Some(winner) => {
                    races += 1;
                    assert_eq!(claimed, Some(winner), "seed {seed} {position}");
                }
                None => more += u32::from(claimed.is_some()),
            }
        }
    }
    assert!(races > 1500 && more > 500, "{races} races, {more} more");
}

#[test]
fn a_queen_that_keeps_the_other_out_shuts_the_door_behind_it() {
    // Black has three vertices behind its queen, White one before it.
    let position = Position::parse("3q1Q w").expect("a position");
    let (graph, stones) = graph(&position);
    let bounds = graph.move_bounds(stones);
    let [black, white] = bounds.moves;
    assert_eq!((black.lower, white.lower, white.upper), (3, 0, 1));
    assert_eq!(bounds.winner(Color::White), Some(Color::Black));
    assert_eq!((bounds.margin(Color::Black, Color::White), bounds.margin(Color::Black, Color::Black)), (2, 1));
    // A search that may shoot anywhere would let White in: here the door also holds.
    let sharp = graph.full_bounds(stones, &mut Filler::new(16), u64::MAX, &mut || true);
    assert_eq!(sharp.moves[0].lower, 3);
}

#[test]
fn a_search_that_is_stopped_claims_no_more_than_is_true() {
    let board = &slow::boards()[0];
    for seed in 0..200 {
        let position = slow::scattered(board, [1, 1], 8, seed);
        let (graph, stones) = graph(&position);
        let mut filler = Filler::new(256);
        let mut asked = 0;
        let mut go_on = || {
            asked += 1;
            asked <= seed % 4
        };
        let early = graph.full_bounds(stones, &mut filler, u64::MAX, &mut go_on);
        // What the stopped search left behind is searched again.
        let full = graph.full_bounds(stones, &mut filler, u64::MAX, &mut || true);
        assert_eq!(full, graph.full_bounds(stones, &mut Filler::new(256), u64::MAX, &mut || true), "seed {seed}");
        for (early, full) in early.moves.iter().zip(full.moves) {
            assert!(early.lower <= full.lower && full.upper <= early.upper, "seed {seed} {position}");
        }
    }
}
