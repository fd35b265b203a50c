//! The tree between moves, and its memory.

use amazons_search::{Game, Limits, Mcts, MctsConfig, Searcher};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::boxes::Boxes;
use super::domineering::Domineering;
use super::slow::{self, Noise};

const NODE_BYTES: usize = 40;
const CHUNK_BYTES: usize = NODE_BYTES << 16;

fn mcts<G: Game>(memory_bytes: usize) -> Mcts<G, Noise> {
    Mcts::new(MctsConfig { memory_bytes, expand_after: 1, ..MctsConfig::default() }, Noise)
}

#[test]
fn advancing_keeps_statistics() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(31);
    for _ in 0..80 {
        let mut game = Domineering::random(&mut rng, 22);
        let mut mcts = mcts(0);
        let before = mcts.search(&game, &mut Limits::nodes(1500));
        if before.principal_variation.len() < 2 || before.proof.is_some() {
            continue;
        }
        let line = &before.principal_variation[..rng.random_range(1..3)];
        // The same statistics, seen through a search without nodes of a copy that walks down move by move.
        let mut step_by_step = mcts_clone(&game, 1500);
        for &mv in line {
            step_by_step.advance(&[mv]);
            game.play(mv);
        }
        let nodes = mcts.tree_nodes();
        mcts.advance(line);
        assert!(mcts.tree_nodes() < nodes);
        let after = mcts.search(&game, &mut Limits::nodes(0));
        assert_eq!(after, step_by_step.search(&game, &mut Limits::nodes(0)), "{game:?}");
        if line.len() == 1 {
            let visits: u64 = after.moves.iter().map(|root| root.visits).sum();
            let kept = before.moves[0].visits;
            assert!((1..=2).contains(&(kept - visits)), "only visits that gave it children went no further");
        }
    }
}

fn mcts_clone(game: &Domineering, nodes: u64) -> Mcts<Domineering, Noise> {
    let mut mcts = mcts(0);
    mcts.search(game, &mut Limits::nodes(nodes));
    mcts
}

#[test]
fn a_kept_tree_still_proves_the_truth() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(32);
    for _ in 0..400 {
        let mut game = Boxes::random(&mut rng, 9);
        let mut mcts = mcts(0);
        while game.outcome().is_none() {
            let report = mcts.search(&game, &mut Limits::nodes(200));
            if let Some(proof) = report.proof {
                assert_eq!(proof.outcome, slow::solve(&game).0, "{game:?}");
            }
            // Sometimes a move that the search does not expect, sometimes without telling it.
            let choice = rng.random_range(0..report.moves.len().min(3));
            let mv = report.moves[choice].mv;
            game.play(mv);
            if rng.random_range(0..4) > 0 {
                mcts.advance(&[mv]);
            }
        }
        assert_eq!(mcts.search(&game, &mut Limits::nodes(10)).best, None);
    }
}

#[test]
fn an_unknown_move_empties_the_tree() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(33);
    let mut game = Domineering::random(&mut rng, 25);
    let mut mcts = mcts(0);
    let report = mcts.search(&game, &mut Limits::nodes(0));
    let mv = report.best.expect("a move");
    game.play(mv);
    let mut moves = Vec::new();
    game.moves(&mut moves);
    mcts.advance(&[mv, moves[0]]);
    assert_eq!(mcts.tree_nodes(), 1);
    game.play(moves[0]);
    let fresh = mcts_clone(&game, 500);
    assert_eq!(mcts.search(&game, &mut Limits::nodes(500)).nodes, 500);
    assert_eq!(mcts.tree_nodes(), fresh.tree_nodes());
}

#[test]
fn memory_is_bounded_and_a_full_tree_is_searched() {
    let game = Domineering::random(&mut Xoshiro256PlusPlus::seed_from_u64(34), 25);
    for chunks in [0, 1, 3] {
        let mut mcts = mcts(chunks * CHUNK_BYTES);
        let report = mcts.search(&game, &mut Limits::nodes(60_000));
        assert_eq!(report.nodes, 60_000);
        assert_eq!(mcts.tree_bytes(), chunks.max(1) * CHUNK_BYTES);
        assert!(mcts.tree_nodes() * NODE_BYTES <= mcts.tree_bytes());
        // Compacted over several chunks, the tree has room again and goes on.
        let mv = report.best.expect("a move");
        let mut after = game.clone();
        after.play(mv);
        let full = mcts.tree_nodes();
        mcts.advance(&[mv]);
        let kept = mcts.tree_nodes();
        assert!(kept < full && kept > 1, "{kept} of {full}");
        mcts.search(&after, &mut Limits::nodes(200));
        assert!(mcts.tree_nodes() > kept);
        assert_eq!(mcts.tree_bytes(), chunks.max(1) * CHUNK_BYTES);
    }
}

#[test]
fn minimax_is_that_of_the_children() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(35);
    let mut compared = 0;
    for _ in 0..700 {
        let mut game = Boxes::random(&mut rng, 11);
        // Moves without a child that come with a new root may be better.
        let config = MctsConfig {
            minimax_weight: 1.0,
            expand_after: 1,
            judge_first: u32::MAX,
            memory_bytes: 0,
            ..MctsConfig::default()
        };
        let mut mcts = Mcts::new(config, Noise);
        let mut report = mcts.search(&game, &mut Limits::nodes(400));
        // Down a random line of the tree, every value is the best of those below.
        loop {
            let open: Vec<_> = report.moves.iter().filter(|root| root.proof.is_none() && root.visits > 0).collect();
            let Some(&chosen) = open.get(rng.random_range(0..open.len().max(1))) else { break };
            let chosen = *chosen;
            game.play(chosen.mv);
            mcts.advance(&[chosen.mv]);
            report = mcts.search(&game, &mut Limits::nodes(0));
            let sign = game.turn().sign();
            let best = report.moves.iter().map(|root| sign * root.value).fold(f32::NEG_INFINITY, f32::max);
            assert!((sign * chosen.value - best).abs() < 1e-6, "{} for {best}, {game:?}", sign * chosen.value);
            compared += 1;
        }
    }
    assert!(compared > 1000, "{compared} nodes");
}
