use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use amazons_statistics::Score;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::tournament::{Event, Format};

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// A bar on a terminal, lines elsewhere.
    Auto,
    /// Nothing.
    Nothing,
}

/// Shows how far an event is, on standard error.
#[derive(Debug)]
pub struct Progress {
    out: Out,
    begun: Instant,
    games_before: usize,
    pairs_before: usize,
}

#[derive(Debug)]
enum Out {
    Bar(ProgressBar),
    Lines { next: Instant },
    Nothing,
}

impl Progress {
    /// Begins to show the progress of an event.
    #[must_use]
    pub fn new(show: Show, event: &Event) -> Self {
        let out = match show {
            Show::Nothing => Out::Nothing,
            Show::Auto if io::stderr().is_terminal() => Out::Bar(bar(event)),
            Show::Auto => Out::Lines { next: Instant::now() + LINE_EVERY },
        };
        let results = event.results();
        Self { out, begun: Instant::now(), games_before: results.games(), pairs_before: results.whole_pairs() }
    }

    /// Shows how far the event is now.
    pub fn update(&mut self, event: &Event) {
        match &mut self.out {
            Out::Nothing => return,
            Out::Lines { next } => {
                if Instant::now() < *next {
                    return;
                }
                *next = Instant::now() + LINE_EVERY;
            }
            Out::Bar(bar) => {
                bar.set_length(event.schedule().pairs().len() as u64);
                bar.set_position(event.results().whole_pairs() as u64);
            }
        }
        let words = self.words(event);
        self.say(&words);
    }

    /// Says something, as a line of its own.
    pub fn note(&mut self, text: &str) {
        match &self.out {
            Out::Bar(bar) => bar.println(text),
            Out::Lines { .. } | Out::Nothing => write_line(text),
        }
    }

    /// Shows nothing any more.
    pub fn finish(&self) {
        if let Out::Bar(bar) = &self.out {
            bar.finish_and_clear();
        }
    }

    fn say(&self, words: &str) {
        match &self.out {
            Out::Bar(bar) => bar.set_message(words.to_owned()),
            Out::Lines { .. } => write_line(words),
            Out::Nothing => {}
        }
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

/// Writes a line with one call, so that lines of several programs do not mix.
fn write_line(text: &str) {
    // There is nobody left to be told that standard error is closed.
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
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
