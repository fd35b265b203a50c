use std::collections::BTreeSet;

use amazons_rules::{Position, Vertex};
use amazons_solve::{Bits, Graph};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::slow;
use crate::rules;

#[test]
fn sets_equal_sorted_sets_of_indices() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..2000 {
        let count = rng.random_range(0..6);
        let mut draw = || (0..count).map(|_| rng.random_range(0..192)).collect::<BTreeSet<usize>>();
        let (one, two) = (draw(), draw());
        let [a, b] = [&one, &two].map(|set| set.iter().copied().collect::<Bits<3>>());
        assert!(a.eq(one.iter().copied()), "{one:?}");
        assert!((a - b).eq(one.difference(&two).copied()), "{one:?} {two:?}");
        assert!((a & b).eq(one.intersection(&two).copied()), "{one:?} {two:?}");
        assert!((a | b).eq(one.union(&two).copied()), "{one:?} {two:?}");
        assert!((a ^ b).eq(one.symmetric_difference(&two).copied()), "{one:?} {two:?}");
        assert_eq!((a.count() as usize, a.lowest()), (one.len(), one.first().copied()));
        assert_eq!(a.meets(b), !one.is_disjoint(&two));
        let lowest = one.first().copied().unwrap_or(192);
        let highest = one.last().map_or(0, |highest| highest + 1);
        assert!(a.below_lowest().eq(0..lowest) && a.above_highest().eq(highest..192), "{one:?}");
        assert!(Bits::<3>::from_words(a.words()) == a && !a.contains(191) || one.contains(&191));
    }
}

/// Slides of every vertex, by the rules and by the graph.
fn assert_same_slides<const W: usize>(position: &Position) {
    let (graph, stones) = Graph::<W>::of_position(position).expect("room for all vertices");
    for (index, &vertex) in graph.vertices().iter().enumerate() {
        let expected: BTreeSet<Vertex> = position.slides(vertex).flatten().copied().collect();
        let found = graph.slides(index, stones.free).map(|index| graph.vertices()[index]).collect();
        assert_eq!(expected, found, "from {vertex} in {position}");
    }
}

#[test]
fn slides_equal_those_of_the_rules() {
    for position in rules::slow::positions().filter(|position| position.board().vertex_count() <= 128).step_by(9) {
        assert_same_slides::<2>(&position);
        assert_same_slides::<4>(&position);
    }
}

#[test]
fn foreign_numberings_change_nothing() {
    for board in slow::boards() {
        for seed in 0..12 {
            let position = slow::scattered(&board, [2, 2], 8, seed);
            let mut order: Vec<u32> = (0..).take(board.vertex_ids()).collect();
            order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
            let foreign = rules::renumbered(&position, &order);
            assert_same_slides::<1>(&foreign);
            assert_eq!(super::games::winner(&position), super::games::winner(&foreign), "seed {seed} {position}");
        }
    }
}
