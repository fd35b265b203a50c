use crate::Game;

/// Guesses the value of positions; it may keep caches, and [`Mcts`](crate::Mcts) clones it for each thread.
pub trait Evaluator<G: Game> {
    /// Returns the value of a position whose outcome is unknown: in (−1, 1), seen from First whoever is to move.
    fn evaluate(&mut self, game: &G) -> f32;

    /// Replaces the contents of `values` by the value after each of `moves`, in their order, seen from First; leaves
    /// `game` as it was.
    ///
    /// An evaluator that can do better than one child at a time overrides this. Where a child's outcome is known it
    /// should give [`Outcome::value`](crate::Outcome::value), as this default does; a guess there costs the
    /// searchers no proof, which they take from [`Game::outcome`], but delays it.
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
