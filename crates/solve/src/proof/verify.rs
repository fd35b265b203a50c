use amazons_rules::{Color, Move, Position};
use thiserror::Error;

use super::ruled::{Counts, Ruled, Step};
use super::seen::Seen;
use crate::race::with_width;
use crate::{Graph, TooManyVertices};

/// Why a list of moves is no proof.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refuted {
    /// A move cannot be played where its turn comes.
    #[error("move {number}: {text} is not possible there")]
    Impossible {
        /// Its number, from 1.
        number: usize,
        /// The move.
        text: String,
    },
    /// The list ends before the winner's moves are complete.
    #[error("a move is missing after {0} moves")]
    Short(usize),
    /// Moves are left when all positions have been answered.
    #[error("all is proven after {0} moves, and more follow")]
    Long(usize),
    /// The position is too large.
    #[error(transparent)]
    TooMany(#[from] TooManyVertices),
}

/// Walks through a proof that a colour wins, and returns the number of positions that it visits.
///
/// `moves` are the winner's, in the order in which the walk meets positions in which it is to move; `None` is a move
/// off the board. `docs/proofs.md` has the rules of the walk. The error is the first thing that is wrong.
pub fn verify_proof(
    position: &Position,
    winner: Color,
    moves: &mut dyn Iterator<Item = Option<Move>>,
) -> Result<usize, Refuted> {
    with_width!(verify_on(position, winner, moves))
}

fn verify_on<const W: usize>(
    position: &Position,
    winner: Color,
    moves: &mut dyn Iterator<Item = Option<Move>>,
) -> Result<usize, Refuted> {
    let (graph, stones) = Graph::<W>::of_position(position)?;
    let root = Ruled { stones, spare: 0, mover: position.side_to_move() };
    let (counts, seen) = (Counts::default(), Seen::new(&graph));
    let mut walk = Walk { position, graph: &graph, winner, moves, taken: 0, counts, seen };
    walk.visit(root)?;
    if walk.moves.next().is_some() {
        return Err(Refuted::Long(walk.taken));
    }
    Ok(walk.seen.len())
}

struct Walk<'a, const W: usize> {
    position: &'a Position,
    graph: &'a Graph<W>,
    winner: Color,
    moves: &'a mut dyn Iterator<Item = Option<Move>>,
    taken: usize,
    counts: Counts<W>,
    seen: Seen<W>,
}

impl<const W: usize> Walk<'_, W> {
    fn visit(&mut self, mut at: Ruled<W>) -> Result<(), Refuted> {
        at.settle(self.graph, &mut self.counts);
        if at.is_sure(self.graph, self.winner) || !self.seen.insert(&at) {
            return Ok(());
        }
        let steps = at.steps(self.graph);
        if at.mover != self.winner {
            return steps.into_iter().try_for_each(|step| self.visit(at.play(step)));
        }
        let step = self.next(&steps)?;
        self.visit(at.play(step))
    }

    /// Takes the next move of the list, which must be one of those possible.
    fn next(&mut self, steps: &[Step]) -> Result<Step, Refuted> {
        let told = self.moves.next().ok_or(Refuted::Short(self.taken))?;
        self.taken += 1;
        let index = |vertex| self.graph.vertices().binary_search(&vertex).ok();
        let step = told.map(|mv| Some([index(mv.from)?, index(mv.to)?, index(mv.arrow)?]));
        let step = match step {
            None => Some(None),
            Some(on_board) => on_board.map(Some),
        };
        step.filter(|step| steps.contains(step)).ok_or_else(|| Refuted::Impossible {
            number: self.taken,
            text: told.map_or_else(|| "-".to_owned(), |mv| self.position.board().move_text(mv)),
        })
    }
}
