use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use amazons_program::locked;
use amazons_rules::{Move, Position};
use serde::Serialize;
use thiserror::Error;
use tokio::sync::watch;
use ts_rs::TS;

use super::prompt::{Prompt, answer, too_late};
use crate::referee::{Answer, CallError, PlayerRequest};

/// A person's reply: a move, or a request.
type Reply = Result<Move, PlayerRequest>;

/// Connects a game and a person in a browser: the game asks and waits, and the web server passes on the reply.
#[derive(Debug)]
pub struct WebSession {
    limit: Option<Duration>,
    /// Arrows before the first move: each move adds one.
    arrows: usize,
    state: Mutex<State>,
    replied: Condvar,
    news: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct State {
    question: Option<Question>,
    reply: Option<Reply>,
    /// The number of questions asked.
    questions: u64,
    /// The last question that was answered, by its number.
    answered: Option<(u64, Reply, Position)>,
    /// When the person arrived.
    came: Option<Instant>,
    is_over: bool,
    /// Whether the person knows that the game is over.
    is_told: bool,
    /// The pages of the person that are open, and when the last one was closed.
    pages: usize,
    left: Option<Instant>,
    /// Whether another game is offered, and whether the person wants it.
    rematch: Option<bool>,
}

#[derive(Debug)]
struct Question {
    number: u64,
    position: Position,
    ply: usize,
    asked: Instant,
    can_take_back: bool,
}

/// A person's turn, as the page of who plays reads it, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Turn {
    /// The number of moves played before the requested one, if one is requested.
    pub ply: Option<usize>,
    /// The number of the request, which unlike its ply never repeats.
    #[serde(rename = "turn")]
    pub number: Option<u64>,
    /// Whether the person has a move to take back.
    pub can_take_back: bool,
    /// The time for each move.
    pub limit_ms: Option<u64>,
    /// The time left.
    pub left_ms: Option<u64>,
    /// Whether the game is over.
    #[serde(rename = "over")]
    pub is_over: bool,
    /// Whether another game can be asked for.
    #[serde(rename = "rematch")]
    pub can_rematch: bool,
}

/// Why a reply is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RefusedReply {
    #[error("it is not your turn")]
    NotAsked,
    #[error("the game has moved on")]
    Late,
    /// The move is illegal.
    #[error("not legal: {0}")]
    Illegal(String),
    #[error("you have no move to take back")]
    NothingToTakeBack,
    #[error("no other game can be played here")]
    NoRematch,
}

/// How long another game is offered after the last, while the person has a page open.
const REMATCH_TIME: Duration = Duration::from_secs(60);

/// How long a page may take to be opened, and be closed, before a game that was started for a visitor is given up.
const OPENING_MAX: Duration = Duration::from_secs(60);
const LEFT_MAX: Duration = Duration::from_secs(600);

/// How long a person's page may be closed until the person counts as gone: hidden pages look in every five seconds.
const ABSENCE: Duration = Duration::from_secs(7);

/// The interval of checks on whether the person is still there.
const CHECK: Duration = Duration::from_millis(100);

impl WebSession {
    /// Makes a session for games from a position, with an optional time per move.
    pub fn new(start: &Position, limit: Option<Duration>) -> Self {
        let (state, arrows) = (Mutex::default(), start.arrows().count());
        Self { limit, arrows, state, replied: Condvar::new(), news: watch::Sender::default() }
    }

    /// Returns the current turn.
    pub fn turn(&self) -> Turn {
        let mut state = locked(&self.state);
        state.is_told = state.is_over;
        let question = state.question.as_ref().filter(|_| state.reply.is_none());
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Turn {
            ply: question.map(|question| question.ply),
            number: question.map(|question| question.number),
            can_take_back: question.is_some_and(|question| question.can_take_back),
            limit_ms: self.limit.map(millis),
            left_ms: question.and_then(|question| Some(millis(self.limit?.saturating_sub(state.taken(question))))),
            is_over: state.is_over,
            can_rematch: state.rematch == Some(false),
        }
    }

    /// Returns whether a person has come and does not know that the game is over.
    pub fn is_awaited(&self) -> bool {
        let state = locked(&self.state);
        state.came.is_some() && state.is_over && !state.is_told
    }

    /// Returns whether nobody has opened the page for a minute since a moment, or has had it open for ten.
    pub fn is_abandoned(&self, since: Instant) -> bool {
        let state = locked(&self.state);
        let is_long = match state.left {
            Some(left) => left.elapsed() > LEFT_MAX,
            None => since.elapsed() > OPENING_MAX,
        };
        state.pages == 0 && is_long
    }

    /// Returns a channel that changes whenever the turn does.
    pub fn subscribe(&self) -> watch::Receiver<()> {
        self.news.subscribe()
    }

    /// Offers another game to a person whose page is open, for a minute; returns whether the person wants it.
    pub fn offers_rematch(&self) -> bool {
        let begun = Instant::now();
        let is_there = |state: &State| {
            state.pages > 0 || state.left.is_some_and(|left| state.came.is_some() && left.elapsed() < ABSENCE)
        };
        let mut state = locked(&self.state);
        state.rematch = Some(false);
        self.notify();
        while state.rematch == Some(false) && begun.elapsed() < REMATCH_TIME && is_there(&state) {
            state = self.replied.wait_timeout(state, CHECK).unwrap_or_else(PoisonError::into_inner).0;
        }
        let is_wanted = state.rematch.take() == Some(true);
        drop(state);
        self.notify();
        is_wanted
    }

    /// Asks for another game; asking again changes nothing.
    pub fn rematch(&self) -> Result<(), RefusedReply> {
        let mut state = locked(&self.state);
        state.rematch.as_mut().map(|wanted| *wanted = true).ok_or(RefusedReply::NoRematch)?;
        self.replied.notify_all();
        Ok(())
    }

    /// Notes that a page of the person was closed.
    pub fn leave(&self) {
        let mut state = locked(&self.state);
        state.pages = state.pages.saturating_sub(1);
        state.left = Some(Instant::now());
    }

    /// Notes the person's arrival, which starts its clock, at a page that is open until it leaves.
    pub fn come(&self) {
        let mut state = locked(&self.state);
        state.pages += 1;
        state.came.get_or_insert_with(Instant::now);
        drop(state);
        // The game may be waiting for the arrival.
        self.replied.notify_all();
        self.notify();
    }

    /// Answers the question after this many moves. With the question's number, the same answer may be repeated: after a
    /// broken connection a person cannot know whether it has arrived.
    pub fn reply(&self, ply: usize, number: Option<u64>, reply: Reply) -> Result<(), RefusedReply> {
        let mut state = locked(&self.state);
        if state.answered.as_ref().is_some_and(|(answered, known, _)| Some(*answered) == number && *known == reply) {
            return Ok(());
        }
        let question = state.asked(ply)?;
        if number.is_some_and(|number| number != question.number) {
            return Err(RefusedReply::Late);
        }
        match reply {
            Ok(mv) => question
                .position
                .is_legal(mv)
                .map_err(|reason| RefusedReply::Illegal(reason.describe(question.position.board())))?,
            Err(PlayerRequest::TakeBack) if !question.can_take_back => return Err(RefusedReply::NothingToTakeBack),
            Err(PlayerRequest::TakeBack | PlayerRequest::Resign) => {}
        }
        state.answered = Some((question.number, reply, question.position.clone()));
        state.reply = Some(reply);
        self.replied.notify_all();
        Ok(())
    }

    /// Returns the position of the question after this many moves, or of the last answered one by its number.
    pub fn position(&self, ply: usize, number: Option<u64>) -> Result<Position, RefusedReply> {
        let state = locked(&self.state);
        match &state.answered {
            Some((answered, _, position)) if Some(*answered) == number => Ok(position.clone()),
            _ => state.asked(ply).map(|question| question.position.clone()),
        }
    }

    /// Asks the person and waits; returns the reply and the time taken, or `None` when the time is up.
    fn wait_for_reply(&self, position: &Position, can_take_back: bool) -> Option<(Reply, Duration)> {
        let ply = position.arrows().count() - self.arrows;
        let mut state = locked(&self.state);
        state.questions += 1;
        let number = state.questions;
        let asked = Instant::now();
        state.question = Some(Question { number, position: position.clone(), ply, asked, can_take_back });
        state.reply = None;
        self.notify();
        let reply = loop {
            let taken = state.question.as_ref().map_or(Duration::ZERO, |question| state.taken(question));
            if let Some(reply) = state.reply.take() {
                break Some((reply, taken));
            }
            // A person's time begins on arrival.
            state = match self.limit.filter(|_| state.came.is_some()).map(|limit| limit.saturating_sub(taken)) {
                Some(Duration::ZERO) => break None,
                Some(left) => self.replied.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0,
                None => self.replied.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        };
        state.question = None;
        drop(state);
        self.notify();
        reply
    }

    fn notify(&self) {
        self.news.send_replace(());
    }
}

impl Prompt for Arc<WebSession> {
    fn begin(&mut self) {
        let mut state = locked(&self.state);
        let State { came, questions, answered, pages, left, .. } = std::mem::take(&mut *state);
        *state = State { came, questions, answered, pages, left, ..State::default() };
        drop(state);
        self.notify();
    }

    fn ask(&mut self, position: &Position, can_take_back: bool) -> Result<Answer<Move>, CallError> {
        let late = || too_late(format!("had not moved after {:?}", self.limit.unwrap_or_default()));
        let (reply, wall) = self.wait_for_reply(position, can_take_back).ok_or_else(late)?;
        Ok(answer(reply.map_err(CallError::Request)?, wall, self.limit))
    }

    fn end(&mut self) {
        locked(&self.state).is_over = true;
        self.notify();
    }
}

impl State {
    fn asked(&self, ply: usize) -> Result<&Question, RefusedReply> {
        match &self.question {
            Some(question) if question.ply == ply && self.reply.is_none() => Ok(question),
            Some(_) => Err(RefusedReply::Late),
            None => Err(RefusedReply::NotAsked),
        }
    }

    /// Returns how much of the person's time a question has taken.
    fn taken(&self, question: &Question) -> Duration {
        self.came.map_or(Duration::ZERO, |came| came.max(question.asked).elapsed())
    }
}
