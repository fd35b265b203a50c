//! The plan of a count: in which order cards are placed, which fields a state has, and what each card does to them.

use crate::deck::CardSet;
use crate::knowledge::lanes;
use crate::knowledge::order::order;
use crate::knowledge::problem::{Group, Holder, Problem};
use crate::knowledge::states::{Field, NOWHERE, Place, SECRET, Secrets, Step, Union, binomial};

/// One group, or several between which the cards that are still to be placed make no difference.
/// Slots have numbers: first those of the groups, then one for each union of two slots.
#[derive(Clone, Copy, Debug)]
struct Slot {
    number: usize,
    /// One of its groups.
    group: usize,
    free: usize,
    field: Field,
}

/// All steps.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) groups: Vec<Group>,
    /// How many ways there are to share what groups hold among their members.
    pub(crate) shares: f64,
    /// The lane and the state without any open card placed.
    pub(crate) start: (usize, u64),
    /// Where each type's secret card is, for [`Secrets::Identity`].
    identity: [Field; 3],
    pub(crate) steps: Vec<Step>,
}

/// Bits of a state for a type's secret card.
const IDENTITY_BITS: u32 = 6;

/// Hands out bits of a state.
struct Bits {
    used: u64,
}

impl Bits {
    /// Returns the lowest free field that can hold numbers up to a limit.
    fn take(&mut self, limit: usize) -> Option<Field> {
        let width = (usize::BITS - limit.leading_zeros()).max(1);
        let mask = (1 << width) - 1;
        let shift = (0..=64 - width).find(|&shift| self.used >> shift & mask == 0)?;
        self.used |= mask << shift;
        Some(Field { shift, mask })
    }

    const fn give(&mut self, field: Field) {
        self.used &= !field.bits();
    }
}

/// A set or a choice of a group, with its field while some but not all of its cards are placed.
struct Condition {
    group: usize,
    cards: CardSet,
    known: Option<usize>,
    field: Option<Field>,
}

/// A plan in the making.
struct Planner<'a> {
    problem: &'a Problem,
    secrets: Secrets,
    groups: Vec<Group>,
    conditions: Vec<Condition>,
    slots: Vec<Slot>,
    numbers: usize,
    bits: Bits,
    /// The field that says how many types have no secret card yet.
    left: Field,
    identity: [Field; 3],
    steps: Vec<Step>,
}

impl Plan {
    /// Plans a count; `None` if there is no deal for certain, or a state does not fit into 64 bits.
    pub(crate) fn new(problem: &Problem, secrets: Secrets) -> Option<Self> {
        let groups = groups(problem);
        // One slot for each group and for each union of two.
        if 2 * groups.len() > SECRET {
            return None;
        }
        let mut bits = Bits { used: 0 };
        let mut start = 0;
        let mut slots = Vec::with_capacity(groups.len());
        for (number, group) in groups.iter().enumerate() {
            let field = bits.take(group.free)?;
            start |= (group.free as u64) << field.shift;
            slots.push(Slot { number, group: number, free: group.free, field });
        }
        let known = |kind: usize| problem.secret[kind].only().filter(|&card| !problem.open.contains(card));
        let (lane, number) = lanes::start([0, 1, 2].map(|kind| known(kind).is_some()));
        let left = bits.take(3)?;
        start |= number * left.one();
        let mut identity = [Field::default(); 3];
        for kind in (0..3).filter(|_| secrets == Secrets::Identity) {
            identity[kind] = bits.take((1 << IDENTITY_BITS) - 1)?;
            start |= known(kind).map_or(0, |card| card - problem.deck.range(kind).start) as u64 * identity[kind].one();
        }
        let conditions = conditions(problem, &groups);
        let shares = shares(problem, &groups);
        let numbers = groups.len();
        let mut rest = problem.open;
        let steps = Vec::with_capacity(2 * rest.len());
        let mut planner = Planner { problem, secrets, groups, conditions, slots, numbers, bits, left, identity, steps };
        for card in order(problem, &planner.groups, secrets) {
            rest.remove(card);
            planner.step(card, rest)?;
        }
        Some(Self { groups: planner.groups, shares, start: (lane, start), identity, steps: planner.steps })
    }

    /// Returns how many places all steps have together.
    pub(crate) fn places(&self) -> usize {
        self.steps.last().map_or(0, |step| step.first + step.places.len())
    }

    /// Returns the secret of a state with [`Secrets::Identity`].
    pub(crate) fn triple(&self, problem: &Problem, state: u64) -> [usize; 3] {
        std::array::from_fn(|kind| {
            problem.deck.range(kind).start + usize::try_from(self.identity[kind].of(state)).unwrap_or(0)
        })
    }
}

impl Planner<'_> {
    /// Plans the placing of a card, with these left after it.
    fn step(&mut self, card: usize, rest: CardSet) -> Option<()> {
        for condition in self.conditions.iter_mut().filter(|one| one.cards.contains(card) && one.field.is_none()) {
            let limit = if condition.known.is_some() { condition.cards.len() } else { 1 };
            condition.field = Some(self.bits.take(limit)?);
        }
        let mut step = self.new_step(card);
        self.places(&mut step, rest);
        let secret = self.problem.secret[self.problem.deck.kind(card)];
        let is_last = secret.contains(card) && !secret.meets(rest);
        if is_last {
            let types = self.problem.secret.iter().filter(|cards| cards.meets(rest)).count();
            step.bounds.push((self.left, types as u64));
            step.last = Some((self.problem.deck.kind(card), self.left));
        }
        let is_done = |one: &&mut Condition| one.cards.contains(card) && !one.cards.meets(rest);
        for set in self.conditions.iter_mut().filter(|one| one.known.is_none()).filter(is_done) {
            let Some(field) = set.field.take() else { continue };
            step.due |= field.bits();
            self.bits.give(field);
        }
        self.steps.push(step);
        let mut step = self.new_step(card);
        for choice in self.conditions.iter_mut().filter(is_done) {
            let (Some(known), Some(field)) = (choice.known, choice.field.take()) else { continue };
            step.settled.push((field, known as f64));
            step.done |= field.bits();
            self.bits.give(field);
        }
        self.unions(&mut step, rest)?;
        if !step.settled.is_empty() || !step.unions.is_empty() {
            let free = Field::default();
            step.places.push(Place { slot: NOWHERE, kind: 0, weight: 1.0, free, add: 0, set: 0, needs: 0..0 });
            self.steps.push(step);
        }
        Some(())
    }

    fn new_step(&self, card: usize) -> Step {
        let first = self.steps.last().map_or(0, |step| step.first + step.places.len());
        Step { card, first, ..Step::default() }
    }

    fn places(&self, step: &mut Step, rest: CardSet) {
        let card = step.card;
        step.places.reserve_exact(self.slots.len() + 1);
        let kind = self.problem.deck.kind(card);
        for slot in &self.slots {
            let group = &self.groups[slot.group];
            if !group.may.contains(card) {
                continue;
            }
            let mut add = slot.field.one().wrapping_neg();
            let mut set = 0;
            let conditions = self.conditions.iter().filter(|one| one.group == slot.group && one.cards.contains(card));
            for condition in conditions {
                let bit = condition.field.map_or(0, Field::one);
                if condition.known.is_some() { add = add.wrapping_add(bit) } else { set |= bit }
            }
            let left = (group.may & rest).len();
            if left < slot.free {
                step.bounds.push((slot.field, left as u64));
            }
            let weight = self.problem.holders[group.members[0]].weights[card];
            let needs = step.needs.len();
            add_needs(&self.conditions, slot, rest, &mut step.needs);
            let needs = needs..step.needs.len();
            step.places.push(Place { slot: slot.number, kind, weight, free: slot.field, add, set, needs });
        }
        if self.problem.secret[kind].contains(card) {
            let mut add = self.left.one().wrapping_neg();
            if self.secrets == Secrets::Identity {
                let place = card - self.problem.deck.range(kind).start;
                add = add.wrapping_add(place as u64 * self.identity[kind].one());
            }
            step.places.push(Place { slot: SECRET, kind, weight: 1.0, free: self.left, add, set: 0, needs: 0..0 });
        }
    }

    /// Makes one of slots between which the cards that are left make no difference.
    fn unions(&mut self, step: &mut Step, rest: CardSet) -> Option<()> {
        let mut one = 0;
        while one < self.slots.len() {
            let mut other = one + 1;
            while other < self.slots.len() {
                if !self.are_alike(self.slots[one].group, self.slots[other].group, rest) {
                    other += 1;
                    continue;
                }
                let (first, second) = (self.slots[one], self.slots.swap_remove(other));
                let free = first.free + second.free;
                let to = self.bits.take(free)?;
                let fields = [first.field, second.field];
                let parts = [first.number, second.number];
                step.unions.push(Union { parts, whole: self.numbers, fields, to });
                self.slots[one] = Slot { number: self.numbers, group: first.group, free, field: to };
                self.numbers += 1;
                fields.into_iter().for_each(|field| self.bits.give(field));
            }
            one += 1;
        }
        Some(())
    }

    /// Returns whether these cards make no difference between two groups.
    fn are_alike(&self, one: usize, other: usize, rest: CardSet) -> bool {
        let is_open = |condition: &Condition| [one, other].contains(&condition.group) && condition.cards.meets(rest);
        let [one, other] = [one, other].map(|group| &self.groups[group]);
        one.may & rest == other.may & rest
            && !self.conditions.iter().any(is_open)
            && same_weights(self.problem, one.members[0], other.members[0], one.may & rest)
    }
}

/// Adds what a group's sets need that these cards may still meet: as many free places as there are sets without a card in
/// common, up to three.
/// A need is some bits of which one must be set: those of the sets, and those of numbers of free places. One free place
/// has any bit, two have another than the lowest, and three, besides, another than the second.
fn add_needs(conditions: &[Condition], slot: &Slot, rest: CardSet, needs: &mut Vec<u64>) {
    let is_open = |one: &&Condition| one.group == slot.group && one.known.is_none() && one.cards.meets(rest);
    let sets = conditions.iter().filter(is_open).map(|one| (one.field.map_or(0, Field::bits), one.cards & rest));
    let free = slot.field.bits();
    let (two, three) = (free & !slot.field.one(), free & !(slot.field.one() << 1));
    for (place, (bits, cards)) in sets.clone().enumerate() {
        needs.push(bits | free);
        for (place, (more, others)) in sets.clone().enumerate().take(place).filter(|(_, one)| !one.1.meets(cards)) {
            needs.push(bits | more | two);
            let all = cards | others;
            needs.extend(
                sets.clone().take(place).filter(|one| !one.1.meets(all)).map(|one| bits | more | one.0 | three),
            );
        }
    }
}

/// Returns whether there are as many cards as places, and enough for each place.
pub(crate) fn fits(problem: &Problem) -> bool {
    let free: usize = problem.holders.iter().map(|holder| holder.free).sum();
    let secrets = (0..3).filter(|&kind| problem.secret[kind].meets(problem.open)).count();
    problem.holders.iter().all(|holder| holder.may.len() >= holder.free)
        && problem.secret.iter().all(|cards| !cards.is_empty())
        && free + secrets == problem.open.len()
}

/// Returns the sets and choices of all groups.
fn conditions(problem: &Problem, groups: &[Group]) -> Vec<Condition> {
    let mut conditions = Vec::new();
    for (group, holder) in groups.iter().enumerate().map(|(place, group)| (place, &problem.holders[group.members[0]])) {
        conditions.extend(holder.sets.iter().map(|&cards| Condition { group, cards, known: None, field: None }));
        conditions.extend(holder.choices.iter().map(|choice| Condition {
            group,
            cards: choice.others,
            known: Some(choice.known),
            field: None,
        }));
    }
    conditions
}

/// Puts seats together about which the same is known: nothing but the cards that they may have.
fn groups(problem: &Problem) -> Vec<Group> {
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
fn shares(problem: &Problem, groups: &[Group]) -> f64 {
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
fn same_weights(problem: &Problem, one: usize, other: usize, cards: CardSet) -> bool {
    let weight = |holder: usize, card: usize| problem.holders[holder].weights[card].to_bits();
    cards.iter().all(|card| weight(one, card) == weight(other, card))
}
