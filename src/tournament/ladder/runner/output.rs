use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget};

use crate::tournament::Show;
use crate::tournament::ladder::Ladder;
use crate::tournament::progress_output::ProgressOutput;

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(60);

/// Tells of a ladder on standard error.
#[derive(Debug)]
pub(super) struct LadderOutput {
    teller: ProgressOutput,
    begun: Instant,
    games_before: usize,
}

impl LadderOutput {
    pub(super) fn new(show: Show, ladder: &Ladder) -> Self {
        let bar = || ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let teller = ProgressOutput::new(show, LINE_EVERY, bar);
        Self { teller, begun: Instant::now(), games_before: ladder.results().games() }
    }

    /// Tells how far the ladder is.
    pub(super) fn status(&mut self, ladder: &Ladder) {
        if !self.teller.is_due() {
            return;
        }
        let games = ladder.results().games();
        let speed = (games - self.games_before) as f64 / self.begun.elapsed().as_secs_f64().max(0.001);
        let players = ladder.contenders().iter().filter(|contender| contender.is_present).count();
        self.teller.say(format!("{players} players, {games} games, {:.0} games an hour", speed * 3600.0));
    }

    /// Tells what has happened, unless nobody wants to know.
    pub(super) fn tell(&self, text: &str) {
        if !self.teller.is_silent() {
            self.note(text);
        }
    }

    /// Tells what somebody must know.
    pub(super) fn note(&self, text: &str) {
        self.teller.note(text);
    }

    /// Tells nothing any more.
    pub(super) fn finish(&self) {
        self.teller.finish();
    }
}
