use rand::{Rng, RngExt};

use crate::lines::{Lines, Span};
use crate::{Move, Position, Vertex};

impl Position {
    /// Draws a legal move: first the queen, then its target, then its arrow, each uniformly; `None` when blocked.
    #[inline]
    pub fn random_move(&self, rng: &mut impl Rng) -> Option<Move> {
        let lines = self.board().lines();
        let queens = self.queens(self.side_to_move());
        let movable = |&queen: &Vertex| lines.has_free_neighbor(self.words(), queen);
        let mut any_draw = || queens[rng.random_range(0..queens.len())];
        // Redrawing until the queen can move is uniform among those that can.
        let mut from = if self.has_moves() { any_draw() } else { return None };
        while !movable(&from) {
            from = any_draw();
        }
        let to = draw(lines, from, &lines.spans(self.words(), from), rng);
        let arrow = draw(lines, to, &lines.spans_without(self.words(), to, from), rng);
        Some(Move { from, to, arrow })
    }

    /// Plays random moves until the side to move is blocked; returns their number.
    #[inline]
    pub fn random_playout(&mut self, rng: &mut impl Rng) -> u32 {
        let mut plies = 0;
        while let Some(mv) = self.random_move(rng) {
            self.play_unchecked(mv);
            plies += 1;
        }
        plies
    }
}

/// Draws one of the free vertices seen from `vertex`; there must be one.
#[inline]
fn draw(lines: &Lines, vertex: Vertex, spans: &[Span], rng: &mut impl Rng) -> Vertex {
    let mut choice = rng.random_range(0..spans.iter().map(|span| span.len()).sum());
    for (span, place) in spans.iter().zip(lines.places(vertex)) {
        if choice < span.len() {
            let at = span.below + 1 + choice;
            return lines.vertex_at(at + u32::from(at >= place));
        }
        choice -= span.len();
    }
    unreachable!("the choice is smaller than the sum of the lengths")
}
