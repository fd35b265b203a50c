//! Exact numbers of deals: of all, and of those with a card at a place.
//!
//! Cards are placed one after the other. A state says how many cards each group of players has, which types have their
//! card of the solution, and which rules are met; equal states are one, with the sum of their numbers.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use rand::{Rng, RngExt};
use thiserror::Error;

use crate::assist::entry::Rule;
use crate::assist::logic::Logic;
use crate::deck::{CardSet, Deck};

/// Maximum number of states of a count; classic games have some thousands.
const MAX_STATES: usize = 1 << 19;
/// Numbers of deals stay below 2 to this power.
const MAX_BITS: f64 = 118.0;

/// There are too many deals, or too many states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there are too many deals to count")]
pub struct TooMany;

/// How much of the solution a state tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    /// Which types have their card.
    Types,
    /// Which card it is.
    Cards,
}

/// Players of whom the same is known.
#[derive(Clone, Debug)]
struct Group {
    members: Vec<usize>,
    free: usize,
    may: CardSet,
}

/// Bits of a state.
#[derive(Clone, Copy, Debug)]
struct Field {
    shift: u32,
    mask: u128,
}

impl Field {
    const fn get(self, state: u128) -> u128 {
        state >> self.shift & self.mask
    }
}

/// A place for a card.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The group, or one past the last: the solution.
    group: usize,
    field: Field,
    limit: u128,
    add: u128,
    set: u128,
}

/// The placing of a card.
#[derive(Clone, Debug)]
struct Step {
    card: usize,
    places: Vec<Place>,
    /// Fields that must have reached this, as too few cards are left.
    least: Vec<(Field, u128)>,
    /// Rules that must be met now, and are then forgotten.
    due: u128,
    /// Wrong accusations that are settled now: fewer than this many of their cards are in the solution.
    settled: Vec<(Field, u128)>,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    to: u32,
    group: u32,
}

/// All deals that agree with what is known.
#[derive(Clone, Debug)]
pub struct Deals {
    total: u128,
    placed: Vec<Option<usize>>,
    solution: usize,
    frees: Vec<usize>,
    groups: Vec<Group>,
    kinds: [Field; 3],
    firsts: [usize; 3],
    steps: Vec<Step>,
    /// In how many ways groups can share their cards.
    shares: u128,
    states: Vec<u128>,
    first_state: Vec<usize>,
    forward: Vec<u128>,
    backward: Vec<u128>,
    edges: Vec<Edge>,
    first_edge: Vec<usize>,
}

#[derive(Default)]
struct StateHasher(u64);

impl Hasher for StateHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "both halves are hashed")]
    fn write_u128(&mut self, state: u128) {
        let mixed = (state as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ ((state >> 64) as u64).rotate_left(29);
        self.0 = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    }
}

type Index = HashMap<u128, u32, BuildHasherDefault<StateHasher>>;

impl Deals {
    /// Counts the deals that agree with rules, after [`Logic::run`].
    ///
    /// # Errors
    /// When there are too many.
    pub fn new(logic: &Logic<'_>) -> Result<Self, TooMany> {
        Self::count(logic, Detail::Types)
    }

    /// Counts for each solution, the likeliest first.
    ///
    /// # Errors
    /// When there are too many.
    pub fn solutions(logic: &Logic<'_>) -> Result<Vec<([usize; 3], u128)>, TooMany> {
        let deals = Self::count(logic, Detail::Cards)?;
        let known = logic.there(deals.solution);
        let last = deals.first_state.last().copied().unwrap_or(0);
        let solution = |state: u128| {
            std::array::from_fn(|kind| {
                let known = (known & logic.shape.deck.of_kind(kind)).only();
                let place = usize::try_from(deals.kinds[kind].get(state)).unwrap_or(0);
                known.unwrap_or_else(|| deals.firsts[kind] + place.saturating_sub(1))
            })
        };
        let mut solutions: Vec<_> = (last..deals.states.len())
            .map(|end| (solution(deals.states[end]), deals.forward[end] * deals.shares))
            .collect();
        solutions.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
        Ok(solutions)
    }

    fn count(logic: &Logic<'_>, detail: Detail) -> Result<Self, TooMany> {
        let mut deals = plan(logic, detail)?;
        deals.states.push(0);
        deals.forward.push(1);
        deals.first_state.push(0);
        for step in 0..deals.steps.len() {
            deals.extend(step)?;
        }
        deals.go_back();
        deals.total = deals.backward[0] * deals.shares;
        Ok(deals)
    }

    /// Adds the states after a step.
    fn extend(&mut self, step: usize) -> Result<(), TooMany> {
        let step = &self.steps[step];
        let (begin, end) = (self.first_state.last().copied().unwrap_or(0), self.states.len());
        self.first_state.push(end);
        let mut index = Index::default();
        for from in begin..end {
            self.first_edge.push(self.edges.len());
            let (state, sum) = (self.states[from], self.forward[from]);
            for place in &step.places {
                let Some(next) = step.take(state, place) else { continue };
                let to = *index.entry(next).or_insert_with(|| {
                    self.states.push(next);
                    self.forward.push(0);
                    u32::try_from(self.states.len() - 1).unwrap_or(u32::MAX)
                });
                self.forward[to as usize] += sum;
                self.edges.push(Edge { to, group: u32::try_from(place.group).unwrap_or(0) });
            }
        }
        if self.states.len() > MAX_STATES { Err(TooMany) } else { Ok(()) }
    }

    /// Counts the ways from each state to the end.
    fn go_back(&mut self) {
        let last = self.first_state.last().copied().unwrap_or(0);
        self.backward = vec![0; self.states.len()];
        self.backward[last..].fill(1);
        self.first_edge.resize(self.states.len() + 1, self.edges.len());
        for from in (0..last).rev() {
            let edges = &self.edges[self.first_edge[from]..self.first_edge[from + 1]];
            self.backward[from] = edges.iter().map(|edge| self.backward[edge.to as usize]).sum();
        }
    }

    /// Returns the number of all deals.
    pub const fn total(&self) -> u128 {
        self.total
    }

    /// Returns how many states the count took.
    pub const fn states(&self) -> usize {
        self.states.len()
    }

    /// Returns for each place, and there for each card, the number of deals with the card there. The solution is the
    /// last place.
    pub fn places(&self) -> Vec<Vec<u128>> {
        let cards = self.placed.len();
        let mut places = vec![vec![0; cards]; self.solution + 1];
        for (card, place) in self.placed.iter().enumerate() {
            if let Some(place) = *place {
                places[place][card] = self.total;
            }
        }
        for (number, step) in self.steps.iter().enumerate() {
            let mut sums = vec![0; self.groups.len() + 1];
            for from in self.first_state[number]..self.first_state[number + 1] {
                for edge in &self.edges[self.first_edge[from]..self.first_edge[from + 1]] {
                    sums[edge.group as usize] += self.forward[from] * self.backward[edge.to as usize];
                }
            }
            places[self.solution][step.card] = sums[self.groups.len()] * self.shares;
            for (group, sum) in self.groups.iter().zip(&sums) {
                for &member in &group.members {
                    places[member][step.card] = sum * self.shares * self.frees[member] as u128 / group.free as u128;
                }
            }
        }
        places
    }

    /// Draws a deal, all alike: the place of each card.
    ///
    /// # Panics
    /// When there is no deal.
    pub fn draw<R: Rng>(&self, rng: &mut R) -> Vec<usize> {
        let mut deal: Vec<usize> = self.placed.iter().map(|place| place.unwrap_or(usize::MAX)).collect();
        let mut shared = vec![Vec::new(); self.groups.len()];
        let mut from = 0;
        for step in &self.steps {
            let edges = &self.edges[self.first_edge[from]..self.first_edge[from + 1]];
            let mut left = rng.random_range(0..self.backward[from]);
            let edge = edges.iter().find(|edge| {
                let ways = self.backward[edge.to as usize];
                let is_chosen = left < ways;
                left = left.saturating_sub(ways);
                is_chosen
            });
            let edge = edge.expect("the ways add up");
            match shared.get_mut(edge.group as usize) {
                Some(cards) => cards.push(step.card),
                None => deal[step.card] = self.solution,
            }
            from = edge.to as usize;
        }
        for (group, mut cards) in self.groups.iter().zip(shared) {
            for &member in &group.members {
                for _ in 0..self.frees[member] {
                    deal[cards.swap_remove(rng.random_range(0..cards.len()))] = member;
                }
            }
        }
        deal
    }
}

impl Step {
    fn take(&self, state: u128, place: &Place) -> Option<u128> {
        if place.field.get(state) >= place.limit {
            return None;
        }
        let mut next = (state + place.add) | place.set;
        if self.least.iter().any(|(field, least)| field.get(next) < *least) || next & self.due != self.due {
            return None;
        }
        next &= !self.due;
        for (field, limit) in &self.settled {
            if field.get(next) >= *limit {
                return None;
            }
            next &= !(field.mask << field.shift);
        }
        Some(next)
    }
}

/// A rule that is not met yet.
struct Open {
    field: Field,
    /// The group that must have one of the cards; none for a wrong accusation.
    group: Option<usize>,
    cards: CardSet,
}

/// Hands out bits.
#[derive(Default)]
struct Bits(u32);

impl Bits {
    fn take(&mut self, limit: usize) -> Result<Field, TooMany> {
        let width = usize::BITS - limit.leading_zeros();
        let shift = self.0;
        self.0 += width;
        if self.0 > u128::BITS { Err(TooMany) } else { Ok(Field { shift, mask: (1 << width) - 1 }) }
    }
}

fn plan(logic: &Logic<'_>, detail: Detail) -> Result<Deals, TooMany> {
    let shape = logic.shape;
    let solution = shape.solution();
    let open: CardSet =
        (0..logic.placed.len()).filter(|&card| logic.placed[card].is_none() && logic.allowed[card] != 0).collect();
    let frees: Vec<usize> =
        (0..solution).map(|seat| shape.sizes[seat].saturating_sub(logic.there(seat).len())).collect();
    let groups = groups(logic, open, &frees);
    let shares = shares(&groups, &frees, open.len())?;
    let mut bits = Bits::default();
    let fields: Vec<Field> = groups.iter().map(|group| bits.take(group.free)).collect::<Result<_, _>>()?;
    let mut kinds = [Field { shift: 0, mask: 0 }; 3];
    for (kind, field) in kinds.iter_mut().enumerate() {
        *field = bits.take(if detail == Detail::Types { 1 } else { shape.deck.range(kind).len() })?;
    }
    let secret = logic.may(solution) & open;
    let mut rules = Vec::new();
    for rule in logic.rules {
        match *rule {
            Rule::OneOf(seat, cards) if is_live(logic, rule, seat) => {
                let group = groups.iter().position(|group| group.members.contains(&seat));
                rules.push(Open { field: bits.take(1)?, group, cards: cards & logic.may(seat) & open });
            }
            Rule::NotAll(cards) if logic.may(solution).contains_all(cards) => {
                rules.push(Open { field: bits.take(3)?, group: None, cards: cards & open });
            }
            _ => {}
        }
    }
    let layout = Layout { deck: shape.deck, detail, groups, fields, kinds, secret, rules };
    let mut rest = open;
    let mut steps = Vec::new();
    while let Some(card) = next_card(rest, open - rest, &layout.rules, secret, logic) {
        rest.remove(card);
        steps.push(layout.step(card, rest));
    }
    let Layout { groups, kinds, .. } = layout;
    Ok(Deals {
        total: 0,
        placed: logic.placed.clone(),
        solution,
        frees,
        groups,
        kinds,
        firsts: std::array::from_fn(|kind| shape.deck.range(kind).start),
        steps,
        shares,
        states: Vec::new(),
        first_state: Vec::new(),
        forward: Vec::new(),
        backward: Vec::new(),
        edges: Vec::new(),
        first_edge: Vec::new(),
    })
}

/// The bits of a state.
struct Layout {
    deck: Deck,
    detail: Detail,
    groups: Vec<Group>,
    fields: Vec<Field>,
    kinds: [Field; 3],
    /// Cards that may be in the solution.
    secret: CardSet,
    rules: Vec<Open>,
}

impl Layout {
    /// Plans the placing of a card, with these left after it.
    fn step(&self, card: usize, rest: CardSet) -> Step {
        let kind = self.deck.kind(card);
        let add = match self.detail {
            Detail::Types => 1,
            Detail::Cards => (card - self.deck.range(kind).start + 1) as u128,
        };
        let is_there = |open: &&Open, group: Option<usize>| open.group == group && open.cards.contains(card);
        let mut places = Vec::new();
        for (group, field) in self.fields.iter().enumerate().filter(|&(group, _)| self.groups[group].may.contains(card))
        {
            let set =
                self.rules.iter().filter(|open| is_there(open, Some(group))).map(|open| 1 << open.field.shift).sum();
            let (add, limit) = (1 << field.shift, self.groups[group].free as u128);
            places.push(Place { group, field: *field, limit, add, set });
        }
        if self.secret.contains(card) {
            let accused: u128 =
                self.rules.iter().filter(|open| is_there(open, None)).map(|open| 1 << open.field.shift).sum();
            let add = (add << self.kinds[kind].shift) + accused;
            places.push(Place { group: self.groups.len(), field: self.kinds[kind], limit: 1, add, set: 0 });
        }
        let mut least = Vec::new();
        for (group, field) in self.groups.iter().zip(&self.fields) {
            least.push((*field, group.free.saturating_sub((group.may & rest).len()) as u128));
        }
        for (kind, field) in self.kinds.iter().enumerate() {
            let cards = self.secret & self.deck.of_kind(kind);
            least.push((*field, u128::from(!cards.is_empty() && !cards.meets(rest))));
        }
        least.retain(|(_, least)| *least > 0);
        let over = || self.rules.iter().filter(|open| open.cards.contains(card) && !open.cards.meets(rest));
        let due = over().filter(|open| open.group.is_some()).map(|open| 1 << open.field.shift).sum();
        let settled = over().filter(|open| open.group.is_none()).map(|open| (open.field, open.cards.len() as u128));
        let settled = settled.collect();
        Step { card, places, least, due, settled }
    }
}

/// Returns whether a rule says of a player what is not known to be so.
fn is_live(logic: &Logic<'_>, rule: &Rule, seat: usize) -> bool {
    matches!(*rule, Rule::OneOf(of, cards) if of == seat && !cards.meets(logic.there(seat)))
}

/// Puts players together of whom the same is known.
fn groups(logic: &Logic<'_>, open: CardSet, frees: &[usize]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for seat in (0..frees.len()).filter(|&seat| frees[seat] > 0) {
        let may = logic.may(seat) & open;
        let is_plain = |seat: usize| !logic.rules.iter().any(|rule| is_live(logic, rule, seat));
        let alike = groups.iter_mut().find(|group| group.may == may && is_plain(group.members[0]));
        match alike.filter(|_| is_plain(seat)) {
            Some(group) => {
                group.members.push(seat);
                group.free += frees[seat];
            }
            None => groups.push(Group { members: vec![seat], free: frees[seat], may }),
        }
    }
    groups
}

/// Returns in how many ways groups can share their cards, unless the number of deals may be too large.
fn shares(groups: &[Group], frees: &[usize], open: usize) -> Result<u128, TooMany> {
    let log = |count: usize| (2..=count).map(|factor| (factor as f64).log2()).sum::<f64>();
    if log(open) - frees.iter().map(|&free| log(free)).sum::<f64>() > MAX_BITS {
        return Err(TooMany);
    }
    let mut ways = 1;
    for group in groups {
        let mut left = group.free as u128;
        for &member in &group.members {
            for place in 0..frees[member] as u128 {
                ways = ways * (left - place) / (place + 1);
            }
            left -= frees[member] as u128;
        }
    }
    Ok(ways)
}

/// Returns the card after which the rules and types that are begun and not finished cost least.
fn next_card(rest: CardSet, done: CardSet, rules: &[Open], secret: CardSet, logic: &Logic<'_>) -> Option<usize> {
    let types = [0, 1, 2].map(|kind| secret & logic.shape.deck.of_kind(kind));
    let sets = || rules.iter().map(|open| open.cards).chain(types);
    let cost = |card: usize| {
        let (rest, done) = (rest - CardSet::one(card), done | CardSet::one(card));
        let begun = sets().filter(|set| set.meets(done) && set.meets(rest));
        begun.map(|set| 10 + (set & rest).len()).sum::<usize>()
    };
    rest.iter().min_by_key(|&card| (cost(card), card))
}
