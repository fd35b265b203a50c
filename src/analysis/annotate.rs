use amazons_formats::{Mark, MoveNote, Variation};
use amazons_rules::{Color, Move, Position};
use amazons_solve::{SolveLimits, solve};

use crate::analysis::{Analyst, Candidate, Certain, Judgement, facts};
use crate::referee::{ReviewEvent, SideEvent};

/// Points of accuracy lost with each hundredth of a chance, as a rate: a tenth given away leaves 67 %.
const ACCURACY_RATE: f32 = 4.0;

/// Maximum number of free vertices of a position to prove: more take longer, and hardly ever succeed.
const PROVEN_MAX: usize = 32;

/// Maximum number of positions for a proof that a bad move was no mistake.
const PROOF_NODES: u64 = 2_000;

/// A game that is annotated move by move.
#[derive(Debug)]
pub struct Annotator<'a> {
    analyst: &'a Analyst,
    /// Maximum number of lines of each position.
    lines: usize,
    /// The position reached.
    pub(crate) position: Position,
    pub(super) judgement: Judgement,
    sides: [SideEvent; 2],
}

impl<'a> Annotator<'a> {
    /// Plays the moves that were annotated before, and evaluates the position that they lead to.
    pub fn new(analyst: &'a Analyst, start: Position, lines: usize, before: Vec<(Move, MoveNote)>) -> Self {
        let side = |color| SideEvent {
            color,
            moves: 0,
            accuracy: None,
            mean_loss: None,
            dubious: 0,
            mistakes: 0,
            blunders: 0,
        };
        let judgement = Judgement::default();
        let mut annotator = Self { analyst, lines, position: start, judgement, sides: Color::ALL.map(side) };
        for (mv, note) in before {
            annotator.count(&note);
            annotator.position.play_unchecked(mv);
        }
        annotator.judgement = analyst.judge(&annotator.position, lines);
        annotator
    }

    /// Plays a legal move and evaluates it.
    ///
    /// A loss is the difference between the evaluations before and after the move. What would get a mark is checked
    /// again: by the position after the better move, searched as long, and by a proof.
    pub fn play(&mut self, played: Move) -> MoveNote {
        let before = self.position.clone();
        let mut after = before.clone();
        after.play_unchecked(played);
        let mut judged = self.analyst.judge(&after, self.lines);
        let line = self.judgement.candidates.iter().find(|line| line.moves.first() == Some(&played));
        if let Some(certain) = line.and_then(|line| line.certain).filter(|_| judged.certain.is_none()) {
            judged.certain = Some(Certain { moves: None, ..certain });
            judged.win = f32::from(u8::from(certain.winner == after.side_to_move()));
        }
        let earlier = std::mem::replace(&mut self.judgement, judged);
        let best = earlier.candidates.first().and_then(|best| best.moves.first().copied());
        let better = best.filter(|&best| best != played);
        let mut note = MoveNote {
            win: earlier.win,
            proven: earlier.certain.map(|certain| certain.winner),
            win_after: 1.0 - self.judgement.win,
            proven_after: self.judgement.certain.map(|certain| certain.winner),
            loss: 0.0,
            mark: None,
            accuracy: 0.0,
            lines: lines(&before, &earlier.candidates),
            facts: Vec::new(),
            nodes: earlier.nodes,
            depth: earlier.depth,
        };
        note.loss = better.map_or(0.0, |better| self.loss(&mut note, &before, better, &after));
        note.mark = Mark::of(note.loss);
        if note.mark.is_some() {
            note.facts = facts(&before, played, better).iter().map(ToString::to_string).collect();
        }
        note.accuracy = 100.0 * (-ACCURACY_RATE * note.loss).exp();
        self.count(&note);
        self.position = after;
        note
    }

    /// Returns the chance that a move gave away; corrects the note where a proof shows that it was none.
    fn loss(&self, note: &mut MoveNote, before: &Position, better: Move, after: &Position) -> f32 {
        let side = before.side_to_move();
        let loss = (note.win - note.win_after).max(0.0);
        if Mark::of(loss).is_none() {
            return loss;
        }
        if note.proven.is_none() && proven(before) == Some(side.opposite()) {
            (note.win, note.proven) = (0.0, Some(side.opposite()));
            (note.win_after, note.proven_after) = (0.0, note.proven);
            return 0.0;
        }
        if note.proven_after.is_none() && proven(after) == Some(side) {
            (note.win_after, note.proven_after) = (1.0, Some(side));
            return 0.0;
        }
        let mut kept = before.clone();
        kept.play_unchecked(better);
        let kept = 1.0 - self.analyst.judge(&kept, 1).win;
        loss.min(kept - note.win_after).max(0.0)
    }

    fn count(&mut self, note: &MoveNote) {
        let side = &mut self.sides[self.position.side_to_move().index()];
        let before = side.moves as f32;
        let mean = |mean: Option<f32>, new: f32| Some((mean.unwrap_or(0.0) * before + new) / (before + 1.0));
        side.accuracy = mean(side.accuracy, note.accuracy);
        side.mean_loss = mean(side.mean_loss, note.loss);
        side.moves += 1;
        match note.mark {
            Some(Mark::Dubious) => side.dubious += 1,
            Some(Mark::Mistake) => side.mistakes += 1,
            Some(Mark::Blunder) => side.blunders += 1,
            None => {}
        }
    }

    /// Sums up the moves so far.
    pub fn review(&self) -> ReviewEvent {
        let proven = self.judgement.certain.map(|certain| certain.winner);
        ReviewEvent { win: self.judgement.win, proven, sides: self.sides.clone() }
    }
}

/// Returns the winner if that can be proven quickly.
fn proven(position: &Position) -> Option<Color> {
    if position.free_vertices() > PROVEN_MAX {
        return None;
    }
    let limits = SolveLimits { nodes: PROOF_NODES, table_bytes: 1 << 20, proof_positions: 0, ..SolveLimits::default() };
    // A board that is too large for proofs has none.
    solve(position, &limits, &mut || true).ok()?.winner
}

/// Writes lines as text.
pub(super) fn lines(position: &Position, candidates: &[Candidate]) -> Vec<Variation> {
    let line = |candidate: &Candidate| Variation {
        moves: candidate.moves.iter().map(|&mv| position.board().move_text(mv)).collect(),
        win: candidate.win,
        proven: candidate.certain.map(|Certain { winner, .. }| winner),
        visits: candidate.visits,
    };
    candidates.iter().map(line).collect()
}
