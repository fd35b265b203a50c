//! The plan of a count: in which order cards are placed, which fields a state has, and what each card does to them.

use std::ops::Range;

use crate::deck::CardSet;
use crate::knowledge::groups::{Group, groups, same_weights, shares};
use crate::knowledge::lanes;
use crate::knowledge::order::order;
use crate::knowledge::problem::Problem;
use crate::knowledge::states::{Bound, Field, NOWHERE, Place, SECRET, Secrets, Settled, Step, Union};

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
    parts: Parts,
}

/// The parts of all steps together.
#[derive(Clone, Debug, Default)]
struct Parts {
    steps: Vec<Ranges>,
    places: Vec<Place>,
    bounds: Vec<Bound>,
    settled: Vec<Settled>,
    unions: Vec<Union>,
    needs: Vec<u64>,
}

/// The ranges of one step's parts.
#[derive(Clone, Debug)]
struct Ranges {
    card: usize,
    last: Option<(usize, Field)>,
    due: u64,
    done: u64,
    places: Range<usize>,
    bounds: Range<usize>,
    settled: Range<usize>,
    unions: Range<usize>,
}

impl Parts {
    /// Returns whether something was settled, or becomes one, since the last step ended.
    fn is_open(&self) -> bool {
        let ends = self.steps.last().map_or((0, 0), |step| (step.settled.end, step.unions.end));
        ends != (self.settled.len(), self.unions.len())
    }

    /// Makes a step of all that came since the last one ended.
    fn end_step(&mut self, card: usize, [due, done]: [u64; 2], last: Option<(usize, Field)>) {
        let ends = |of: fn(&Ranges) -> usize| self.steps.last().map_or(0, of);
        self.steps.push(Ranges {
            card,
            last,
            due,
            done,
            places: ends(|step| step.places.end)..self.places.len(),
            bounds: ends(|step| step.bounds.end)..self.bounds.len(),
            settled: ends(|step| step.settled.end)..self.settled.len(),
            unions: ends(|step| step.unions.end)..self.unions.len(),
        });
    }
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
    parts: Parts,
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
        let parts = Parts {
            steps: Vec::with_capacity(2 * rest.len()),
            places: Vec::with_capacity(rest.len() * (groups.len() + 2)),
            bounds: Vec::with_capacity(2 * rest.len()),
            needs: Vec::with_capacity(2 * rest.len()),
            ..Parts::default()
        };
        let mut planner = Planner { problem, secrets, groups, conditions, slots, numbers, bits, left, identity, parts };
        for card in order(problem, &planner.groups, secrets) {
            rest.remove(card);
            planner.step(card, rest)?;
        }
        Some(Self { groups: planner.groups, shares, start: (lane, start), identity, parts: planner.parts })
    }

    /// Returns how many steps there are: one for each open card.
    pub(crate) const fn len(&self) -> usize {
        self.parts.steps.len()
    }

    /// Returns how many places all steps have together.
    pub(crate) const fn places(&self) -> usize {
        self.parts.places.len()
    }

    #[inline]
    pub(crate) fn step(&self, number: usize) -> Step<'_> {
        let parts = &self.parts;
        let ranges = &parts.steps[number];
        Step {
            card: ranges.card,
            last: ranges.last,
            first: ranges.places.start,
            due: ranges.due,
            done: ranges.done,
            places: &parts.places[ranges.places.clone()],
            bounds: &parts.bounds[ranges.bounds.clone()],
            settled: &parts.settled[ranges.settled.clone()],
            unions: &parts.unions[ranges.unions.clone()],
            needs: &parts.needs,
        }
    }

    pub(crate) fn steps(&self) -> impl DoubleEndedIterator<Item = Step<'_>> + ExactSizeIterator {
        (0..self.len()).map(|number| self.step(number))
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
        self.places(card, rest);
        let secret = self.problem.secret[self.problem.deck.kind(card)];
        let is_last = secret.contains(card) && !secret.meets(rest);
        if is_last {
            let types = self.problem.secret.iter().filter(|cards| cards.meets(rest)).count();
            self.parts.bounds.push(Bound { field: self.left, most: types as u64 });
        }
        let last = is_last.then_some((self.problem.deck.kind(card), self.left));
        let mut due = 0;
        let is_done = |one: &&mut Condition| one.cards.contains(card) && !one.cards.meets(rest);
        for set in self.conditions.iter_mut().filter(|one| one.known.is_none()).filter(is_done) {
            let Some(field) = set.field.take() else { continue };
            due |= field.bits();
            self.bits.give(field);
        }
        self.parts.end_step(card, [due, 0], last);
        let mut done = 0;
        for choice in self.conditions.iter_mut().filter(is_done) {
            let (Some(known), Some(field)) = (choice.known, choice.field.take()) else { continue };
            self.parts.settled.push(Settled { field, known: known as f64 });
            done |= field.bits();
            self.bits.give(field);
        }
        self.unions(rest)?;
        if self.parts.is_open() {
            let free = Field::default();
            self.parts.places.push(Place { slot: NOWHERE, kind: 0, weight: 1.0, free, add: 0, set: 0, needs: 0..0 });
            self.parts.end_step(card, [0, done], None);
        }
        Some(())
    }

    fn places(&mut self, card: usize, rest: CardSet) {
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
                self.parts.bounds.push(Bound { field: slot.field, most: left as u64 });
            }
            let weight = self.problem.holders[group.members[0]].weights[card];
            let needs = self.parts.needs.len();
            add_needs(&self.conditions, slot, rest, &mut self.parts.needs);
            let needs = needs..self.parts.needs.len();
            self.parts.places.push(Place { slot: slot.number, kind, weight, free: slot.field, add, set, needs });
        }
        if self.problem.secret[kind].contains(card) {
            let mut add = self.left.one().wrapping_neg();
            if self.secrets == Secrets::Identity {
                let place = card - self.problem.deck.range(kind).start;
                add = add.wrapping_add(place as u64 * self.identity[kind].one());
            }
            self.parts.places.push(Place {
                slot: SECRET,
                kind,
                weight: 1.0,
                free: self.left,
                add,
                set: 0,
                needs: 0..0,
            });
        }
    }

    /// Makes one of slots between which the cards that are left make no difference.
    fn unions(&mut self, rest: CardSet) -> Option<()> {
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
                self.parts.unions.push(Union { parts, whole: self.numbers, fields, to });
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
