use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use amazons_rules::{Move, Position};
use thiserror::Error;
use tokio::sync::watch;

/// Where a game meets a person who is elsewhere: the game asks, and whoever serves the person answers.
///
/// The game's thread waits here. Nobody else does.
#[derive(Debug)]
pub struct WebSession {
    limit: Option<Duration>,
    /// Arrows before the first move: each move adds one.
    arrows: usize,
    state: Mutex<State>,
    said: Condvar,
    news: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct State {
    question: Option<Question>,
    answer: Option<Said>,
    /// When the person first looked.
    came: Option<Instant>,
    is_over: bool,
}

#[derive(Debug)]
struct Question {
    position: Position,
    ply: usize,
    asked: Instant,
    can_take_back: bool,
}

/// What a person wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// To move.
    Move(Move),
    /// To give up.
    Resign,
    /// To take back its last move and the answer to it.
    TakeBack,
}

/// What a person is to know of its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// How many moves were played before the one that the person is asked for; `None` while it is asked for none.
    pub ply: Option<usize>,
    /// Whether it has a move to take back.
    pub can_take_back: bool,
    /// The time for each move.
    pub limit: Option<Duration>,
    /// What is left of it.
    pub left: Option<Duration>,
    /// Whether the game is over.
    pub is_over: bool,
}

/// Why something was not done that a person wanted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    /// It is asked for nothing.
    #[error("it is not your turn")]
    NotAsked,
    /// It answers an earlier question, or one that was answered.
    #[error("the game is at another move by now")]
    Late,
    /// The move is not legal.
    #[error("not legal: {0}")]
    Illegal(String),
    /// It has no move to take back.
    #[error("you have no move to take back")]
    NothingToTakeBack,
}

impl WebSession {
    /// Sets up a table for games from a position, with a time for each move if there is one.
    #[must_use]
    pub fn new(start: &Position, limit: Option<Duration>) -> Self {
        let (state, arrows) = (Mutex::default(), start.arrows().count());
        Self { limit, arrows, state, said: Condvar::new(), news: watch::Sender::default() }
    }

    /// Tells what the person is to know now.
    #[must_use]
    pub fn turn(&self) -> Turn {
        let state = self.lock();
        let question = state.question.as_ref().filter(|_| state.answer.is_none());
        Turn {
            ply: question.map(|question| question.ply),
            can_take_back: question.is_some_and(|question| question.can_take_back),
            limit: self.limit,
            left: question.and_then(|question| Some(self.limit?.saturating_sub(state.taken(question)))),
            is_over: state.is_over,
        }
    }

    /// Returns what changes when there is another turn.
    #[must_use]
    pub fn subscribe(&self) -> watch::Receiver<()> {
        self.news.subscribe()
    }

    /// Notes that the person has come: its time runs from then on.
    pub fn come(&self) {
        self.lock().came.get_or_insert_with(Instant::now);
        // The game may be waiting for that.
        self.said.notify_all();
        self.tell();
    }

    /// Answers the question that is asked after so many moves.
    ///
    /// # Errors
    /// When nothing is asked there, or this is no answer.
    pub fn say(&self, ply: usize, said: Said) -> Result<(), Refused> {
        let mut state = self.lock();
        let question = state.asked(ply)?;
        match said {
            Said::Move(mv) => question
                .position
                .is_legal(mv)
                .map_err(|reason| Refused::Illegal(reason.describe(question.position.board())))?,
            Said::TakeBack if !question.can_take_back => return Err(Refused::NothingToTakeBack),
            Said::TakeBack | Said::Resign => {}
        }
        state.answer = Some(said);
        self.said.notify_all();
        Ok(())
    }

    /// Returns the position that the person is asked about after so many moves.
    ///
    /// # Errors
    /// When nothing is asked there.
    pub fn position(&self, ply: usize) -> Result<Position, Refused> {
        self.lock().asked(ply).map(|question| question.position.clone())
    }

    /// Begins a game.
    pub(super) fn begin(&self) {
        let mut state = self.lock();
        *state = State { came: state.came, ..State::default() };
        drop(state);
        self.tell();
    }

    /// Asks the person, and waits for what it says and how long that took; `None` when its time is up.
    pub(super) fn ask(&self, position: &Position, can_take_back: bool) -> Option<(Said, Duration)> {
        let ply = position.arrows().count() - self.arrows;
        let mut state = self.lock();
        state.question = Some(Question { position: position.clone(), ply, asked: Instant::now(), can_take_back });
        state.answer = None;
        self.tell();
        let answer = loop {
            let taken = state.question.as_ref().map_or(Duration::ZERO, |question| state.taken(question));
            if let Some(said) = state.answer.take() {
                break Some((said, taken));
            }
            // Nobody's time runs who has not come yet.
            state = match self.limit.filter(|_| state.came.is_some()).map(|limit| limit.saturating_sub(taken)) {
                Some(Duration::ZERO) => break None,
                Some(left) => self.said.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0,
                None => self.said.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        };
        state.question = None;
        drop(state);
        self.tell();
        answer
    }

    /// Ends the game.
    pub(super) fn end(&self) {
        self.lock().is_over = true;
        self.tell();
    }

    fn tell(&self) {
        self.news.send_replace(());
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that is done under the lock can fail half-way.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn asked(&self, ply: usize) -> Result<&Question, Refused> {
        match &self.question {
            Some(question) if question.ply == ply && self.answer.is_none() => Ok(question),
            Some(_) => Err(Refused::Late),
            None => Err(Refused::NotAsked),
        }
    }

    /// How much of the person's time a question has taken.
    fn taken(&self, question: &Question) -> Duration {
        self.came.map_or(Duration::ZERO, |came| came.max(question.asked).elapsed())
    }
}
