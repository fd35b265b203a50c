//! The order in which cards are placed: the fewer states on the way, the quicker the count.

use std::ops::Range;

use crate::deck::{CardSet, MAX_CARDS};
use crate::knowledge::problem::{Group, Problem};
use crate::knowledge::states::Secrets;

/// How many times as many states there are while some types, sets or choices are begun but not finished.
const TYPE_COSTS: [f64; 4] = [1.0, 1.2, 1.44, 1.728];
const IDENTITY_COSTS: [f64; 4] = [1.0, 2.0, 4.0, 8.0];
const SET_COSTS: [f64; MAX_BEGUN] = powers(1.5);
const CHOICE_COSTS: [f64; MAX_BEGUN] = powers(1.6);
const MAX_BEGUN: usize = 32;

/// An unfinished item counts as this many remaining cards.
const BEGUN: i32 = 10;

/// With fewer states on the way, a better order takes longer to find than it saves.
const WORTHWHILE: f64 = 300.0;

/// A part of all states that is much for a card on its way to a better place.
const MUCH: f64 = 0.05;

/// The factors that determine the number of states.
struct Cost {
    groups: Vec<Special>,
    /// Cards of types, then of sets, then of choices; where the latter two begin.
    begun: Vec<CardSet>,
    sets: usize,
    choices: usize,
    types: [f64; 4],
    cards: usize,
}

/// A group, and the cards that make it different from others.
struct Special {
    free: usize,
    /// How many cards it may have.
    most: usize,
    may: CardSet,
    special: CardSet,
}

/// Returns the open cards in the order in which they are placed.
pub(crate) fn order(problem: &Problem, groups: &[Group], secrets: Secrets) -> Vec<usize> {
    let cost = Cost::new(problem, groups, secrets);
    let base = cost.one_by_one(problem.open);
    let (mut least, mut best) = (cost.total(&base, f64::INFINITY), base.clone());
    let mut order = Vec::with_capacity(base.len());
    for first in 0..groups.len() {
        cost.group_by_group(&base, first, &mut order);
        let total = cost.total(&order, least);
        if total < least {
            least = total;
            std::mem::swap(&mut best, &mut order);
        }
    }
    if least > WORTHWHILE {
        cost.improve(&mut best);
    }
    best
}

impl Cost {
    fn new(problem: &Problem, groups: &[Group], secrets: Secrets) -> Self {
        let candidates = problem.secret.iter().map(|&cards| cards & problem.open).filter(|cards| cards.len() > 1);
        let mut begun: Vec<CardSet> = candidates.collect();
        let holder = |group: &Group| &problem.holders[group.members[0]];
        let sets = begun.len();
        begun.extend(groups.iter().flat_map(|group| &holder(group).sets));
        let choices = begun.len();
        begun.extend(groups.iter().flat_map(|group| holder(group).choices.iter().map(|choice| choice.others)));
        let special = groups.iter().map(|group| {
            let holder = holder(group);
            let is_named = |card: &usize| holder.weights[*card].to_bits() != 1_f64.to_bits();
            let mut special = (problem.open - holder.may) | holder.may.iter().filter(is_named).collect();
            holder.sets.iter().for_each(|&set| special |= set);
            holder.choices.iter().for_each(|choice| special |= choice.others);
            Special { free: group.free, most: group.may.len(), may: group.may, special }
        });
        let types = if secrets == Secrets::Identity { IDENTITY_COSTS } else { TYPE_COSTS };
        Self { groups: special.collect(), begun, sets, choices, types, cards: problem.open.len() }
    }

    /// Estimates the number of states when some cards are placed.
    fn states(&self, placed: CardSet) -> f64 {
        let begun = |cards: &[CardSet]| {
            let is_begun = |cards: &&CardSet| cards.meets(placed) & !placed.contains_all(**cards);
            cards.iter().filter(is_begun).count().min(MAX_BEGUN - 1)
        };
        let (types, rest) = self.begun.split_at(self.sets);
        let (sets, choices) = rest.split_at(self.choices - self.sets);
        let mut ways = self.types[begun(types)] * SET_COSTS[begun(sets)] * CHOICE_COSTS[begun(choices)];
        // How many numbers of cards each group can have: groups with special cards to come are told apart.
        let (mut spread, mut others) = (0, 0);
        let mut count = |free: usize, before: usize, after: usize| {
            let numbers = (free.min(before) + 1).saturating_sub(free.saturating_sub(after)).max(1);
            ways *= numbers as f64;
            spread += numbers * numbers - 1;
        };
        for group in &self.groups {
            if placed.contains_all(group.special) {
                others += group.free;
            } else {
                let before = (group.may & placed).len();
                count(group.free, before, group.most - before);
            }
        }
        if others > 0 {
            let before = placed.len();
            count(others, before, self.cards - before);
        }
        // Their sum is given: of so many sums, the most frequent.
        ways / (1.0 + 0.5 * spread as f64).sqrt()
    }

    /// Begins as few types, sets and choices as possible, and finishes first what is nearly finished.
    fn one_by_one(&self, cards: CardSet) -> Vec<usize> {
        let mut rest = cards;
        let mut order = Vec::with_capacity(rest.len());
        while !rest.is_empty() {
            // How much more is begun but not finished with each card.
            let mut more = [0; MAX_CARDS];
            for &cards in &self.begun {
                let left = cards & rest;
                let count = i32::try_from(left.len()).unwrap_or(i32::MAX);
                let change = match (count, left == cards) {
                    (..=1, true) => 0,
                    (_, true) => BEGUN + count - 1,
                    (..=1, false) => -BEGUN - 1,
                    (_, false) => -1,
                };
                left.iter().for_each(|card| more[card] += change);
            }
            let Some(card) = rest.iter().min_by_key(|&card| more[card]) else { break };
            rest.remove(card);
            order.push(card);
        }
        order
    }

    /// Places what is special about one group, then about the group of which least is left, and so on.
    fn group_by_group(&self, base: &[usize], first: usize, order: &mut Vec<usize>) {
        order.clear();
        let mut placed = CardSet::EMPTY;
        let mut done = 0_u64;
        let mut next = Some(first);
        while let Some(group) = next {
            let special = self.groups[group].special - placed;
            order.extend(base.iter().filter(|&&card| special.contains(card)));
            placed |= special;
            done |= 1 << group;
            let others = (0..self.groups.len()).filter(|group| done >> group & 1 == 0);
            next = others.min_by_key(|&group| (self.groups[group].special - placed).len());
        }
        order.extend(base.iter().filter(|&&card| !placed.contains(card)));
    }

    /// Estimates the number of states on the way, or up to where they are more than `most`.
    fn total(&self, order: &[usize], most: f64) -> f64 {
        let mut placed = CardSet::EMPTY;
        let mut total = 0.0;
        for &card in order {
            placed.insert(card);
            total += self.states(placed);
            if total > most {
                break;
            }
        }
        total
    }

    /// Moves each card to where it saves most states; goes no farther when that costs much on the way.
    fn improve(&self, order: &mut Vec<usize>) {
        let mut placed = [CardSet::EMPTY; MAX_CARDS + 1];
        let mut states = [0.0; MAX_CARDS + 1];
        self.follow(order, 0..order.len(), &mut placed, &mut states);
        for card in placed[order.len()].iter() {
            let Some(at) = order.iter().position(|&one| one == card) else { continue };
            let card = CardSet::one(card);
            let much = MUCH * states.iter().sum::<f64>();
            let mut best = (-1e-9, at);
            let mut more = 0.0;
            for later in at + 1..order.len() {
                more += self.states(placed[later + 1] - card) - states[later];
                best = if more < best.0 { (more, later) } else { best };
                if more > much {
                    break;
                }
            }
            more = 0.0;
            for sooner in (0..at).rev() {
                more += self.states(placed[sooner] | card) - states[sooner + 1];
                best = if more < best.0 { (more, sooner) } else { best };
                if more > much {
                    break;
                }
            }
            if best.1 != at {
                let card = order.remove(at);
                order.insert(best.1, card);
                self.follow(order, at.min(best.1)..at.max(best.1), &mut placed, &mut states);
            }
        }
    }

    /// Finds what is placed, and how many states there are, after the steps of a range.
    fn follow(&self, order: &[usize], steps: Range<usize>, placed: &mut [CardSet], states: &mut [f64]) {
        for step in steps {
            placed[step + 1] = placed[step] | CardSet::one(order[step]);
            states[step + 1] = self.states(placed[step + 1]);
        }
    }
}

const fn powers(of: f64) -> [f64; MAX_BEGUN] {
    let mut powers = [1.0; MAX_BEGUN];
    let mut place = 1;
    while place < MAX_BEGUN {
        powers[place] = powers[place - 1] * of;
        place += 1;
    }
    powers
}
