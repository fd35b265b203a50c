use amazons_formats::Game;
use amazons_program::Interrupt;
use amazons_rules::{Color, Move, MoveList, Position};
use amazons_solve::{Solution, SolveLimits, solve};

use crate::analysis::{Analyst, Effort};
use crate::puzzles::{Puzzle, Refutation, Source};

/// The visits of the short search that must prefer a wrong move.
const SHORT: u64 = 100;

/// Searches games for puzzles, on one thread; without an interruption, the result is the same on every machine.
#[derive(Clone, Copy, Debug)]
pub struct Finder<'a> {
    /// The positions whose moves are tried for each proof.
    pub nodes: u64,
    /// The visits in which the engine may find the answer.
    pub visits: u64,
    /// Requests to end the search early.
    pub interrupt: &'a Interrupt,
}

/// A proof takes too long, or the search is to end.
struct Unsolved;

impl Finder<'_> {
    /// Returns the puzzle of a game that the engine takes longest to find, and how many positions were solved.
    ///
    /// The game is read backwards, until a position is not solved within the limit: those before it are harder still.
    pub fn hardest(&self, game: &Game, file: &str, number: usize) -> (Option<Puzzle>, usize) {
        let effort = Effort { nodes: Some(SHORT), ..Effort::default() };
        let Ok(analyst) = Analyst::new(game.board(), effort) else { return (None, 0) };
        let (mut hardest, mut solved): (Option<Puzzle>, _) = (None, 0);
        for ply in (0..=game.moves().len()).rev() {
            let Some(position) = game.until(ply).map(|game| game.position().clone()) else { break };
            let players = Color::ALL.map(|color| game.name(color).map(str::to_owned));
            let played = game.moves().get(ply).map(|played| played.mv);
            let source = Source { file: file.to_owned(), game: number, ply, players, played };
            let Ok(found) = self.look(&analyst, &position, source) else { break };
            solved += 1;
            if let Some(puzzle) = found
                && hardest.as_ref().is_none_or(|known| known.difficulty() < puzzle.difficulty())
            {
                hardest = Some(puzzle);
            }
        }
        (hardest, solved)
    }

    /// Returns the puzzle of a position, if exactly one move wins and the short search prefers another one.
    fn look(&self, analyst: &Analyst, position: &Position, source: Source) -> Result<Option<Puzzle>, Unsolved> {
        if self.solve(position)?.winner != Some(position.side_to_move()) {
            return Ok(None);
        }
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let mut moves: Vec<Move> = moves.iter().copied().collect();
        let candidates = analyst.judge(position, moves.len()).candidates;
        let place = |mv: &Move| candidates.iter().position(|candidate| candidate.moves.first() == Some(mv));
        // The likeliest winners first: the second that wins ends it.
        moves.sort_by_key(|mv| place(mv).unwrap_or(usize::MAX));
        let (mut answer, mut wrong) = (None, Vec::new());
        for &mv in &moves {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let solution = self.solve(&after)?;
            let proof_positions = solution.proof_positions.ok_or(Unsolved)?;
            match solution.winning_move {
                Some(reply) => wrong.push(Refutation { mv, reply, proof_positions }),
                None if answer.is_some() || wrong.is_empty() => return Ok(None),
                None => answer = Some((mv, proof_positions)),
            }
        }
        let (Some((answer, proof_positions)), Some(lure)) = (answer, wrong.first().map(|wrong| wrong.mv)) else {
            return Ok(None);
        };
        wrong.sort_by_key(|wrong| (wrong.mv.from, wrong.mv.to, wrong.mv.arrow));
        let visits = analyst.visits_to_find(position, answer, self.visits);
        Ok(Some(Puzzle { source, position: position.clone(), answer, lure, visits, proof_positions, wrong }))
    }

    /// Solves a position within the limit.
    fn solve(&self, position: &Position) -> Result<Solution, Unsolved> {
        let limits = SolveLimits { nodes: self.nodes, table_bytes: 16 << 20, ..SolveLimits::default() };
        let solution = solve(position, &limits, &mut || self.interrupt.count() == 0).map_err(|_| Unsolved)?;
        solution.winner.map(|_| solution).ok_or(Unsolved)
    }
}
