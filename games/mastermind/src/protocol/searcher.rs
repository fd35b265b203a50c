use std::collections::VecDeque;
use std::sync::Arc;

use super::bits::Bits;
use super::order::{Order, Span};
use crate::code::Code;
use crate::history::Turn;

/// A player's search of its part: it tests one code after another against the answers it knows. Codes that failed are
/// never looked at again.
#[derive(Clone, Debug)]
pub struct Searcher {
    order: Arc<Order>,
    turns: Vec<Turn>,
    /// The guesses of the turns, for fast tests.
    guesses: Vec<Bits>,
    /// The places behind the current code.
    rest: VecDeque<Span>,
    current: Option<(Code, Bits)>,
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

    pub fn turns(&self) -> &[Turn] {
        &self.turns
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
        self.guesses.push(Bits::of(self.order.game(), turn.guess));
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
        if bits.compare(self.guesses[self.passed]) == turn.answer {
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
