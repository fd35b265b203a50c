use std::sync::Arc;

use super::Cost;
use crate::code::Code;
use crate::feedback::Feedback;
use crate::history::Turn;
use crate::protocol::{Order, Parts, Searcher};

/// Plays a game in which players that have a plausible code propose it at once, and nobody waits. At time 0 player 0
/// proposes its first code; then all players make one test per unit of time, answers are instant, and of proposals at
/// the same time that of the lowest rank counts. Nobody takes over the codes of another.
pub fn first_come(order: &Arc<Order>, secret: Code, parts: Parts, players: u32) -> Cost {
    let mut searchers: Vec<_> = (0..players)
        .map(|player| Searcher::new(Arc::clone(order), parts.part(order.game(), player, players)))
        .collect();
    let mut cost = Cost::default();
    let mut is_dry: Vec<bool> = searchers.iter().map(Searcher::is_dry).collect();
    let mut proposal = searchers.iter().find_map(Searcher::plausible);
    loop {
        if let Some(guess) = proposal {
            cost.proposals += 1;
            cost.guesses.push(guess);
            if guess == secret {
                break;
            }
            let turn = Turn { guess, answer: Feedback::of(guess, secret) };
            searchers.iter_mut().for_each(|searcher| searcher.learn(turn));
        }
        cost.slowest += 1;
        for (searcher, is_dry) in searchers.iter_mut().zip(&mut is_dry) {
            searcher.test();
            if searcher.is_dry() && !*is_dry {
                *is_dry = true;
                cost.fakes += 1;
            }
        }
        proposal = searchers.iter().find_map(Searcher::plausible);
    }
    cost.tests = searchers.iter().map(Searcher::tests).sum();
    cost
}
