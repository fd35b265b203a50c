use std::ops::ControlFlow;
use std::sync::Arc;

use super::Protocol;
use super::frame::{Body, Frame, Stamp};
use super::order::{Order, Span};
use super::searcher::Searcher;
use crate::history::Turn;

/// The tests after which a player that has found nothing says that it is at work.
const REPORT_EVERY: u64 = 1 << 24;

/// A player of `seed` or `first-come`: what it does with the frames of the master, and what it sends.
#[derive(Debug)]
pub struct Player {
    protocol: Protocol,
    order: Arc<Order>,
    number: u32,
    players: u32,
    stamp: Stamp,
    searcher: Searcher,
    outbox: Vec<(Stamp, Body)>,
    /// The state of its own proposals.
    state: State,
    reported: u64,
    alive: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It has not told the master what it found since the last news.
    Searching,
    /// The master has its proposal; it may go on searching, but proposes nothing before there is news.
    Proposed,
    /// The master knows that it has no code left.
    Dry,
}

impl Player {
    /// Prepares a player, counted from 0, for the first game.
    pub fn new(protocol: Protocol, order: Arc<Order>, number: u32, players: u32) -> Self {
        let searcher = Searcher::new(Arc::clone(&order), protocol.parts().part(order.game, number, players));
        let (stamp, outbox, state) = (Stamp::default(), Vec::new(), State::Searching);
        Self { protocol, order, number, players, stamp, searcher, outbox, state, reported: 0, alive: 0 }
    }

    /// Takes a frame of the master, which breaks off after the last game; `Err` says what is wrong with a frame.
    pub fn take(&mut self, frame: Frame) -> Result<ControlFlow<()>, String> {
        let Frame { stamp, body } = frame;
        if matches!(body, Body::End { is_more: false, .. }) {
            return Ok(ControlFlow::Break(()));
        }
        if stamp.game != self.stamp.game {
            return Err(format!("sent a frame of game {} in game {}", stamp.game, self.stamp.game));
        }
        match body {
            Body::Answer { index, blacks, whites } => {
                let game = self.order.game;
                let answer = game.feedback(blacks.into(), whites.into()).map_err(|error| format!("sent {error}"))?;
                if index >= game.codes() || stamp.round != self.stamp.round + 1 {
                    return Err(format!("sent answer {} to code {index} after {}", stamp.round, self.stamp.round));
                }
                self.learn(Turn { guess: game.code(index), answer });
            }
            Body::Take(span) => {
                if span.to > self.order.game.codes() {
                    return Err(format!("handed over codes up to {}", span.to));
                }
                self.stamp.taken += 1;
                self.searcher.take(span);
                if self.state == State::Dry || self.protocol == Protocol::Seed {
                    self.state = State::Searching;
                }
            }
            Body::Empty { .. } => {
                let given = self.searcher.give_half();
                self.send(Body::Take(given));
            }
            Body::End { is_more: false, .. } | Body::ALIVE => {}
            Body::End { is_more: true, .. } => {
                let game = self.stamp.game.wrapping_add(1);
                let (order, outbox) = (Arc::clone(&self.order), std::mem::take(&mut self.outbox));
                *self = Self::new(self.protocol, order, self.number, self.players);
                (self.stamp.game, self.outbox) = (game, outbox);
            }
            Body::Propose { .. } | Body::Heartbeat(_) => {
                return Err("sent a frame that a player of this protocol does not get".to_owned());
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn learn(&mut self, turn: Turn) {
        self.stamp.round += 1;
        self.searcher.learn(turn);
        if self.protocol == Protocol::Seed {
            // The report tests from the first answer on, and has to say each round that nothing is left.
            self.searcher.forget_passed();
            self.state = State::Searching;
        } else if self.state == State::Proposed {
            self.state = State::Searching;
        }
    }

    /// Returns whether there is nothing to do before the next frame.
    pub fn is_waiting(&self) -> bool {
        match self.state {
            State::Searching => false,
            State::Dry => true,
            State::Proposed => {
                self.protocol == Protocol::Seed || self.searcher.is_dry() || self.searcher.plausible().is_some()
            }
        }
    }

    /// Searches with at most this many tests.
    pub fn search(&mut self, tests: u64) {
        if self.is_waiting() {
            return;
        }
        let is_done = self.searcher.search(tests);
        if is_done && self.state == State::Searching {
            self.report();
        } else if self.searcher.tests() - self.alive >= REPORT_EVERY {
            self.alive = self.searcher.tests();
            let rest = self.searcher.rest().last().unwrap_or(Span::EMPTY);
            self.send(Body::Heartbeat(rest));
        }
    }

    fn report(&mut self) {
        let tests = self.searcher.tests() - self.reported;
        self.reported = self.searcher.tests();
        self.alive = self.reported;
        match self.searcher.plausible() {
            Some(code) => {
                // The code is one of the game's.
                let index = self.order.game.index(code).unwrap_or_default();
                self.send(Body::Propose { index, tests });
                self.state = State::Proposed;
                if self.protocol == Protocol::FirstCome {
                    // The master evaluates it or finds that it fails: it comes back in no case.
                    self.searcher.skip();
                }
            }
            None => {
                self.send(Body::Empty { tests });
                self.state = State::Dry;
            }
        }
    }

    fn send(&mut self, body: Body) {
        self.outbox.push((self.stamp, body));
    }

    /// Returns the frames to send, in order.
    pub fn outbox(&mut self) -> Vec<(Stamp, Body)> {
        std::mem::take(&mut self.outbox)
    }
}
