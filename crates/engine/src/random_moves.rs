use std::sync::Arc;

use amazons_rules::{Move, Position};
use amazons_search::{Budget, Game as SearchGame, Progress};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::Game;
use crate::engine::{Arrows, Engine, SearchResult, Variation};
use crate::half_moves::HalfMoves;

/// Judges random moves and plays the best: for boards too large to search even the first half-moves.
pub(crate) struct RandomMoves<G> {
    game: Arc<G>,
    arrows: Arrows,
    seed: u64,
    /// The moves to choose from; any if empty.
    only: Vec<Move>,
    best: Option<Variation>,
}

impl<G> RandomMoves<G> {
    pub(crate) const fn new(game: Arc<G>, arrows: Arrows, seed: u64) -> Self {
        Self { game, arrows, seed, only: Vec::new(), best: None }
    }
}

impl<G: Game<State: Send> + Send + Sync> Engine for RandomMoves<G> {
    fn search(&mut self, position: &Position, budget: &mut dyn Budget) -> Option<SearchResult> {
        let root = HalfMoves::new(Arc::clone(&self.game), position);
        let sign = root.turn().sign();
        // The same position draws the same moves.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(root.key() ^ self.seed);
        let (mut best, mut most, mut nodes) = (None::<Variation>, (i32::MIN, false), 0);
        while nodes < budget.max_nodes().max(1) {
            let drawn = match self.only.is_empty() {
                true => position.random_move(&mut rng),
                false => self.only.choose(&mut rng).copied(),
            };
            let Some(mv) = drawn else { break };
            let mut after = position.clone();
            after.play_unchecked(mv);
            let after = HalfMoves::new(Arc::clone(&self.game), &after);
            nodes += 1;
            // On a large board different scores can round to the same probability.
            let (worth, value) = if after.outcome().is_some() {
                (i32::MAX, 1.0)
            } else {
                let opponents = after.game().evaluate(after.state());
                (-opponents.score, 1.0 - 2.0 * opponents.value())
            };
            let worth = (worth, self.arrows == Arrows::Clear && !position.shoots_back(mv));
            if best.is_none() || worth > most {
                most = worth;
                best = Some(Variation { moves: vec![mv], value, visits: 1, proof: None });
            }
            let value = sign * best.as_ref().map_or(0.0, |best| best.value);
            if budget.exhausted(&Progress { nodes, depth: 2, best: None, value, lead: 0 }) {
                break;
            }
        }
        self.best.clone_from(&best);
        let Variation { moves, value, proof, .. } = best?;
        Some(SearchResult { mv: moves[0], value, proof, nodes, depth: 2, principal_variation: moves })
    }

    fn restrict(&mut self, moves: &[Move]) {
        self.only = moves.to_vec();
    }

    fn lines(&self, count: usize) -> Vec<Variation> {
        self.best.iter().take(count).cloned().collect()
    }
}
