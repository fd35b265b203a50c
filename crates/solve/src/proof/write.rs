use amazons_rules::{Color, Move, Vertex};

use super::ruled::{Counts, Ruled, Step};
use super::seen::Seen;
use crate::search::{Search, Stopped};
use crate::state::State;
use crate::{Limit, Stones};

/// The winner's moves of a proof, as [`verify_proof`](super::verify_proof) takes them.
#[derive(Clone, Debug)]
pub struct ProofMoves {
    /// By their index.
    vertices: Vec<Vertex>,
    /// Indices, or [`OFF_BOARD`].
    steps: Vec<[u8; 3]>,
}

/// A move off the board; no other one ends where it began.
const OFF_BOARD: [u8; 3] = [0; 3];

impl ProofMoves {
    /// Returns the number of moves.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns the moves in their order; `None` is one off the board.
    pub fn iter(&self) -> impl Iterator<Item = Option<Move>> {
        self.steps.iter().map(|&step| {
            let [from, to, arrow] = step.map(|index| self.vertices[usize::from(index)]);
            (step != OFF_BOARD).then_some(Move { from, to, arrow })
        })
    }

    fn push(&mut self, step: Step) {
        // No graph has more than 256 vertices.
        let index = |index| u8::try_from(index).expect("an index below 256");
        self.steps.push(step.map_or(OFF_BOARD, |step| step.map(index)));
    }
}

/// Returns the winner's moves of a proof, and the positions that it visits.
pub(crate) fn write<const W: usize>(
    search: Search<'_, W>,
    stones: &Stones<W>,
    mover: Color,
    winner: Color,
) -> Result<(ProofMoves, usize), Stopped> {
    let root = Ruled { stones: *stones, spare: 0, mover };
    let seen = Seen::new(search.graph);
    let moves = ProofMoves { vertices: search.graph.vertices().to_vec(), steps: Vec::new() };
    let mut writer = Writer { search, winner, counts: Counts::default(), seen, moves };
    writer.visit(root)?;
    Ok((writer.moves, writer.seen.len()))
}

struct Writer<'a, const W: usize> {
    search: Search<'a, W>,
    winner: Color,
    counts: Counts<W>,
    seen: Seen<W>,
    moves: ProofMoves,
}

impl<const W: usize> Writer<'_, W> {
    /// Walks as a verifier does, and writes a winning move where that one reads it.
    fn visit(&mut self, mut at: Ruled<W>) -> Result<(), Stopped> {
        at.settle(self.search.graph, &mut self.counts);
        if at.is_sure(self.search.graph, self.winner) || !self.seen.insert(&at) {
            return Ok(());
        }
        let steps = at.steps(self.search.graph);
        if at.mover != self.winner {
            return steps.into_iter().try_for_each(|step| self.visit(at.play(step)));
        }
        let step = self.winning_step(&at, &steps)?;
        self.moves.push(step);
        self.visit(at.play(step))
    }

    /// Finds a move that wins: one that counting decides, else one that is in the table, else by search.
    fn winning_step(&mut self, at: &Ruled<W>, steps: &[Step]) -> Result<Step, Stopped> {
        let mut open = Vec::new();
        for &step in steps {
            let mut next = at.play(step);
            next.settle(self.search.graph, &mut self.counts);
            if next.is_sure(self.search.graph, self.winner) {
                return Ok(step);
            }
            let mut state = self.state(&next);
            match self.search.judge(&mut state)? {
                Some(false) => open.push((step, None)),
                Some(true) => {}
                None => open.push((step, Some(state))),
            }
        }
        let is_known = |(_, state): &&(Step, Option<State<W>>)| {
            state.is_none_or(|state| {
                self.search.shared.table.get(state.key(&self.search.codes), state.spare) == Some(false)
            })
        };
        if let Some(&(step, _)) = open.iter().find(is_known) {
            return Ok(step);
        }
        let mut ranked: Vec<_> = open.into_iter().filter_map(|(step, state)| Some((step, state?))).collect();
        ranked.sort_by_cached_key(|(_, state)| self.search.guess(state));
        for (step, state) in ranked {
            let key = state.key(&self.search.codes);
            if !self.search.wins(&state, key)? {
                return Ok(step);
            }
        }
        // Only a position that is lost has no such move, and the walk never comes to one.
        Err(Stopped(Limit::Proof))
    }

    fn state(&self, at: &Ruled<W>) -> State<W> {
        let [own, other] = [at.mover, at.mover.opposite()].map(|color| at.stones.queens[color.index()]);
        let spare = if at.mover == Color::Black { at.spare } else { -at.spare };
        let mut state = State::new(&self.search.codes, at.stones.free, own, other);
        state.spare = spare;
        state
    }
}
