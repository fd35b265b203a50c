use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::results::Results;

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// A bar on a terminal, lines elsewhere.
    Auto,
    Nothing,
}

/// Shows on standard error how far a run is: beside a bar on a terminal, in a line now and then elsewhere.
#[derive(Debug)]
pub(super) struct Progress {
    out: Out,
    begun: Instant,
    games_before: usize,
    pairs_before: usize,
}

/// A run's progress so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// How long it has taken.
    pub seconds: f64,
    /// How many games it has finished.
    pub games: usize,
    /// How many pairs it has made whole.
    pub pairs: usize,
}

#[derive(Debug)]
enum Out {
    Bar(ProgressBar),
    Lines { next: Instant, every: Duration },
    Nothing,
}

impl Progress {
    /// Starts after these results: with a bar, which grows if the number of pairs is known, or lines this far apart.
    pub(super) fn new(show: Show, line_every: Duration, results: &Results, pairs: Option<usize>) -> Self {
        let out = match show {
            Show::Nothing => Out::Nothing,
            Show::Auto if io::stderr().is_terminal() => {
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
                let template = if pairs.is_some() { "{wide_bar} {msg}" } else { "{msg}" };
                Out::Bar(ProgressStyle::with_template(template).map_or(bar.clone(), |style| bar.with_style(style)))
            }
            Show::Auto => Out::Lines { next: Instant::now() + line_every, every: line_every },
        };
        Self { out, begun: Instant::now(), games_before: results.games(), pairs_before: results.whole_pairs() }
    }

    /// Shows how far the run is, if it is time to: of so many pairs, if that is known.
    pub(super) fn update(&mut self, results: &Results, pairs: Option<usize>, status: impl FnOnce(Pace) -> String) {
        let pace = Pace {
            seconds: self.begun.elapsed().as_secs_f64().max(0.001),
            games: results.games() - self.games_before,
            pairs: results.whole_pairs() - self.pairs_before,
        };
        match &mut self.out {
            Out::Bar(bar) => {
                bar.set_length(pairs.unwrap_or(0) as u64);
                bar.set_position(results.whole_pairs() as u64);
                bar.set_message(status(pace));
            }
            Out::Lines { next, every } if Instant::now() >= *next => {
                *next = Instant::now() + *every;
                write_line(&status(pace));
            }
            Out::Lines { .. } | Out::Nothing => {}
        }
    }

    /// Writes what happens as a line of its own, unless nothing is to be shown.
    pub(super) fn news(&self, text: &str) {
        if !matches!(self.out, Out::Nothing) {
            self.note(text);
        }
    }

    /// Writes what a person must know as a line of its own.
    pub(super) fn note(&self, text: &str) {
        match &self.out {
            Out::Bar(bar) => bar.println(text),
            Out::Lines { .. } | Out::Nothing => write_line(text),
        }
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        if let Out::Bar(bar) = &self.out {
            bar.finish_and_clear();
        }
    }
}

/// Writes a line with one call, so that lines of several programs do not mix.
pub(super) fn write_line(text: &str) {
    // Nothing can be done when standard error is closed.
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}
