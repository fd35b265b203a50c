//! Lines avoided where others are about as good.

use amazons_search::{
    AlphaBeta, AlphaBetaConfig, Avoided, Game, Limits, Mcts, MctsConfig, Outcome, Player, SearchLine, SearchReport,
    Searcher,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::boxes::Boxes;
use super::domineering::Domineering;
use super::slow::{self, Noise};

/// A hash decides whether to avoid a line.
fn is_avoided<G: Game>(first: G::Move, second: G::Move) -> bool {
    !slow::mix(u64::from(G::pack(first)) << 32 | u64::from(G::pack(second))).is_multiple_of(3)
}

/// The value of a position after `first`, where an avoided reply costs its mover the margin.
fn value_behind<G: Game>(root: &G, first: G::Move, depth: u32, margin: f32) -> f32 {
    let mut game = root.clone();
    game.play(first);
    if game.outcome().is_some() || depth == 0 {
        return slow::value(&game, depth);
    }
    let sign = game.turn().sign();
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let value = |&second: &G::Move| {
        let mut after = game.clone();
        after.play(second);
        let value = sign * slow::value(&after, depth - 1);
        // Wins and losses keep their values; the evaluator's lie between.
        let is_charged = is_avoided::<G>(first, second) && value.abs() < 1.0;
        if is_charged { (value - margin).max(-0.999_999) } else { value }
    };
    sign * moves.iter().map(value).fold(f32::NEG_INFINITY, f32::max)
}

fn assert_equals_minimax<G: Game>(game: &G, depth: u32, margin: f32) -> bool {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let sign = game.turn().sign();
    let values = moves.iter().map(|&mv| sign * value_behind(game, mv, depth - 1, margin));
    let truth = sign * values.fold(f32::NEG_INFINITY, f32::max);
    let avoided = Avoided { is_avoided: &is_avoided::<G>, margin };
    for (table_bytes, evaluator_order) in [(1 << 16, 2), (0, 99)] {
        let config = AlphaBetaConfig { table_bytes, evaluator_order, ..AlphaBetaConfig::default() };
        let mut searcher = AlphaBeta::new(config, Noise);
        let report = searcher.search_avoiding(game, &mut Limits::depth(depth), Some(&avoided));
        assert!((report.value - truth).abs() < 1e-5, "{} for {truth}, depth {depth}", report.value);
    }
    (truth - slow::value(game, depth)).abs() > 1e-5
}

#[test]
fn alpha_beta_equals_minimax_with_a_price_on_what_is_avoided() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(71);
    let mut changed = 0;
    for _ in 0..750 {
        let (depth, margin) = (rng.random_range(2..5), rng.random_range(0.0..0.7));
        let free = rng.random_range(4..16);
        let game = Domineering::random(&mut rng, free);
        if game.outcome().is_none() {
            changed += u32::from(assert_equals_minimax(&game, depth, margin));
        }
        let left = rng.random_range(3..=10);
        let game = Boxes::random(&mut rng, left);
        if game.outcome().is_none() {
            changed += u32::from(assert_equals_minimax(&game, depth.min(3), margin));
        }
    }
    assert!(changed > 250, "what is avoided changed {changed} values");
}

/// A search's reports with and without avoided lines, and the lines of its tree.
struct Searched<M> {
    with: SearchReport<M>,
    without: SearchReport<M>,
    lines: Vec<SearchLine<M>>,
}

fn search<G: Game + Send>(game: &G, nodes: u64, avoided: &Avoided<G::Move>) -> Searched<G::Move> {
    let make = || Mcts::new(MctsConfig { memory_bytes: 1 << 20, ..MctsConfig::default() }, Noise);
    let (mut first, mut second) = (make(), make());
    let with = first.search_avoiding(game, &mut Limits::nodes(nodes), Some(avoided));
    let without = second.search(game, &mut Limits::nodes(nodes));
    Searched { with, without, lines: second.lines(2, usize::MAX) }
}

fn has_outcome<M>(line: &SearchLine<M>, outcome: Outcome) -> bool {
    line.proof.is_some_and(|proof| proof.outcome == outcome)
}

#[test]
fn a_best_first_search_takes_another_line_that_is_about_as_good() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(72);
    let (mut kept, mut changed) = (0, 0);
    for _ in 0..300 {
        let left = rng.random_range(6..10);
        let game = Boxes::random(&mut rng, left);
        let margin = rng.random_range(0.0..0.3);
        let avoided = Avoided { is_avoided: &is_avoided::<Boxes>, margin };
        let Searched { with, without, lines } = search(&game, rng.random_range(50..3000), &avoided);
        let is_bad = |moves: &[_]| moves.len() > 1 && is_avoided::<Boxes>(moves[0], moves[1]);
        if !is_bad(&without.principal_variation) {
            assert_eq!(with, without);
            continue;
        }
        assert_eq!((with.best, with.moves.len()), (with.principal_variation.first().copied(), without.moves.len()));
        assert_eq!(with.moves.first().map(|best| best.mv), with.best);
        let [win, loss] = [game.turn(), game.turn().opponent()].map(Outcome::Win);
        let best = &lines[0];
        if with.principal_variation != without.principal_variation {
            changed += 1;
            let same = |line: &&SearchLine<_>| line.moves == with.principal_variation;
            let chosen = lines.iter().find(same).expect("it is in the tree");
            assert!(!is_bad(&chosen.moves), "it is to be avoided, too");
            assert!(!has_outcome(best, win) || has_outcome(chosen, win), "a win was given away");
            assert!(!has_outcome(chosen, loss) || has_outcome(best, loss), "a loss was chosen");
            let lost = if game.turn() == Player::First { best.value - chosen.value } else { chosen.value - best.value };
            assert!(best.proof.is_some() || lost <= margin, "{lost} lost, {margin} allowed");
        } else {
            kept += 1;
            // Whatever is well known and as good would have been taken.
            let is_better = |line: &&SearchLine<_>| {
                let lost = game.turn().sign() * (best.value - line.value);
                let is_known = line.moves.len() > 1 && line.proof.is_none() && line.visits >= best.visits / 4;
                is_known && !is_bad(&line.moves) && best.proof.is_none() && lost <= margin
            };
            assert_eq!(lines.iter().take(20).find(is_better), None);
        }
    }
    assert!(kept > 15 && changed > 30, "{kept} kept, {changed} changed");
}
