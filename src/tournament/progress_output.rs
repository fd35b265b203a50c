use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// A bar on a terminal, lines elsewhere.
    Auto,
    /// Nothing.
    Nothing,
}

/// Tells on standard error how far something is: beside a bar on a terminal, in a line now and then elsewhere.
#[derive(Debug)]
pub(super) struct ProgressOutput(Out);

#[derive(Debug)]
enum Out {
    Bar(ProgressBar),
    Lines { next: Instant, every: Duration },
    Nothing,
}

impl ProgressOutput {
    /// Begins to tell, in lines this far apart where there is no terminal for a bar.
    pub(super) fn new(show: Show, every: Duration, bar: impl FnOnce() -> ProgressBar) -> Self {
        Self(match show {
            Show::Nothing => Out::Nothing,
            Show::Auto if io::stderr().is_terminal() => Out::Bar(bar()),
            Show::Auto => Out::Lines { next: Instant::now() + every, every },
        })
    }

    /// Returns the bar, if there is one.
    pub(super) const fn bar(&self) -> Option<&ProgressBar> {
        match &self.0 {
            Out::Bar(bar) => Some(bar),
            Out::Lines { .. } | Out::Nothing => None,
        }
    }

    /// Returns whether nobody wants to know.
    pub(super) const fn is_silent(&self) -> bool {
        matches!(self.0, Out::Nothing)
    }

    /// Returns whether it is time to [say](Self::say) something again.
    pub(super) fn is_due(&mut self) -> bool {
        match &mut self.0 {
            Out::Bar(_) => true,
            Out::Lines { next, every } => {
                let is_due = Instant::now() >= *next;
                if is_due {
                    *next = Instant::now() + *every;
                }
                is_due
            }
            Out::Nothing => false,
        }
    }

    /// Says how far it is.
    pub(super) fn say(&self, words: String) {
        match &self.0 {
            Out::Bar(bar) => bar.set_message(words),
            Out::Lines { .. } => write_line(&words),
            Out::Nothing => {}
        }
    }

    /// Tells what somebody must know, as a line of its own.
    pub(super) fn note(&self, text: &str) {
        match &self.0 {
            Out::Bar(bar) => bar.println(text),
            Out::Lines { .. } | Out::Nothing => write_line(text),
        }
    }

    /// Tells nothing any more.
    pub(super) fn finish(&self) {
        if let Out::Bar(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

/// Writes a line with one call, so that lines of several programs do not mix.
fn write_line(text: &str) {
    // There is nobody left to be told that standard error is closed.
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}
