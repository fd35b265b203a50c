//! Looks one move ahead and plays for territory: the vertices that its queens reach in fewer queen moves than the
//! opponent's.
//!
//! The work for a move is bounded by a count, not by a clock, so games can be repeated. The queens' steps are ranked
//! first, each with the arrow that always exists, back to the queen's origin; then the arrows of the best steps are
//! tried until the budget is spent. On small boards that covers every legal move.

mod evaluation;

use std::cmp::Reverse;
use std::ffi::CStr;

use amazons_player::rules::{Move, Position, Vertex};
use amazons_player::{GameInfo, Player, export_player};

use evaluation::Evaluation;

/// The number of vertices to measure for a move: about 10 ms.
const BUDGET: usize = 100_000;

struct Territory {
    evaluation: Evaluation,
    /// Whether the server is another team's: some forbid arrows through the vertex that the queen left.
    is_guest: bool,
    evaluations_per_move: usize,
}

impl Player for Territory {
    const NAME: &'static CStr = c"territory";

    fn new(game: &GameInfo) -> Self {
        let vertices = game.board.vertex_count().max(1);
        Self {
            evaluation: Evaluation::new(&game.board),
            is_guest: !game.limits.are_told(),
            // At least two: one to rank a step, one to try an arrow.
            evaluations_per_move: (BUDGET / vertices).max(2),
        }
    }

    fn play(&mut self, position: &Position) -> Option<Move> {
        let mut position = position.clone();
        let mut evaluations_left = self.evaluations_per_move;

        let mut ranked = Vec::new();
        for mv in open_steps(&position, evaluations_left / 2) {
            ranked.push((self.score(&mut position, mv), mv));
            evaluations_left -= 1;
        }
        ranked.sort_by_key(|&(score, _)| Reverse(score));

        let mut best = *ranked.first()?;
        for (_, step) in ranked {
            for arrow in arrows(&position, step) {
                if evaluations_left == 0 {
                    return Some(best.1);
                }
                evaluations_left -= 1;
                let mv = Move { arrow, ..step };
                let score = self.score(&mut position, mv);
                if score > best.0 {
                    best = (score, mv);
                }
            }
        }
        Some(best.1)
    }
}

/// A move's value, and whether it precedes others of that value.
type Score = (i32, bool);

impl Territory {
    /// The value of a legal move for its player.
    fn score(&mut self, position: &mut Position, mv: Move) -> Score {
        let is_preferred = self.is_guest && !position.shoots_back(mv);
        position.play_unchecked(mv);
        let score = self.evaluation.after_move(position);
        position.undo(mv);
        (score, is_preferred)
    }
}

/// The queens' steps, each with an arrow back to the origin; if there are too many, those with the widest view.
fn open_steps(position: &Position, at_most: usize) -> Vec<Move> {
    let mut steps = Vec::new();
    for &from in position.queens(position.side_to_move()) {
        for &to in position.slides(from).flatten() {
            steps.push(Move { from, to, arrow: from });
        }
    }
    if steps.len() > at_most {
        let view = |step: &Move| position.slides(step.to).map(<[Vertex]>::len).sum::<usize>();
        steps.sort_by_cached_key(|step| Reverse(view(step)));
        steps.truncate(at_most);
    }
    steps
}

/// The queen's other arrows after a step: what it sees from there, and past the vertex that it left.
fn arrows(position: &Position, step: Move) -> Vec<Vertex> {
    let mut arrows: Vec<_> = position.slides(step.to).flatten().copied().collect();
    let seen = arrows.len();
    for &arrow in position.slides(step.from).flatten() {
        if !arrows[..seen].contains(&arrow) && position.is_legal(Move { arrow, ..step }).is_ok() {
            arrows.push(arrow);
        }
    }
    arrows
}

export_player!(Territory);
