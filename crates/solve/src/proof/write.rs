use std::collections::HashSet;

use amazons_rules::{Color, Move, Position};

use super::ruled::{Counts, Ruled, Step};
use crate::race::with_width;
use crate::search::{Search, Stopped};
use crate::shared::Shared;
use crate::solve::{Solution, solve_with};
use crate::state::State;
use crate::{Bits, Graph, Limit, SolveLimits, TooManyVertices};

/// The winner's moves of a proof, as [`verify_proof`](super::verify_proof) takes them.
pub type ProofMoves = Vec<Option<Move>>;

/// Finds the winner as [`solve`](crate::solve()) does, and the moves of a proof, unless a limit is reached; its
/// positions are those that the proof visits.
///
/// # Errors
/// When more than 256 vertices have no arrow.
pub fn prove(
    position: &Position,
    limits: &SolveLimits,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(Solution, Option<ProofMoves>), TooManyVertices> {
    with_width!(prove_on(position, limits, go_on))
}

fn prove_on<const W: usize>(
    position: &Position,
    limits: &SolveLimits,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(Solution, Option<ProofMoves>), TooManyVertices> {
    let (graph, stones) = Graph::<W>::of_position(position)?;
    let limits = SolveLimits { proof_positions: 0, ..*limits };
    let shared = Shared::new(&limits);
    let mut search = Search::new(position.board(), &graph, &limits, &shared, go_on);
    let solution = solve_with(position, &stones, &limits, &mut search);
    let Some(winner) = solution.winner else { return Ok((solution, None)) };
    let root = Ruled { stones, spare: 0, mover: position.side_to_move() };
    let mut writer = Writer { search, winner, counts: Counts::new(), seen: HashSet::new(), moves: Vec::new() };
    match writer.visit(root) {
        Ok(()) => Ok((Solution { proof_positions: Some(writer.seen.len()), ..solution }, Some(writer.moves))),
        Err(Stopped(limit)) => Ok((Solution { limit: Some(limit), ..solution }, None)),
    }
}

struct Writer<'a, const W: usize> {
    search: Search<'a, W>,
    winner: Color,
    counts: Counts<W>,
    seen: HashSet<Ruled<W>>,
    moves: ProofMoves,
}

impl<const W: usize> Writer<'_, W> {
    /// Walks as a verifier does, and writes a winning move where that one reads it.
    fn visit(&mut self, mut at: Ruled<W>) -> Result<(), Stopped> {
        at.settle(self.search.graph, &mut self.counts);
        if at.is_sure(self.search.graph, self.winner) || !self.seen.insert(at) {
            return Ok(());
        }
        let steps = at.steps(self.search.graph);
        if at.mover != self.winner {
            return steps.into_iter().try_for_each(|step| self.visit(at.play(step)));
        }
        let step = self.winning_step(&at, &steps)?;
        let vertex = |index: usize| self.search.graph.vertices()[index];
        self.moves.push(step.map(|[from, to, arrow]| Move {
            from: vertex(from),
            to: vertex(to),
            arrow: vertex(arrow),
        }));
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
        for (step, state) in open {
            let Some(state) = state else { return Ok(step) };
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
        let all: Bits<W> = (0..self.search.graph.len()).collect();
        let mut state = State::new(&self.search.codes, all - own - other, own, other);
        state.remove(&self.search.codes, all - at.stones.free - own - other);
        state.spare = spare;
        state
    }
}
