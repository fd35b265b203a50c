//! The plan of a count: which fields a state has, and what placing each card does to them.

use crate::knowledge::count::{Holder, Problem};
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

/// Seats with the same chances, counted together.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// Places among the problem's holders.
    pub(crate) members: Vec<usize>,
    /// Free places of all members.
    pub(crate) free: u64,
    shift: u32,
    mask: u64,
    may: CardSet,
}

/// One of the places for a card.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The group of seats, or one past the last: the secret.
    pub(crate) group: usize,
    pub(crate) weight: f64,
    /// What it adds to the state, and what it sets there.
    add: u64,
    set: u64,
    /// A field of the state and its limit.
    shift: u32,
    mask: u64,
    limit: u64,
}

/// A choice of a card to show whose weight is known after a step.
#[derive(Clone, Debug)]
struct Settled {
    shift: u32,
    mask: u64,
    known: usize,
}

/// The placing of one card.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) card: usize,
    pub(crate) places: Vec<Place>,
    /// Sets that must be met after this card.
    due: u64,
    settled: Vec<Settled>,
    /// Places that must take this card if their field is below the limit: their last chances.
    urgent: Vec<(usize, u32, u64, u64)>,
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
    /// The shift of each type's secret card, for [`Secrets::Identity`].
    pub(crate) secret_shift: [u32; 3],
}

/// Bits of a state for a type's secret card.
const IDENTITY_BITS: u32 = 5;

impl Place {
    /// Returns the state after putting the card here, unless the place is full.
    #[inline]
    pub(crate) const fn take(&self, state: u64) -> Option<u64> {
        if state >> self.shift & self.mask < self.limit { Some((state + self.add) | self.set) } else { None }
    }
}

impl Step {
    /// Returns the only place for the card if a place cannot wait, or none if two cannot.
    #[inline]
    pub(crate) fn urgent(&self, state: u64) -> Result<Option<usize>, ()> {
        let mut found = None;
        for &(place, shift, mask, least) in &self.urgent {
            if state >> shift & mask < least {
                if found.is_some() {
                    return Err(());
                }
                found = Some(place);
            }
        }
        Ok(found)
    }

    /// Clears what is settled by this card; returns the state and its weight, unless a set was not met.
    #[inline]
    pub(crate) fn settle(&self, state: u64) -> Option<(u64, f64)> {
        if state & self.due != self.due {
            return None;
        }
        let mut state = state & !self.due;
        let mut weight = 1.0;
        for &Settled { shift, mask, known } in &self.settled {
            let more = state >> shift & mask;
            weight /= (known as u64 + more) as f64;
            state &= !(mask << shift);
        }
        Some((state, weight))
    }
}

/// Hands out bits of a state.
struct Bits {
    used: u64,
}

impl Bits {
    /// Returns the lowest free field of this width.
    fn take(&mut self, width: u32) -> Option<u32> {
        let shift = (0..=64 - width).find(|&shift| self.used >> shift & ones(width) == 0)?;
        self.used |= ones(width) << shift;
        Some(shift)
    }

    const fn give(&mut self, shift: u32, width: u32) {
        self.used &= !(ones(width) << shift);
    }
}

/// A set or a choice of a group, with its field while some but not all of its cards are placed.
struct Condition {
    group: usize,
    cards: CardSet,
    known: Option<usize>,
    width: u32,
    shift: Option<u32>,
}

const fn ones(width: u32) -> u64 {
    (1 << width) - 1
}

const fn width(limit: u64) -> u32 {
    u64::BITS - limit.leading_zeros()
}

impl Plan {
    /// Plans a count; `None` if there is no deal for certain, or a state does not fit into 64 bits.
    pub(crate) fn new(problem: &Problem, secrets: Secrets) -> Option<Self> {
        let mut bits = Bits { used: 0 };
        let mut groups = groups(problem);
        if !fits(problem) {
            return None;
        }
        for group in &mut groups {
            group.mask = ones(width(group.free));
            group.shift = bits.take(width(group.free).max(1))?;
        }
        let secret_width = if secrets == Secrets::Chosen { 1 } else { IDENTITY_BITS };
        let mut secret_shift = [0; 3];
        for shift in &mut secret_shift {
            *shift = bits.take(secret_width)?;
        }
        let mut plan = Self { shares: shares(problem, &groups), groups, steps: Vec::new(), start: 0, secret_shift };
        for (kind, shift) in secret_shift.into_iter().enumerate() {
            if let Some(card) = problem.secret[kind].only().filter(|&card| !problem.open.contains(card)) {
                plan.start |= plan.secret(problem, card, secrets) << shift;
            }
        }
        let mut conditions = conditions(problem, &plan.groups);
        let cards = order(problem);
        let mut rest = problem.open;
        for card in cards {
            rest.remove(card);
            let step = plan.step(problem, card, rest, secrets, &mut conditions, &mut bits)?;
            plan.steps.push(step);
        }
        Some(plan)
    }

    /// Returns what a state holds for a secret card.
    fn secret(&self, problem: &Problem, card: usize, secrets: Secrets) -> u64 {
        match secrets {
            Secrets::Chosen => 1,
            Secrets::Identity => 1 + (card - problem.pack.range(problem.pack.kind(card)).start) as u64,
        }
    }

    /// Returns the secret of a state with [`Secrets::Identity`].
    pub(crate) fn triple(&self, problem: &Problem, state: u64) -> [usize; 3] {
        std::array::from_fn(|kind| {
            let place = state >> self.secret_shift[kind] & ones(IDENTITY_BITS);
            problem.pack.range(kind).start + usize::try_from(place).unwrap_or(0).saturating_sub(1)
        })
    }

    /// Plans the placing of a card, with these left after it.
    fn step(
        &self,
        problem: &Problem,
        card: usize,
        rest: CardSet,
        secrets: Secrets,
        conditions: &mut [Condition],
        bits: &mut Bits,
    ) -> Option<Step> {
        for condition in conditions.iter_mut().filter(|condition| condition.cards.contains(card)) {
            if condition.shift.is_none() {
                condition.shift = Some(bits.take(condition.width)?);
            }
        }
        let (mut places, mut urgent) = (Vec::new(), Vec::new());
        for (place, group) in self.groups.iter().enumerate().filter(|(_, group)| group.may.contains(card)) {
            let weight = problem.holders[group.members[0]].weights[card];
            let mut add = 1 << group.shift;
            let mut set = 0;
            for condition in conditions.iter().filter(|one| one.group == place && one.cards.contains(card)) {
                let bit = condition.shift.map_or(0, |shift| 1 << shift);
                if condition.known.is_some() { add += bit } else { set |= bit }
            }
            let (shift, mask, limit) = (group.shift, group.mask, group.free);
            let left = (group.may & rest).len() as u64;
            if left < limit {
                urgent.push((places.len(), shift, mask, limit - left));
            }
            places.push(Place { group: place, weight, add, set, shift, mask, limit });
        }
        let kind = problem.pack.kind(card);
        if problem.secret[kind].contains(card) {
            let add = self.secret(problem, card, secrets) << self.secret_shift[kind];
            let (shift, mask) = (self.secret_shift[kind], ones(IDENTITY_BITS.min(secret_bits(secrets))));
            if !problem.secret[kind].meets(rest) {
                urgent.push((places.len(), shift, mask, 1));
            }
            places.push(Place { group: self.groups.len(), weight: 1.0, add, set: 0, shift, mask, limit: 1 });
        }
        let (mut due, mut settled) = (0, Vec::new());
        for condition in conditions.iter_mut().filter(|one| one.cards.contains(card) && !one.cards.meets(rest)) {
            let Some(shift) = condition.shift.take() else { continue };
            match condition.known {
                None => due |= 1 << shift,
                Some(known) => settled.push(Settled { shift, mask: ones(condition.width), known }),
            }
            bits.give(shift, condition.width);
        }
        Some(Step { card, places, due, settled, urgent })
    }
}

const fn secret_bits(secrets: Secrets) -> u32 {
    match secrets {
        Secrets::Chosen => 1,
        Secrets::Identity => IDENTITY_BITS,
    }
}

/// Returns whether there are as many cards as places, and enough for each place.
fn fits(problem: &Problem) -> bool {
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
        let set = |&cards: &CardSet| Condition { group, cards, known: None, width: 1, shift: None };
        conditions.extend(holder.sets.iter().map(set));
        conditions.extend(holder.choices.iter().map(|choice| Condition {
            group,
            cards: choice.others,
            known: Some(choice.known),
            width: width(choice.others.len() as u64),
            shift: None,
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
            let first = &problem.holders[group.members[0]];
            is_plain(first)
                && first.may == holder.may
                && holder.may.iter().all(|c| first.weights[c] == holder.weights[c])
        };
        match groups.iter_mut().find(alike).filter(|_| is_plain(holder)) {
            Some(group) => {
                group.members.push(place);
                group.free += holder.free as u64;
            }
            None => groups.push(Group {
                members: vec![place],
                free: holder.free as u64,
                shift: 0,
                mask: 0,
                may: holder.may,
            }),
        }
    }
    groups
}

/// Returns in how many ways the groups' cards can be shared among their members.
fn shares(problem: &Problem, groups: &[Group]) -> f64 {
    let mut ways = 1.0;
    for group in groups {
        let mut left: usize = group.members.iter().map(|&member| problem.holders[member].free).sum();
        for &member in &group.members {
            for place in 0..problem.holders[member].free {
                ways *= (left - place) as f64 / (place + 1) as f64;
            }
            left -= problem.holders[member].free;
        }
    }
    ways
}
