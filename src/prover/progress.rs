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

    /// Writes a line now and then after so many jobs: the root's best move, how many of its answers are refuted, and the
    /// root's proof numbers, the lesser of which says how long it may take if both hold.
    pub(super) fn tell(&mut self, root: &Position, tree: &ProofTree, (jobs, nodes): (u64, u64)) {
        if self.told.elapsed() < EVERY {
            return;
        }
        self.told = Instant::now();
        let time = self.start.elapsed();
        let moves = tree.progress();
        let Some(best) = moves.first() else { return };
        let open = moves.iter().filter(|progress| !progress.numbers.contains(&0)).count();
        let [black, white] = tree.numbers();
        let [answers, refuted] = best.answers;
        let left = time.as_secs_f64() / jobs.max(1) as f64 * black.min(white) as f64;
        complain(&format!(
            "{} s, {nodes} positions, {jobs} jobs; {open} of {} moves open; best {}: {refuted} of {answers} answers \
             refuted; jobs left by the proof numbers: {black} if black wins, {white} if white wins: {left:.0} s or more",
            time.as_secs(),
            moves.len(),
            root.board().move_text(best.mv),
        ));
    }
}
