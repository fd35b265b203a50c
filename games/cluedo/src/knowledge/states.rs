//! The plan of a count: which fields a state has, and what placing each card does to them.

use crate::knowledge::count::Problem;
use crate::knowledge::groups::{Group, binomial, groups, same_weights, shares};
use crate::knowledge::order::order;
use crate::pack::CardSet;

/// Which cards are secret, in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Secrets {
    /// Whether each type's secret card has been chosen.
    Chosen,
    /// Which card it is.
    Identity,
}

/// The number of the secret's slot.
pub(crate) const SECRET: usize = 31;

/// One group, or several between which the cards that are still to be placed make no difference.
///
/// Slots have numbers: first those of the groups, then one for each union of two slots.
#[derive(Clone, Copy, Debug)]
struct Slot {
    number: usize,
    /// One of its groups.
    group: usize,
    free: usize,
    field: Field,
}

/// Some bits of a state.
#[derive(Clone, Copy, Debug, Default)]
struct Field {
    shift: u32,
    mask: u64,
}

/// Two slots that become one: only the sum of their free places counts from here on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Union {
    pub(crate) parts: [usize; 2],
    pub(crate) whole: usize,
    fields: [Field; 2],
    to: Field,
}

/// One of the places for a card.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The slot, or [`SECRET`].
    pub(crate) slot: usize,
    pub(crate) weight: f64,
    /// The field of its free places.
    free: Field,
    /// What it adds to the state, modulo 2^64, and what it sets there.
    add: u64,
    set: u64,
    /// Sets without a card in common, as bits of the state, and how many they are: if none is met after this card, as
    /// many places must be free.
    needs: Vec<(u64, u64)>,
}

/// A choice of a card to show whose weight is known after a step.
#[derive(Clone, Debug)]
struct Settled {
    field: Field,
    known: usize,
}

/// The placing of one card.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) card: usize,
    pub(crate) places: Vec<Place>,
    /// Sets that must be met after this card.
    pub(crate) due: u64,
    settled: Vec<Settled>,
    /// Places that must take this card if more is free there than cards may come after it.
    urgent: Vec<(usize, Field, u64)>,
    /// What becomes one after this card.
    pub(crate) unions: Vec<Union>,
}

/// All steps.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) groups: Vec<Group>,
    pub(crate) steps: Vec<Step>,
    /// How many ways there are to share what groups hold among their members.
    pub(crate) shares: f64,
    /// The state without any open card placed.
    pub(crate) start: u64,
    /// Where each type's secret card is, for [`Secrets::Identity`].
    identity: [Field; 3],
}

/// Bits of a state for a type's secret card.
const IDENTITY_BITS: u32 = 6;

impl Field {
    const fn of(self, state: u64) -> u64 {
        state >> self.shift & self.mask
    }

    const fn bits(self) -> u64 {
        self.mask << self.shift
    }

    const fn one(self) -> u64 {
        1 << self.shift
    }
}

impl Place {
    /// Returns the state after putting the card here, unless the place is full or would be too soon.
    #[inline]
    pub(crate) fn take(&self, state: u64) -> Option<u64> {
        if state & self.free.bits() == 0 {
            return None;
        }
        let next = state.wrapping_add(self.add) | self.set;
        let free = self.free.of(next);
        let is_lost = self.needs.iter().any(|&(unmet, need)| free < need && next & unmet == 0);
        (!is_lost).then_some(next)
    }
}

impl Union {
    /// Returns the free places of both parts, and the state after the union.
    pub(crate) const fn join(&self, state: u64) -> ([u64; 2], u64) {
        let [one, other] = self.fields;
        let free = [one.of(state), other.of(state)];
        (free, state & !one.bits() & !other.bits() | (free[0] + free[1]) << self.to.shift)
    }

    /// Returns in how many ways the cards of the whole can be shared between parts with these free places.
    #[expect(clippy::cast_possible_truncation, reason = "free places, at most 64")]
    fn ways(&self, free: [u64; 2]) -> f64 {
        let [one, other] = free.map(|free| free as usize);
        match WAYS.get(one).and_then(|row| row.get(other)) {
            Some(&ways) => ways,
            None => binomial(free[0] + free[1], free[0]),
        }
    }
}

impl Step {
    /// Returns the only place for the card if a place cannot wait, or none if two cannot.
    #[inline]
    pub(crate) fn urgent(&self, state: u64) -> Result<Option<usize>, ()> {
        let mut found = None;
        for &(place, field, left) in &self.urgent {
            if field.of(state) > left {
                if found.is_some() {
                    return Err(());
                }
                found = Some(place);
            }
        }
        Ok(found)
    }

    /// Returns whether nothing has to be weighed after the card is placed.
    pub(crate) const fn only_places(&self) -> bool {
        self.settled.is_empty() && self.unions.is_empty()
    }

    /// Returns what a state with the card in its place becomes, and its weight, unless a set was not met.
    pub(crate) fn finish(&self, state: u64) -> Option<(u64, f64)> {
        let (state, factor) = self.settle(state)?;
        let (state, ways) = self.unite(state);
        Some((state, factor * ways))
    }

    /// Clears what is settled by this card; returns the state and its weight, unless a set was not met.
    #[inline]
    pub(crate) fn settle(&self, state: u64) -> Option<(u64, f64)> {
        if state & self.due != self.due {
            return None;
        }
        let mut state = state & !self.due;
        let mut weight = 1.0;
        for &Settled { field, known } in &self.settled {
            weight /= (known as u64 + field.of(state)) as f64;
            state &= !field.bits();
        }
        Some((state, weight))
    }

    /// Makes one of what is told apart no longer; returns the state and in how many ways it can come about.
    #[inline]
    pub(crate) fn unite(&self, mut state: u64) -> (u64, f64) {
        let mut ways = 1.0;
        for union in &self.unions {
            let (free, joined) = union.join(state);
            ways *= union.ways(free);
            state = joined;
        }
        (state, ways)
    }

    /// Returns for each slot before the step's unions its share of the free places after them.
    pub(crate) fn ratios(&self, place: usize, state: u64) -> [f64; SECRET] {
        let mut ratios = [1.0; SECRET];
        let after = self.places[place].take(state).and_then(|state| self.settle(state));
        let Some((mut state, _)) = after else { return ratios };
        for union in &self.unions {
            let (free, joined) = union.join(state);
            state = joined;
            for (part, free_of_part) in union.parts.into_iter().zip(free) {
                ratios[part] = free_of_part as f64 / (free[0] + free[1]).max(1) as f64;
            }
        }
        // A union may be a part of a later one.
        for union in self.unions.iter().rev() {
            let whole = ratios[union.whole];
            union.parts.into_iter().for_each(|part| ratios[part] *= whole);
        }
        ratios
    }
}

/// The numbers of ways to choose `row` out of `row + column`.
const WAYS: [[f64; 16]; 16] = {
    let mut ways = [[1.0; 16]; 16];
    let mut row = 1;
    while row < 16 {
        let mut column = 1;
        while column < 16 {
            ways[row][column] = ways[row - 1][column] + ways[row][column - 1];
            column += 1;
        }
        row += 1;
    }
    ways
};

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
    /// The field that says whether each type's secret card is still to be chosen.
    to_choose: [Field; 3],
    identity: [Field; 3],
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
        let (mut to_choose, mut identity) = ([Field::default(); 3], [Field::default(); 3]);
        for kind in 0..3 {
            let known = problem.secret[kind].only().filter(|&card| !problem.open.contains(card));
            to_choose[kind] = bits.take(1)?;
            if known.is_none() {
                start |= to_choose[kind].one();
            }
            if secrets == Secrets::Identity {
                identity[kind] = bits.take((1 << IDENTITY_BITS) - 1)?;
                start |= known.map_or(0, |card| card - problem.pack.range(kind).start) as u64 * identity[kind].one();
            }
        }
        let conditions = conditions(problem, &groups);
        let shares = shares(problem, &groups);
        let numbers = groups.len();
        let mut planner = Planner { problem, secrets, groups, conditions, slots, numbers, bits, to_choose, identity };
        let mut rest = problem.open;
        let mut steps = Vec::with_capacity(rest.len());
        for card in order(problem, &planner.groups) {
            rest.remove(card);
            steps.push(planner.step(card, rest)?);
        }
        Some(Self { groups: planner.groups, steps, shares, start, identity })
    }

    /// Returns the secret of a state with [`Secrets::Identity`].
    pub(crate) fn triple(&self, problem: &Problem, state: u64) -> [usize; 3] {
        std::array::from_fn(|kind| {
            problem.pack.range(kind).start + usize::try_from(self.identity[kind].of(state)).unwrap_or(0)
        })
    }
}

impl Planner<'_> {
    /// Plans the placing of a card, with these left after it.
    fn step(&mut self, card: usize, rest: CardSet) -> Option<Step> {
        for condition in self.conditions.iter_mut().filter(|one| one.cards.contains(card) && one.field.is_none()) {
            let limit = if condition.known.is_some() { condition.cards.len() } else { 1 };
            condition.field = Some(self.bits.take(limit)?);
        }
        let mut step =
            Step { card, places: Vec::new(), due: 0, settled: Vec::new(), urgent: Vec::new(), unions: Vec::new() };
        self.places(&mut step, rest);
        for condition in self.conditions.iter_mut().filter(|one| one.cards.contains(card) && !one.cards.meets(rest)) {
            let Some(field) = condition.field.take() else { continue };
            match condition.known {
                None => step.due |= field.bits(),
                Some(known) => step.settled.push(Settled { field, known }),
            }
            self.bits.give(field);
        }
        self.unions(&mut step, rest)?;
        Some(step)
    }

    fn places(&self, step: &mut Step, rest: CardSet) {
        let card = step.card;
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
                step.urgent.push((step.places.len(), slot.field, left as u64));
            }
            let weight = self.problem.holders[group.members[0]].weights[card];
            let needs = self.needs(slot.group, rest);
            step.places.push(Place { slot: slot.number, weight, free: slot.field, add, set, needs });
        }
        let kind = self.problem.pack.kind(card);
        if self.problem.secret[kind].contains(card) {
            let field = self.to_choose[kind];
            let mut add = field.one().wrapping_neg();
            if self.secrets == Secrets::Identity {
                let place = card - self.problem.pack.range(kind).start;
                add = add.wrapping_add(place as u64 * self.identity[kind].one());
            }
            if !self.problem.secret[kind].meets(rest) {
                step.urgent.push((step.places.len(), field, 0));
            }
            step.places.push(Place { slot: SECRET, weight: 1.0, free: field, add, set: 0, needs: Vec::new() });
        }
    }

    /// Returns what a group's sets need that these cards may still meet: up to three sets without a card in common.
    fn needs(&self, group: usize, rest: CardSet) -> Vec<(u64, u64)> {
        let sets = self.conditions.iter().filter(|one| one.group == group && one.known.is_none());
        let sets = sets.filter(|one| one.cards.meets(rest));
        let mut needs: Vec<(u64, u64, CardSet)> = Vec::new();
        for set in sets {
            let (bits, cards) = (set.field.map_or(0, Field::bits), set.cards & rest);
            for place in 0..needs.len() {
                let (others, count, taken) = needs[place];
                if count < 3 && !taken.meets(cards) {
                    needs.push((others | bits, count + 1, taken | cards));
                }
            }
            needs.push((bits, 1, cards));
        }
        needs.into_iter().map(|(bits, count, _)| (bits, count)).collect()
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
                step.unions.push(Union { parts: [first.number, second.number], whole: self.numbers, fields, to });
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
