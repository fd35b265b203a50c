use std::time::{Duration, Instant};

use amazons_statistics::Score;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::tournament::progress_output::{ProgressOutput, Show};
use crate::tournament::{Event, Format};

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Shows how far an event is, on standard error.
#[derive(Debug)]
pub struct Progress {
    teller: ProgressOutput,
    begun: Instant,
    games_before: usize,
    pairs_before: usize,
}

impl Progress {
    /// Begins to show the progress of an event.
    #[must_use]
    pub fn new(show: Show, event: &Event) -> Self {
        let teller = ProgressOutput::new(show, LINE_EVERY, || bar(event));
        let results = event.results();
        Self { teller, begun: Instant::now(), games_before: results.games(), pairs_before: results.whole_pairs() }
    }

    /// Shows how far the event is now.
    pub fn update(&mut self, event: &Event) {
        if !self.teller.is_due() {
            return;
        }
        if let Some(bar) = self.teller.bar() {
            bar.set_length(event.schedule().pairs().len() as u64);
            bar.set_position(event.results().whole_pairs() as u64);
        }
        self.teller.say(self.words(event));
    }

    /// Says something, as a line of its own.
    pub fn note(&self, text: &str) {
        self.teller.note(text);
    }

    /// Shows nothing any more.
    pub fn finish(&self) {
        self.teller.finish();
    }

    fn words(&self, event: &Event) -> String {
        let results = event.results();
        let seconds = self.begun.elapsed().as_secs_f64().max(0.001);
        let speed = (results.games() - self.games_before) as f64 / seconds;
        let (whole, all) = (results.whole_pairs(), event.schedule().pairs().len());
        let mut words = format!("{whole} of {all} pairs, {speed:.1} games/s");
        let pairs_each_second = (whole - self.pairs_before) as f64 / seconds;
        // A test ends when it ends, and later stages are not known yet.
        let is_foreseeable = matches!(event.plan().format, Format::RoundRobin { .. } | Format::Gauntlet { .. });
        if is_foreseeable && pairs_each_second > 0.0 {
            words.push_str(&format!(", {} left", in_words((all - whole) as f64 / pairs_each_second)));
        }
        if let Some(test) = results.test() {
            let [lower, upper] = test.sprt.bounds();
            let llr = test.llr.last().copied().unwrap_or(0.0);
            let elo = Score::pairs(test.counts).estimate();
            words.push_str(&format!(", ratio {llr:.2} ({lower:.2} to {upper:.2}), Elo {elo}"));
        }
        words
    }
}

fn bar(event: &Event) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(event.schedule().pairs().len() as u64), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {msg}") {
        bar.set_style(style);
    }
    bar.set_position(event.results().whole_pairs() as u64);
    bar
}

fn in_words(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 90.0 => format!("{seconds:.0} s"),
        seconds if seconds < 90.0 * 60.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}
