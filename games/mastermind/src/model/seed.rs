use std::sync::Arc;

use rand::seq::IteratorRandom as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Cost;
use crate::code::Code;
use crate::feedback::Feedback;
use crate::history::Turn;
use crate::protocol::{Order, Parts, Pick, Searcher};

/// Plays a game by the report's protocol: every round all players search from the first answer on, and the master waits
/// for the slowest.
pub fn seed(
    order: &Arc<Order>,
    secret: Code,
    parts: Parts,
    players: u32,
    pick: Pick,
    random: &mut Xoshiro256PlusPlus,
) -> Cost {
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
        let proposed = searchers.iter().filter_map(Searcher::plausible);
        let count = proposed.clone().count() as u64;
        cost.proposals += count;
        cost.fakes += u64::from(players) - count;
        let picked = match pick {
            Pick::Lowest => proposed.clone().next(),
            Pick::Random => proposed.choose(random),
        };
        // The secret agrees with every answer, so its owner always has a proposal.
        let Some(guess) = picked else { break };
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
