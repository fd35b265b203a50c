use std::time::{Duration, Instant};

use amazons_rules::Position;
use amazons_solve::ProofTree;

use crate::complain;

/// The time between two lines.
const EVERY: Duration = Duration::from_secs(10);

/// Lines on standard error about the progress of a long search.
pub(super) struct Teller {
    start: Instant,
    told: Instant,
}

impl Teller {
    pub(super) fn new(start: Instant) -> Self {
        Self { start, told: start }
    }

    /// Writes a line now and then: the root's best move, its proof numbers, and how many of its answers are refuted.
    pub(super) fn tell(&mut self, root: &Position, tree: &ProofTree, nodes: u64) {
        if self.told.elapsed() < EVERY {
            return;
        }
        self.told = Instant::now();
        let seconds = self.start.elapsed().as_secs();
        let moves = tree.progress();
        let Some(best) = moves.first() else { return };
        let mover = root.side_to_move();
        let [answers, refuted] = best.answers;
        let [wins, loses] = [mover, mover.opposite()].map(|color| best.numbers[color.index()]);
        complain(&format!(
            "{seconds} s, {nodes} positions, {} moves open; best {}: {refuted} of {answers} answers refuted, proof \
             numbers {wins} for {mover}, {loses} for {}",
            moves.len(),
            root.board().move_text(best.mv),
            mover.opposite(),
        ));
    }
}
