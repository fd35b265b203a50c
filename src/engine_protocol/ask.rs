use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use amazons_program::locked;
use amazons_protocol::{Dialect, Go};
use amazons_rules::{Board, Move};

/// A `go` that is being answered, shared by who reads lines and who thinks.
#[derive(Debug)]
pub(super) struct Ask {
    stop: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
    answer: Mutex<AnswerState>,
    answered: Condvar,
}

/// The answer so far.
#[derive(Debug, Default)]
struct AnswerState {
    best: Option<Answer>,
    is_given: bool,
}

/// An answer to `go`, as lines.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    /// About the search, as far as not told before.
    pub(super) info: Vec<String>,
    /// The move.
    pub(super) best: String,
}

impl Answer {
    /// Writes the first move of a line of play, in UCI also the expected answer to it.
    pub(super) fn new(dialect: Dialect, board: &Board, moves: &[Move]) -> Self {
        let text = |mv: &Move| dialect.move_text(board, *mv);
        let best = match (moves, dialect) {
            ([], Dialect::Aep) => "none".to_owned(),
            ([], Dialect::Uci) => "(none)".to_owned(),
            ([mv, expected, ..], Dialect::Uci) => format!("{} ponder {}", text(mv), text(expected)),
            ([mv, ..], _) => text(mv),
        };
        Self { info: Vec::new(), best: format!("bestmove {best}") }
    }
}

#[derive(Clone, Copy, Debug)]
struct State {
    /// When the time for the answer began; `None` while the client waits for the expected move.
    begun: Option<Instant>,
    /// Whether the client takes an answer now.
    is_wanted: bool,
}

impl Ask {
    pub(super) fn new(go: &Go) -> Self {
        let begun = (!go.ponder).then(Instant::now);
        let state = State { begun, is_wanted: !go.infinite && !go.ponder };
        Self {
            stop: AtomicBool::new(false),
            state: Mutex::new(state),
            changed: Condvar::new(),
            answer: Mutex::default(),
            answered: Condvar::new(),
        }
    }

    /// Asks for the answer now.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        locked(&self.state).is_wanted = true;
        self.changed.notify_all();
    }

    /// Starts the time, if the client waited for the expected move.
    pub(super) fn ponder_hit(&self) {
        let mut state = locked(&self.state);
        if state.begun.is_none() {
            *state = State { begun: Some(Instant::now()), is_wanted: true };
            self.changed.notify_all();
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(super) fn begun(&self) -> Option<Instant> {
        locked(&self.state).begun
    }

    /// Waits until the client takes an answer.
    pub(super) fn wait(&self) {
        let wanted = self.changed.wait_while(locked(&self.state), |state| !state.is_wanted);
        drop(wanted.unwrap_or_else(PoisonError::into_inner));
    }

    /// Whether the client takes an answer as soon as there is one.
    pub(super) fn is_wanted(&self) -> bool {
        locked(&self.state).is_wanted
    }

    /// Keeps what would be the answer now; `tell` is called first, unless the answer was given.
    pub(super) fn offer(&self, best: Answer, tell: impl FnOnce()) {
        let mut answer = locked(&self.answer);
        if !answer.is_given {
            tell();
            answer.best = Some(best);
        }
    }

    /// Lets the caller give the answer, unless it was given.
    pub(super) fn give(&self) -> bool {
        let was_given = std::mem::replace(&mut locked(&self.answer).is_given, true);
        self.answered.notify_all();
        !was_given
    }

    /// Waits a moment for the answer; then lets the caller give the last one that was offered.
    pub(super) fn take_over(&self, patience: Duration) -> Option<Answer> {
        let waited = self.answered.wait_timeout_while(locked(&self.answer), patience, |answer| !answer.is_given);
        let (mut answer, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let best = if answer.is_given { None } else { answer.best.take() };
        answer.is_given |= best.is_some();
        best
    }

    pub(super) fn is_done(&self) -> bool {
        locked(&self.answer).is_given
    }
}
