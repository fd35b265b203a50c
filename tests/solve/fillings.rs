use amazons_rules::{Color, Position};
use amazons_solve::{Bounds, Filler, Graph};

use super::slow;

#[test]
fn fillings_equal_those_of_a_full_search() {
    let (mut checked, mut defective) = (0, 0);
    for board in slow::boards() {
        for seed in 0..60 {
            let queens = 1 + (seed % 2) as usize;
            let position = slow::scattered(&board, [queens, 0], 1 + (seed % 7) as usize, seed);
            let expected = slow::filling(&position, Color::Black);
            let (graph, stones) = Graph::<1>::of_position(&position).expect("a small board");
            let [black, _] = stones.queens;
            let quick = graph.fill_bounds(stones.free, black);
            assert!(quick.lower <= expected && expected <= quick.upper, "{quick:?} {expected} seed {seed} {position}");
            for nodes in [0, 1, 3, u64::MAX] {
                let found = Filler::new(64).fill(&graph, stones.free, black, nodes);
                assert!(found.lower <= expected && expected <= found.upper, "{found:?} seed {seed} {position}");
                assert!(nodes < u64::MAX || found.exact() == Some(expected), "{found:?} seed {seed} {position}");
            }
            checked += 1;
            defective += u32::from(expected < quick.upper);
        }
    }
    // Without territories that cannot be filled, counting vertices would also pass.
    assert!(checked >= 450 && defective >= 8, "{defective} of {checked}");
}

#[test]
fn what_is_remembered_does_not_change_results() {
    let board = &slow::boards()[0];
    let position = slow::scattered(board, [2, 0], 14, 1);
    let (graph, _) = Graph::<1>::of_position(&position).expect("a small board");
    let mut filler = Filler::new(4);
    for seed in 0..300 {
        // The same graph of the whole board for every position: arrows are vertices where nothing is free.
        let all = Graph::<1>::new(board, |_| true).expect("a small board");
        let position = slow::scattered(board, [1 + (seed % 2) as usize, 0], 9, seed);
        let stones = all.stones(&position);
        let fresh = Filler::new(1024).fill(&all, stones.free, stones.queens[0], u64::MAX);
        assert_eq!(filler.fill(&all, stones.free, stones.queens[0], u64::MAX), fresh, "seed {seed} {position}");
    }
    assert!(graph.len() == 16 && !graph.is_empty());
}

#[test]
fn territories_with_defects_count_less_than_their_vertices() {
    for (text, moves) in [
        // The queen can go either way, and not come back.
        ("1*1/*q* w", 1),
        // A corridor: the queen goes to one end and shoots at the other.
        ("3q3 w", 6),
        ("q4 w", 4),
        // Shut in.
        ("q*/** w", 0),
    ] {
        let position = Position::parse(text).expect("a position");
        let (graph, stones) = Graph::<1>::of_position(&position).expect("a small board");
        let found = Filler::new(64).fill(&graph, stones.free, stones.queens[0], u64::MAX);
        assert_eq!(found, Bounds::exactly(slow::filling(&position, Color::Black)), "{text}");
        assert_eq!(found.exact(), Some(moves), "{text}");
    }
}
