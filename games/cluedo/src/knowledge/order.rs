//! The order in which cards are placed: the fewer states on the way, the quicker the count.

use crate::knowledge::count::Problem;
use crate::knowledge::groups::Group;
use crate::pack::{CardSet, MOST_CARDS};

/// How many times as many states there are while some types, sets or choices are begun but not finished.
const TYPE_COSTS: [f64; MOST_BEGUN] = powers(2.0);
const SET_COSTS: [f64; MOST_BEGUN] = powers(1.5);
const CHOICE_COSTS: [f64; MOST_BEGUN] = powers(1.6);
const MOST_BEGUN: usize = 32;

/// What is begun counts as so many cards that are left of it.
const BEGUN: i32 = 10;

/// With fewer states on the way, a better order takes longer to find than it saves.
const WORTHWHILE: f64 = 150.0;

/// What decides how many states there are.
struct Cost {
    groups: Vec<Special>,
    /// Cards of types, then of sets, then of choices; where the latter two begin.
    begun: Vec<CardSet>,
    sets: usize,
    choices: usize,
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

/// Returns the open cards in the order in which they are placed, and about how many states there are on the way.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rough number, not below zero")]
pub(crate) fn order(problem: &Problem, groups: &[Group]) -> (Vec<usize>, usize) {
    let cost = Cost::new(problem, groups);
    let base = cost.one_by_one(problem.open);
    let (mut least, mut best) = (cost.total(&base), base.clone());
    for first in 0..groups.len() {
        let order = cost.group_by_group(&base, first);
        let total = cost.total(&order);
        if total < least {
            (least, best) = (total, order);
        }
    }
    if least > WORTHWHILE {
        cost.improve(&mut best);
    }
    (best, least as usize)
}

impl Cost {
    fn new(problem: &Problem, groups: &[Group]) -> Self {
        let secrets = problem.secret.iter().map(|&cards| cards & problem.open).filter(|cards| cards.len() > 1);
        let mut begun: Vec<CardSet> = secrets.collect();
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
        Self { groups: special.collect(), begun, sets, choices, cards: problem.open.len() }
    }

    /// Estimates the number of states when some cards are placed.
    fn states(&self, placed: CardSet) -> f64 {
        let begun = |cards: &[CardSet]| {
            let is_begun = |cards: &&CardSet| cards.meets(placed) & !placed.contains_all(**cards);
            cards.iter().filter(is_begun).count().min(MOST_BEGUN - 1)
        };
        let (types, rest) = self.begun.split_at(self.sets);
        let (sets, choices) = rest.split_at(self.choices - self.sets);
        let mut ways = TYPE_COSTS[begun(types)] * SET_COSTS[begun(sets)] * CHOICE_COSTS[begun(choices)];
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
            let mut more = [0; MOST_CARDS];
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
    fn group_by_group(&self, base: &[usize], first: usize) -> Vec<usize> {
        let mut placed = CardSet::EMPTY;
        let mut order = Vec::with_capacity(base.len());
        let mut groups: Vec<CardSet> = self.groups.iter().map(|group| group.special).collect();
        let mut next = Some(first);
        while let Some(group) = next {
            let special = groups.swap_remove(group) - placed;
            order.extend(base.iter().filter(|&&card| special.contains(card)));
            placed |= special;
            next = (0..groups.len()).min_by_key(|&group| (groups[group] - placed).len());
        }
        order.extend(base.iter().filter(|&&card| !placed.contains(card)));
        order
    }

    /// Estimates the number of states on the way.
    fn total(&self, order: &[usize]) -> f64 {
        let mut placed = CardSet::EMPTY;
        let states = order.iter().map(|&card| {
            placed.insert(card);
            self.states(placed)
        });
        states.sum()
    }

    /// Moves each card to where it saves most states.
    fn improve(&self, order: &mut Vec<usize>) {
        let mut placed = vec![CardSet::EMPTY; order.len() + 1];
        let mut states = vec![0.0; order.len() + 1];
        self.follow(order, &mut placed, &mut states);
        for card in placed[order.len()].iter() {
            let Some(at) = order.iter().position(|&one| one == card) else { continue };
            let card = CardSet::one(card);
            let mut best = (-1e-9, at);
            let mut more = 0.0;
            for later in at + 1..order.len() {
                more += self.states(placed[later + 1] - card) - states[later];
                best = if more < best.0 { (more, later) } else { best };
            }
            more = 0.0;
            for sooner in (0..at).rev() {
                more += self.states(placed[sooner] | card) - states[sooner + 1];
                best = if more < best.0 { (more, sooner) } else { best };
            }
            if best.1 != at {
                let card = order.remove(at);
                order.insert(best.1, card);
                self.follow(order, &mut placed, &mut states);
            }
        }
    }

    fn follow(&self, order: &[usize], placed: &mut [CardSet], states: &mut [f64]) {
        for (place, &card) in order.iter().enumerate() {
            placed[place + 1] = placed[place] | CardSet::one(card);
            states[place + 1] = self.states(placed[place + 1]);
        }
    }
}

const fn powers(of: f64) -> [f64; MOST_BEGUN] {
    let mut powers = [1.0; MOST_BEGUN];
    let mut place = 1;
    while place < MOST_BEGUN {
        powers[place] = powers[place - 1] * of;
        place += 1;
    }
    powers
}
