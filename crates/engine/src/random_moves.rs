use std::sync::Arc;

use amazons_rules::{Move, Position};
use amazons_search::{Budget, Game as SearchGame, Progress};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::GraphGame;
use crate::engine::{Arrows, Engine, SearchResult, Variation};
use crate::half_moves::HalfMoves;

/// Judges random moves and plays the best: for boards too large to search even the first half-moves. There is a move before
/// the first is judged, and judging it may end.
pub(crate) struct RandomMoves {
    game: Arc<GraphGame>,
    arrows: Arrows,
    seed: u64,
    /// The moves to choose from; any if empty.
    only: Vec<Move>,
    best: Option<Variation>,
}

/// Vertices looked at between two checks of the budget.
const VERTICES: u32 = 64;

impl RandomMoves {
    pub(crate) const fn new(game: Arc<GraphGame>, arrows: Arrows, seed: u64) -> Self {
        Self { game, arrows, seed, only: Vec::new(), best: None }
    }
}

impl Engine for RandomMoves {
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
            best.get_or_insert_with(|| Variation { moves: vec![mv], value: 0.0, visits: 1, proof: None });
            let progress = |nodes, best: &Option<Variation>| {
                let value = sign * best.as_ref().map_or(0.0, |best| best.value);
                Progress { nodes, depth: 2, best: None, value, lead: 0 }
            };
            let begun = progress(nodes, &best);
            let mut asked = 0u32;
            let mut go_on = || {
                asked += 1;
                !asked.is_multiple_of(VERTICES) || !budget.exhausted(&begun)
            };
            let mut after = position.clone();
            after.play_unchecked(mv);
            let after = HalfMoves::new(Arc::clone(&self.game), &after);
            nodes += 1;
            // On a large board different scores can round to the same probability.
            let (worth, value) = if after.outcome().is_some() {
                (i32::MAX, 1.0)
            } else {
                let Some(opponents) = after.game().evaluate_while(after.state(), &mut go_on) else { break };
                (-opponents.score, 1.0 - 2.0 * opponents.value())
            };
            let worth = (worth, self.arrows == Arrows::Clear && !position.shoots_back(mv));
            if nodes == 1 || worth > most {
                most = worth;
                best = Some(Variation { moves: vec![mv], value, visits: 1, proof: None });
            }
            if budget.exhausted(&progress(nodes, &best)) {
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
