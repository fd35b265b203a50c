use std::collections::VecDeque;
use std::sync::Arc;

use super::order::{Order, Parts, Span};
use crate::code::Code;
use crate::feedback::Feedback;
use crate::history::Turn;
use crate::words::word_pair;

/// A player's search of its part: it tests one code after another against the answers it knows. Codes that failed are
/// never looked at again.
#[derive(Clone, Debug)]
pub struct Searcher {
    order: Arc<Order>,
    turns: Vec<Turn>,
    /// The guesses of the turns, for fast tests.
    guesses: Vec<(u128, u128)>,
    /// The places behind the current code.
    rest: VecDeque<Span>,
    current: Option<(Code, (u128, u128))>,
    /// How many answers the current code has passed.
    passed: usize,
    tests: u64,
}

impl Searcher {
    pub fn new(order: Arc<Order>, part: VecDeque<Span>) -> Self {
        let (turns, guesses) = (Vec::new(), Vec::new());
        let mut searcher = Self { order, turns, guesses, rest: part, current: None, passed: 0, tests: 0 };
        searcher.skip();
        searcher
    }

    /// Returns the searches of all players.
    pub fn of_all(order: &Arc<Order>, parts: Parts, players: u32) -> Vec<Self> {
        let part = |player| Self::new(Arc::clone(order), parts.part(order.game, player, players));
        (0..players).map(part).collect()
    }

    /// Returns how many codes it has compared with an answer.
    pub const fn tests(&self) -> u64 {
        self.tests
    }

    /// Returns whether every code of its part has failed.
    pub const fn is_dry(&self) -> bool {
        self.current.is_none()
    }

    /// Returns the current code if it agrees with all answers.
    pub fn plausible(&self) -> Option<Code> {
        self.current.filter(|_| self.passed == self.turns.len()).map(|(code, _)| code)
    }

    pub fn learn(&mut self, turn: Turn) {
        self.turns.push(turn);
        self.guesses.push(word_pair(self.order.game, turn.guess));
    }

    /// Forgets which answers the current code has passed.
    pub const fn forget_passed(&mut self) {
        self.passed = 0;
    }

    pub fn skip(&mut self) {
        self.passed = 0;
        while self.rest.front().is_some_and(|span| span.is_empty()) {
            self.rest.pop_front();
        }
        self.current = self.rest.front_mut().map(|span| {
            let place = span.from;
            span.from = span.from.saturating_add(span.step);
            self.order.at(place)
        });
    }

    /// Makes one test, unless there is nothing to test.
    pub fn test(&mut self) {
        let (Some((_, bits)), Some(turn)) = (self.current, self.turns.get(self.passed)) else { return };
        self.tests += 1;
        if compare(bits, self.guesses[self.passed]) == turn.answer {
            self.passed += 1;
        } else {
            self.skip();
        }
    }

    /// Makes at most this many tests, until a code agrees with all answers or none is left; returns whether it is done.
    pub fn search(&mut self, most: u64) -> bool {
        for _ in 0..most {
            if self.is_dry() || self.plausible().is_some() {
                return true;
            }
            self.test();
        }
        self.is_dry() || self.plausible().is_some()
    }

    /// Returns the number of places behind the current code.
    pub fn left(&self) -> u64 {
        self.rest.iter().map(|span| u64::from(span.len())).sum()
    }

    pub fn rest(&self) -> impl Iterator<Item = Span> {
        self.rest.iter().copied()
    }

    pub fn take(&mut self, span: Span) {
        self.rest.push_back(span);
        if self.current.is_none() {
            self.skip();
        }
    }

    /// Gives up about half of the places behind the current code, from the end; fewer when they are in many spans.
    pub fn give_half(&mut self) -> Span {
        let half = u32::try_from(self.left() / 2).unwrap_or(u32::MAX);
        let Some(last) = self.rest.back_mut() else { return Span::EMPTY };
        let given = last.split_off(half);
        if last.is_empty() {
            self.rest.pop_back();
        }
        given
    }
}

fn compare(one: (u128, u128), other: (u128, u128)) -> Feedback {
    let black = count(one.0 & other.0);
    Feedback { black, white: count(one.1 & other.1) - black }
}

/// Counts the bits of a word with few: two codes have at most ten in common.
fn count(mut word: u128) -> u8 {
    let mut count = 0;
    while word != 0 {
        word &= word - 1;
        count += 1;
    }
    count
}
