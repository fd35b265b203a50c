//! Searches in full trees.

use amazons_search::{Limits, Mcts, MctsConfig, SearchReport, Searcher};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::domineering::Domineering;
use super::slow::{self, Noise};

/// The smallest possible tree.
const PLACES: usize = 1 << 16;

fn full(threads: usize) -> Mcts<Domineering, Noise> {
    Mcts::new(MctsConfig { memory_bytes: 0, expand_after: 1, threads, ..MctsConfig::default() }, Noise)
}

/// A game with far more positions than the smallest tree can hold.
fn large_game(rng: &mut Xoshiro256PlusPlus) -> Domineering {
    Domineering::random(rng, 24)
}

fn assert_counts(report: &SearchReport<u32>, visits: u64) {
    assert_eq!(report.nodes, visits);
    assert_eq!(report.moves.iter().map(|root| root.visits).sum::<u64>(), visits);
}

#[test]
fn full_trees_prove_what_minimax_proves() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(51);
    let mut swept = 0;
    for round in 0..3 {
        let game = large_game(&mut rng);
        let mut mcts = full(1 + round % 3);
        let report = mcts.search(&game, &mut Limits::nodes(3_000_000));
        assert!(mcts.tree_nodes() <= PLACES);
        assert_eq!(report.proof.map(|proof| proof.outcome), Some(slow::solve(&game).0), "{game:?}");
        // Each visit gives a node its children, of which there are two and more.
        swept += usize::from(report.nodes > PLACES as u64 / 2);
    }
    assert!(swept > 1, "{swept} trees were full");
}

#[test]
fn no_visit_and_no_place_is_lost() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(52);
    for _ in 0..3 {
        let game = large_game(&mut rng);
        let visits = 40_000;
        let search = |visits| {
            let mut mcts = full(1);
            let report = mcts.search(&game, &mut Limits::nodes(visits));
            (mcts, report)
        };
        let (mut mcts, report) = search(visits);
        if report.proof.is_some() {
            continue;
        }
        assert_counts(&report, visits);
        assert_eq!(report, search(visits).1, "a search repeats itself");
        // Advancing by no moves moves all nodes below the root to the front, and counts them.
        let places = mcts.tree_nodes();
        assert!(places > PLACES / 2, "{places}");
        mcts.advance(&[]);
        assert_eq!(mcts.tree_nodes(), places);
        assert_eq!(mcts.search(&game, &mut Limits::nodes(0)).moves, report.moves);
        let more = mcts.search(&game, &mut Limits::nodes(visits));
        let all: u64 = more.moves.iter().map(|root| root.visits).sum();
        assert_eq!(all, visits + more.nodes, "{game:?}");
    }
}

#[test]
fn threads_share_a_full_tree() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(53);
    for _ in 0..3 {
        let game = large_game(&mut rng);
        let report = full(3).search(&game, &mut Limits::nodes(40_000));
        if report.proof.is_none() {
            assert_counts(&report, 40_000);
        }
    }
}

#[test]
fn a_full_tree_listens() {
    let game = Domineering::random(&mut Xoshiro256PlusPlus::seed_from_u64(54), 25);
    for threads in [1, 2] {
        let mut questions = 0;
        let report = full(threads).search(&game, &mut |_: &_| {
            questions += 1;
            questions == 1000
        });
        assert!(report.proof.is_some() || questions == 1000, "{questions} questions");
    }
}
