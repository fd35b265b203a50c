//! Seats of which the same is known are counted together.

use crate::deck::CardSet;
use crate::knowledge::problem::{Holder, Problem};

/// Seats of which the same is known, counted together.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// Places among the problem's holders.
    pub(crate) members: Vec<usize>,
    /// Free places of all members.
    pub(crate) free: usize,
    pub(crate) may: CardSet,
}

/// Puts seats together about which the same is known: nothing but the cards that they may have.
pub(crate) fn groups(problem: &Problem) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let is_plain = |holder: &Holder| holder.sets.is_empty() && holder.choices.is_empty();
    for (place, holder) in problem.holders.iter().enumerate().filter(|(_, holder)| holder.free > 0) {
        let alike = |group: &&mut Group| {
            is_plain(&problem.holders[group.members[0]])
                && group.may == holder.may
                && same_weights(problem, group.members[0], place, holder.may)
        };
        match groups.iter_mut().find(alike).filter(|_| is_plain(holder)) {
            Some(group) => {
                group.members.push(place);
                group.free += holder.free;
            }
            None => groups.push(Group { members: vec![place], free: holder.free, may: holder.may }),
        }
    }
    groups
}

/// Returns in how many ways the groups' cards can be shared among their members.
pub(crate) fn shares(problem: &Problem, groups: &[Group]) -> f64 {
    let mut ways = 1.0;
    for group in groups {
        let mut left = group.free;
        for &member in &group.members {
            let free = problem.holders[member].free;
            ways *= binomial(left as u64, free as u64);
            left -= free;
        }
    }
    ways
}

/// Returns whether each of these cards is as likely with one holder as with another.
pub(crate) fn same_weights(problem: &Problem, one: usize, other: usize, cards: CardSet) -> bool {
    let weight = |holder: usize, card: usize| problem.holders[holder].weights[card].to_bits();
    cards.iter().all(|card| weight(one, card) == weight(other, card))
}

pub(crate) fn binomial(of: u64, count: u64) -> f64 {
    (0..count).fold(1.0, |ways, step| ways * (of - step) as f64 / (step + 1) as f64)
}
