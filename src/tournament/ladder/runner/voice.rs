use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget};

use crate::tournament::Show;
use crate::tournament::ladder::Ladder;

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(60);

/// Tells of a ladder on standard error.
#[derive(Debug)]
pub(super) struct Voice {
    out: Out,
    begun: Instant,
    games_before: usize,
}

#[derive(Debug)]
enum Out {
    Bar(ProgressBar),
    Lines { next: Instant },
    Nothing,
}

impl Voice {
    pub(super) fn new(show: Show, ladder: &Ladder) -> Self {
        let out = match show {
            Show::Nothing => Out::Nothing,
            Show::Auto if io::stderr().is_terminal() => {
                Out::Bar(ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()))
            }
            Show::Auto => Out::Lines { next: Instant::now() + LINE_EVERY },
        };
        Self { out, begun: Instant::now(), games_before: ladder.results().games() }
    }

    /// Tells how far the ladder is.
    pub(super) fn status(&mut self, ladder: &Ladder) {
        if let Out::Lines { next } = &mut self.out {
            if Instant::now() < *next {
                return;
            }
            *next = Instant::now() + LINE_EVERY;
        }
        let games = ladder.results().games();
        let speed = (games - self.games_before) as f64 / self.begun.elapsed().as_secs_f64().max(0.001);
        let players = ladder.contenders().iter().filter(|contender| contender.is_present).count();
        let words = format!("{players} players, {games} games, {:.0} games an hour", speed * 3600.0);
        match &self.out {
            Out::Bar(bar) => bar.set_message(words),
            Out::Lines { .. } => write_line(&words),
            Out::Nothing => {}
        }
    }

    /// Tells what has happened, unless nobody wants to know.
    pub(super) fn tell(&self, text: &str) {
        if !matches!(self.out, Out::Nothing) {
            self.note(text);
        }
    }

    /// Tells what somebody must know.
    pub(super) fn note(&self, text: &str) {
        match &self.out {
            Out::Bar(bar) => bar.println(text),
            Out::Lines { .. } | Out::Nothing => write_line(text),
        }
    }

    /// Tells nothing any more.
    pub(super) fn finish(&self) {
        if let Out::Bar(bar) = &self.out {
            bar.finish_and_clear();
        }
    }
}

/// Writes a line with one call, so that lines of several programs do not mix.
fn write_line(text: &str) {
    // There is nobody left to be told that standard error is closed.
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}
