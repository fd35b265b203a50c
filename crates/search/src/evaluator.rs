use crate::Game;

/// Estimates the value of positions; it may keep caches, and [`Mcts`](crate::Mcts) clones it for each thread.
pub trait Evaluator<G: Game> {
    /// Returns the value of a position with unknown outcome: in (−1, 1), from First's view whoever is to move.
    fn evaluate(&mut self, game: &G) -> f32;

    /// Replaces the contents of `values` by the value after each of `moves`, in order, from First's view; restores
    /// `game`.
    ///
    /// Override this to evaluate several children at a time. If a child's outcome is known, return
    /// [`Outcome::value`](crate::Outcome::value), as this default does. An estimate instead loses no proof, as
    /// searchers take proofs from [`Game::outcome`], but delays it.
    fn evaluate_moves(&mut self, game: &mut G, moves: &[G::Move], values: &mut Vec<f32>) {
        values.clear();
        for &mv in moves {
            game.play(mv);
            values.push(match game.outcome() {
                Some(outcome) => outcome.value(),
                None => self.evaluate(game),
            });
            game.undo(mv);
        }
    }
}
