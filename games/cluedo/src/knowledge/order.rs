//! The order in which cards are placed: the fewer states on the way, the quicker the count.

use crate::knowledge::count::Problem;
use crate::knowledge::groups::Group;
use crate::pack::CardSet;

/// How many times as many states there are while a type, a set or a choice is begun but not finished.
const TYPE_COST: f64 = 2.0;
const SET_COST: f64 = 1.5;
const CHOICE_COST: f64 = 1.6;

/// With fewer states on the way, a better order takes longer to find than it saves.
const WORTHWHILE: f64 = 150.0;

/// What decides how many states there are.
struct Cost {
    groups: Vec<Special>,
    /// Cards of types, sets and choices.
    begun: Vec<(CardSet, f64)>,
    cards: usize,
}

/// A group, and the cards that make it different from others.
struct Special {
    free: f64,
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
        let mut begun: Vec<(CardSet, f64)> = secrets.map(|cards| (cards, TYPE_COST)).collect();
        let mut special = Vec::with_capacity(groups.len());
        for group in groups {
            let holder = &problem.holders[group.members[0]];
            let is_named = |card: &usize| holder.weights[*card].to_bits() != 1_f64.to_bits();
            let mut cards = (problem.open - holder.may) | holder.may.iter().filter(is_named).collect();
            for (set, cost) in (holder.sets.iter().map(|&set| (set, SET_COST)))
                .chain(holder.choices.iter().map(|choice| (choice.others, CHOICE_COST)))
            {
                cards |= set;
                begun.push((set, cost));
            }
            special.push(Special { free: group.free as f64, may: group.may, special: cards });
        }
        Self { groups: special, begun, cards: problem.open.len() }
    }

    /// Estimates the number of states when some cards are placed.
    fn states(&self, placed: CardSet) -> f64 {
        let begun = self.begun.iter().filter(|(cards, _)| cards.meets(placed) && !placed.contains_all(*cards));
        let cost: f64 = begun.map(|(_, cost)| cost).product();
        // How many numbers of cards each group can have: groups with special cards to come are told apart.
        let (mut ways, mut spread, mut others) = (cost, 0.0, 0.0);
        let mut count = |free: f64, before: f64, after: f64| {
            let numbers = free.min(before) - (free - after).max(0.0) + 1.0;
            ways *= numbers.max(1.0);
            spread += numbers * numbers - 1.0;
        };
        for group in &self.groups {
            if placed.contains_all(group.special) {
                others += group.free;
            } else {
                count(group.free, (group.may & placed).len() as f64, (group.may - placed).len() as f64);
            }
        }
        if others > 0.0 {
            count(others, placed.len() as f64, (self.cards - placed.len()) as f64);
        }
        // Their sum is given: of so many sums, the most frequent.
        ways / (1.0 + 0.5 * spread).sqrt()
    }

    /// Begins as few types, sets and choices as possible, and finishes first what is nearly finished.
    fn one_by_one(&self, cards: CardSet) -> Vec<usize> {
        let mut rest = cards;
        let mut order = Vec::with_capacity(rest.len());
        while !rest.is_empty() {
            let unfinished = |card| {
                let left = rest - CardSet::one(card);
                let begun = self.begun.iter().filter(|(group, _)| group.meets(left) && !left.contains_all(*group));
                begun.map(|(group, _)| 10 + (*group & left).len()).sum::<usize>()
            };
            let Some(card) = rest.iter().min_by_key(|&card| unfinished(card)) else { break };
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
