//! The cost of a protocol, counted rather than timed: deterministic games in which a test is the unit of time.
//!
//! A *test* is one comparison of one code with one earlier answer. Making the next code, messages and the answer are
//! free, so that the figures are those of the search alone.

use std::sync::Arc;

use crate::code::Code;
use crate::feedback::Feedback;
use crate::history::Turn;
use crate::protocol::{Order, Parts, Protocol, Searcher};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The guesses, the last of which is the secret.
    pub guesses: Vec<Code>,
    /// The tests on the slowest path: how long the game takes.
    pub slowest: u64,
    /// The tests of all players.
    pub tests: u64,
    /// Proposals that are not codes, from players that have none left; in `first-come` the players that say so.
    pub fakes: u64,
    /// Proposals of codes that reach the master.
    pub proposals: u64,
}

/// Plays a game by the report's protocol: every round all players search from the first answer on, and the master waits
/// for the slowest and takes the proposal of the lowest rank.
pub fn seed(order: &Arc<Order>, secret: Code, players: u32) -> Cost {
    let (mut searchers, mut cost) = (Searcher::of_all(order, Protocol::Seed.parts(), players), Cost::default());
    // The secret agrees with every answer, so its owner always has a proposal.
    while cost.guesses.last() != Some(&secret) {
        let mut slowest = 0;
        for searcher in &mut searchers {
            let before = searcher.tests();
            searcher.forget_passed();
            while !searcher.search(u64::MAX) {}
            slowest = slowest.max(searcher.tests() - before);
        }
        cost.slowest += slowest;
        let proposed: Vec<_> = searchers.iter().filter_map(Searcher::plausible).collect();
        cost.proposals += proposed.len() as u64;
        cost.fakes += u64::from(players) - proposed.len() as u64;
        cost.guess(proposed[0], secret, &mut searchers);
    }
    cost.tests = searchers.iter().map(Searcher::tests).sum();
    cost
}

/// Plays a game in which players that have a plausible code propose it at once, and nobody waits. At time 0 player 0
/// proposes its first code; then all players make one test per unit of time, answers are instant, and of proposals at
/// the same time that of the lowest rank counts. Nobody takes over the codes of another.
pub fn first_come(order: &Arc<Order>, secret: Code, parts: Parts, players: u32) -> Cost {
    let (mut searchers, mut cost) = (Searcher::of_all(order, parts, players), Cost::default());
    let mut is_dry: Vec<bool> = searchers.iter().map(Searcher::is_dry).collect();
    loop {
        if let Some(guess) = searchers.iter().find_map(Searcher::plausible) {
            cost.proposals += 1;
            cost.guess(guess, secret, &mut searchers);
            if guess == secret {
                break;
            }
        }
        cost.slowest += 1;
        for (searcher, is_dry) in searchers.iter_mut().zip(&mut is_dry) {
            searcher.test();
            cost.fakes += u64::from(searcher.is_dry() && !*is_dry);
            *is_dry = searcher.is_dry();
        }
    }
    cost.tests = searchers.iter().map(Searcher::tests).sum();
    cost
}

impl Cost {
    fn guess(&mut self, guess: Code, secret: Code, searchers: &mut [Searcher]) {
        self.guesses.push(guess);
        let turn = Turn { guess, answer: Feedback::of(guess, secret) };
        searchers.iter_mut().for_each(|searcher| searcher.learn(turn));
    }
}

/// How the guesses of a game fall on ranks that share them: chunks dealt in turn, the same in every round. A rank pays
/// for each of its guesses once per candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedLoad {
    /// The guesses of the rank that has most.
    pub busiest: u64,
    /// The guesses of all.
    pub guesses: u64,
}

impl SharedLoad {
    pub fn speed_up(self) -> f64 {
        self.guesses as f64 / self.busiest as f64
    }
}

/// Returns the load of a round in which every one of these guesses is scored.
pub fn shared(guesses: u64, ranks: u64, chunk: u64) -> SharedLoad {
    // Rank 0 has the first chunk of each turn, so no rank has more; the last chunk may be short.
    let (turns, rest) = (guesses / (chunk * ranks), guesses % (chunk * ranks));
    SharedLoad { busiest: turns * chunk + rest.min(chunk), guesses }
}
