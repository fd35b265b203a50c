//! Plain minimax, and an evaluator without knowledge.

use std::collections::HashMap;

use amazons_search::{Evaluator, Game, Outcome, Player};

/// A hashed value: a searcher that confuses positions, sides or depths will not reproduce it.
#[derive(Clone, Debug)]
pub(super) struct Noise;

impl<G: Game> Evaluator<G> for Noise {
    fn evaluate(&mut self, game: &G) -> f32 {
        (mix(game.key() ^ 77) % 1999) as f32 / 1000.0 - 0.999
    }
}

/// The finaliser of SplitMix64.
pub(super) fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}

fn children<G: Game>(game: &G) -> Vec<G> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let child = |&mv: &G::Move| {
        let mut child = game.clone();
        child.play(mv);
        child
    };
    moves.iter().map(child).collect()
}

/// First maximises, Second minimises, whoever moved last.
fn choose<G: Game>(game: &G, values: impl Iterator<Item = f32>) -> f32 {
    match game.turn() {
        Player::First => values.fold(f32::NEG_INFINITY, f32::max),
        Player::Second => values.fold(f32::INFINITY, f32::min),
    }
}

/// The minimax value at a fixed depth from First's view; a win is ±1.
pub(super) fn value<G: Game>(game: &G, depth: u32) -> f32 {
    match game.outcome() {
        Some(outcome) => outcome.value(),
        None if depth == 0 => Noise.evaluate(game),
        None => choose(game, children(game).iter().map(|child| value(child, depth - 1))),
    }
}

/// The outcome with best play, and the plies within which the winner can force it; 0 plies for a draw.
pub(super) fn solve<G: Game>(game: &G) -> (Outcome, u32) {
    solve_with(game, &mut HashMap::new())
}

fn solve_with<G: Game>(game: &G, known: &mut HashMap<u64, (Outcome, u32)>) -> (Outcome, u32) {
    if let Some(outcome) = game.outcome() {
        return (outcome, 0);
    }
    if let Some(&solved) = known.get(&game.key()) {
        return solved;
    }
    let solved: Vec<_> = children(game).iter().map(|child| solve_with(child, known)).collect();
    let wins = solved.iter().filter(|(outcome, _)| *outcome == Outcome::Win(game.turn()));
    let best = if let Some(&(outcome, plies)) = wins.min_by_key(|(_, plies)| plies) {
        (outcome, plies + 1)
    } else if solved.iter().any(|(outcome, _)| *outcome == Outcome::Draw) {
        (Outcome::Draw, 0)
    } else {
        let &(outcome, plies) = solved.iter().max_by_key(|(_, plies)| plies).expect("an open game has a move");
        (outcome, plies + 1)
    };
    known.insert(game.key(), best);
    best
}
