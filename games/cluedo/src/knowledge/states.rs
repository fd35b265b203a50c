//! The effect of placing a card on a state: the fields of its bits, places, sets that must be met, unions of seats.

use std::ops::Range;

/// How a state records the secret cards that were placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Secrets {
    /// How many there are. Which types they have is told by lanes.
    Number,
    /// Which ones they are.
    Identity,
}

/// The number of the secret's slot.
pub(crate) const SECRET: usize = 31;

/// The number of no slot: where steps without a card lead.
pub(crate) const NOWHERE: usize = 32;

/// Some bits of a state.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Field {
    pub(crate) shift: u32,
    pub(crate) mask: u64,
}

/// Two slots that become one: only the sum of their free places counts from here on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Union {
    pub(crate) parts: [usize; 2],
    pub(crate) whole: usize,
    pub(crate) fields: [Field; 2],
    pub(crate) to: Field,
}

/// One of the places for a card.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The slot, or [`SECRET`], or [`NOWHERE`].
    pub(crate) slot: usize,
    pub(crate) kind: usize,
    pub(crate) weight: f64,
    /// The field of its free places.
    pub(crate) free: Field,
    /// The number that it adds to the state, modulo 2^64, and the bits that it sets there.
    pub(crate) add: u64,
    pub(crate) set: u64,
    /// Which of the step's needs are this place's.
    pub(crate) needs: Range<usize>,
}

/// The placing of one card, or what is settled and becomes one after it: a step without a card, with one place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Step {
    pub(crate) card: usize,
    /// The number of its first place among those of all steps.
    pub(crate) first: usize,
    pub(crate) places: Vec<Place>,
    /// Sets that must be met after this card.
    pub(crate) due: u64,
    /// How many places may be free in a field after this card: no more than cards may come after it.
    pub(crate) bounds: Vec<(Field, u64)>,
    /// Without a card: choices of a card to show whose weight is known now, how many cards were there for certain, and
    /// the bits of all.
    pub(crate) settled: Vec<(Field, f64)>,
    pub(crate) done: u64,
    /// Without a card: what becomes one.
    pub(crate) unions: Vec<Union>,
    /// The card's type if no card after it may be the type's secret one, and the field of how many types have none.
    pub(crate) last: Option<(usize, Field)>,
    /// Of some bits, one must be set after this card: sets that were met, or the places that those not met need. Those
    /// of all places.
    pub(crate) needs: Vec<u64>,
}

impl Field {
    pub(crate) const fn of(self, state: u64) -> u64 {
        state >> self.shift & self.mask
    }

    /// Returns what it says as a number of cards or places.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "at most 64")]
    pub(crate) const fn count(self, state: u64) -> usize {
        self.of(state) as usize
    }

    pub(crate) const fn bits(self) -> u64 {
        self.mask << self.shift
    }

    pub(crate) const fn one(self) -> u64 {
        1 << self.shift
    }
}

impl Place {
    /// Returns a state after putting the card here, before it is known whether it can be put here.
    #[inline]
    pub(crate) const fn take(&self, state: u64) -> u64 {
        state.wrapping_add(self.add) | self.set
    }

    /// Returns how many are free.
    #[inline]
    pub(crate) const fn left(&self, state: u64) -> usize {
        self.free.count(state)
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
    fn ways(&self, [one, other]: [u64; 2]) -> f64 {
        let known = WAYS.get(one as usize).and_then(|row| row.get(other as usize));
        known.copied().unwrap_or_else(|| binomial(one + other, one))
    }

    /// Returns the first part's share of the free places; none of none.
    pub(crate) const fn share(&self, [one, other]: [u64; 2]) -> f64 {
        if one == 0 { 0.0 } else { one as f64 / (one + other) as f64 }
    }
}

impl Step {
    /// Lists the states that may take the card at a place: their numbers, and what they are with it. Returns how many.
    pub(crate) fn list(&self, place: &Place, states: &[u64], found: &mut [(u32, u64)]) -> usize {
        // The most frequent cases by themselves.
        match (&self.bounds[..], &self.needs[place.needs.clone()]) {
            ([], []) => self.list_if(place, states, found, |_| true),
            ([], &[need]) => self.list_if(place, states, found, |next| next & need != 0),
            ([], &[one, other]) => self.list_if(place, states, found, |next| (next & one != 0) & (next & other != 0)),
            (bounds, needs) => self.list_if(place, states, found, |next| {
                let fits = needs.iter().fold(true, |fits, need| fits & (next & need != 0));
                bounds.iter().fold(fits, |fits, bound| fits & (bound.0.of(next) <= bound.1))
            }),
        }
    }

    #[inline]
    fn list_if(
        &self,
        place: &Place,
        states: &[u64],
        found: &mut [(u32, u64)],
        may_come: impl Fn(u64) -> bool,
    ) -> usize {
        let (free, due) = (place.free.bits(), self.due);
        let mut count = 0;
        for (from, &state) in (0..).zip(states) {
            let next = place.take(state);
            found[count] = (from, next);
            count += usize::from((state & free != 0) & (next & due == due) & may_come(next));
        }
        count
    }

    pub(crate) fn has_no_card(&self) -> bool {
        self.places.first().is_some_and(|place| place.slot == NOWHERE)
    }

    /// Clears in a state what is settled, and makes one of what is told apart no longer; returns the state, and its
    /// weight times the ways in which it can come about.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a number of cards, at most 64")]
    pub(crate) fn finish(&self, state: u64) -> (u64, f64) {
        let mut weight = 1.0;
        for &(field, known) in &self.settled {
            weight /= known + f64::from(field.of(state) as u32);
        }
        let mut state = state & !self.done;
        for union in &self.unions {
            let (free, joined) = union.join(state);
            weight *= union.ways(free);
            state = joined;
        }
        (state, weight)
    }
}

pub(crate) fn binomial(of: u64, count: u64) -> f64 {
    (0..count).fold(1.0, |ways, step| ways * (of - step) as f64 / (step + 1) as f64)
}

/// For up to this many free places, less one, a table is quicker.
const TABLE: usize = 16;

/// The numbers of ways to choose `row` out of `row + column`.
const WAYS: [[f64; TABLE]; TABLE] = {
    let mut ways = [[1.0; TABLE]; TABLE];
    let mut row = 1;
    while row < TABLE {
        let mut column = 1;
        while column < TABLE {
            ways[row][column] = ways[row - 1][column] + ways[row][column - 1];
            column += 1;
        }
        row += 1;
    }
    ways
};
