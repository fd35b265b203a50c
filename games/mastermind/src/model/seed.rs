use std::sync::Arc;

use super::Cost;
use crate::code::Code;
use crate::feedback::Feedback;
use crate::history::Turn;
use crate::protocol::{Order, Protocol, Searcher};

/// Plays a game by the report's protocol: every round all players search from the first answer on, and the master waits
/// for the slowest and takes the proposal of the lowest rank.
pub fn seed(order: &Arc<Order>, secret: Code, players: u32) -> Cost {
    let parts = Protocol::Seed.parts();
    let mut searchers: Vec<_> = (0..players)
        .map(|player| Searcher::new(Arc::clone(order), parts.part(order.game(), player, players)))
        .collect();
    let mut cost = Cost::default();
    loop {
        let mut slowest = 0;
        for searcher in &mut searchers {
            let before = searcher.tests();
            searcher.forget_passed();
            while !searcher.search(u64::MAX) {}
            slowest = slowest.max(searcher.tests() - before);
        }
        cost.slowest += slowest;
        let mut proposed = searchers.iter().filter_map(Searcher::plausible);
        let count = proposed.clone().count() as u64;
        cost.proposals += count;
        cost.fakes += u64::from(players) - count;
        // The secret agrees with every answer, so its owner always has a proposal.
        let Some(guess) = proposed.next() else { break };
        let answer = Feedback::of(guess, secret);
        cost.guesses.push(guess);
        if guess == secret {
            break;
        }
        searchers.iter_mut().for_each(|searcher| searcher.learn(Turn { guess, answer }));
    }
    cost.tests = searchers.iter().map(Searcher::tests).sum();
    cost
}
