use amazons_search::{AlphaBeta, AlphaBetaConfig, Budget, Game, Limits, Outcome, Progress, Searcher};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::boxes::Boxes;
use super::domineering::Domineering;
use super::nim::Nim;
use super::slow::{self, Noise};

fn searcher<G: Game>(table_bytes: usize, evaluator_order: u32) -> AlphaBeta<G, Noise> {
    AlphaBeta::new(AlphaBetaConfig { table_bytes, evaluator_order, ..AlphaBetaConfig::default() }, Noise)
}

/// The value at a fixed depth, with a table and with almost none, ordered by the evaluator and by history.
fn assert_equals_minimax<G: Game + std::fmt::Debug>(game: &G, depth: u32) {
    let truth = slow::value(game, depth);
    for (table, order) in [(1 << 16, 2), (0, 2), (1 << 16, 99), (0, 99)] {
        let report = searcher(table, order).search(game, &mut Limits::depth(depth));
        assert!((report.value - truth).abs() < 1e-6, "{} for {truth}, depth {depth}, {game:?}", report.value);
        assert_eq!(report.best, report.principal_variation.first().copied(), "{game:?}");
        if let Some(proof) = report.proof {
            assert_eq!(proof.outcome, slow::solve(game).0, "{game:?}");
        }
    }
}

#[test]
fn equals_minimax_where_turns_alternate() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    for _ in 0..1500 {
        let free = rng.random_range(2..18);
        let game = Domineering::random(&mut rng, free);
        assert_equals_minimax(&game, rng.random_range(1..5));
    }
}

#[test]
fn equals_minimax_where_the_mover_may_move_again() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
    for _ in 0..1500 {
        let left = rng.random_range(1..=12);
        let game = Boxes::random(&mut rng, left);
        assert_equals_minimax(&game, rng.random_range(1..4));
    }
}

#[test]
fn equals_minimax_where_a_turn_is_two_moves() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(13);
    for _ in 0..1500 {
        let game = Nim::random(&mut rng, 4);
        // Heaps of the same sizes occur at different depths; a value belongs to one depth only without a table.
        let depth = rng.random_range(1..6);
        let report = searcher(0, 2).search(&game, &mut Limits::depth(depth));
        let truth = slow::value(&game, depth);
        match report.proof {
            Some(proof) => assert_eq!(proof.outcome, Outcome::Win(game.winner()), "{game:?}"),
            None => assert!((report.value - truth).abs() < 1e-6, "{} for {truth}, {game:?} {depth}", report.value),
        }
    }
}

#[test]
fn one_searcher_proves_what_minimax_proves() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(14);
    let mut boxes = searcher(1 << 16, 2);
    let mut dominoes = searcher(1 << 16, 2);
    let mut nim = searcher(1 << 16, 2);
    let mut draws = 0;
    for _ in 0..750 {
        let left = rng.random_range(1..=9);
        let game = Boxes::random(&mut rng, left);
        let proof = boxes.search(&game, &mut Limits::default()).proof.expect("a search without limits proves");
        let (outcome, _) = slow::solve(&game);
        assert_eq!(proof.outcome, outcome, "{game:?}");
        draws += u32::from(outcome == Outcome::Draw);

        let free = rng.random_range(2..16);
        let game = Domineering::random(&mut rng, free);
        let proof = dominoes.search(&game, &mut Limits::default()).proof.expect("a search without limits proves");
        let (outcome, plies) = slow::solve(&game);
        // The table may know a longer way to win from earlier searches.
        assert!(proof.outcome == outcome && proof.plies >= plies, "{proof:?} {plies} {game:?}");

        let game = Nim::random(&mut rng, 7);
        let proof = nim.search(&game, &mut Limits::default()).proof.expect("a search without limits proves");
        assert_eq!(proof.outcome, Outcome::Win(game.winner()), "{game:?}");
    }
    assert!(draws > 100, "{draws} draws");
}

#[test]
fn the_first_search_finds_the_shortest_win() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(15);
    for _ in 0..500 {
        let game = Domineering::random(&mut rng, 12);
        let proof = searcher(1 << 16, 2).search(&game, &mut Limits::default()).proof;
        let (outcome, plies) = slow::solve(&game);
        assert_eq!(proof.map(|proof| (proof.outcome, proof.plies)), Some((outcome, plies)), "{game:?}");
    }
}

#[test]
fn a_stopped_search_keeps_a_searched_move() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(16);
    for _ in 0..300 {
        let game = Domineering::random(&mut rng, 20);
        if game.outcome().is_some() {
            continue;
        }
        let nodes = rng.random_range(0..3000);
        let report = searcher(1 << 16, 2).search(&game, &mut Limits::nodes(nodes));
        assert!(report.nodes <= nodes, "{} of {nodes}", report.nodes);
        let mut moves = Vec::new();
        game.moves(&mut moves);
        assert!(moves.contains(&report.best.expect("a move")), "{game:?}");
        assert_eq!(report.moves.len(), moves.len());
        assert_eq!(report.moves[0].mv, report.best.expect("a move"), "{game:?} {nodes}");
        if let Some(proof) = report.proof {
            assert_eq!(proof.outcome, slow::solve(&game).0, "{game:?} {nodes}");
        }
    }
}

#[test]
fn node_counts_stay_the_same() {
    // A different count is a different search: say so in the commit.
    let game = Domineering::random(&mut Xoshiro256PlusPlus::seed_from_u64(17), 23);
    let report = searcher(1 << 20, 2).search(&game, &mut Limits::depth(6));
    assert_eq!((report.nodes, report.depth), (54_224, 6), "{game:?}");
}

/// Ends the search at the first question.
struct Impatient(u64);

impl Budget for Impatient {
    fn exhausted(&mut self, progress: &Progress) -> bool {
        self.0 = progress.nodes;
        true
    }
}

#[test]
fn the_budget_is_asked() {
    let game = Domineering::random(&mut Xoshiro256PlusPlus::seed_from_u64(18), 25);
    let mut budget = Impatient(0);
    let report = searcher(1 << 16, 2).search(&game, &mut budget);
    assert_eq!(report.nodes, budget.0);
    assert_eq!(report.depth, 1);
}
