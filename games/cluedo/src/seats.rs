//! The seats of a game, and the order in which they are asked.

use serde::{Deserialize, Serialize};

/// The seats of a game, numbered one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seats {
    pub first: usize,
    pub count: usize,
}

/// The seat that is asked first to refute a suggestion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Asking {
    /// The next seat, then cyclically.
    #[default]
    Cyclic,
    Lowest,
}

impl Seats {
    /// AIs alone at a classic table: rank 0 is only the game master.
    pub const fn ais_alone(ais: usize) -> Self {
        Self { first: 1, count: ais }
    }

    /// A person on rank 0 of a classic table, and this many AIs.
    pub const fn with_person(ais: usize) -> Self {
        Self { first: 0, count: ais + 1 }
    }

    pub const fn has_person(self) -> bool {
        self.first == 0
    }

    pub const fn last(self) -> usize {
        self.first + self.count - 1
    }

    pub const fn contains(self, seat: usize) -> bool {
        seat >= self.first && seat <= self.last()
    }

    pub const fn ranks(self) -> std::ops::RangeInclusive<usize> {
        self.first..=self.last()
    }

    /// The seat after another, cyclically.
    pub const fn after(self, seat: usize) -> usize {
        if seat == self.last() { self.first } else { seat + 1 }
    }

    /// The seat before another, cyclically.
    pub const fn before(self, seat: usize) -> usize {
        if seat == self.first { self.last() } else { seat - 1 }
    }

    /// The seats that are asked to refute a suggestion, in order.
    pub fn asked(self, suggester: usize, asking: Asking) -> impl Iterator<Item = usize> {
        let end = self.first + self.count;
        (1..self.count).map(move |place| match asking {
            Asking::Cyclic if suggester + place < end => suggester + place,
            Asking::Cyclic => suggester + place - self.count,
            Asking::Lowest if self.first + place > suggester => self.first + place,
            Asking::Lowest => self.first + place - 1,
        })
    }

    pub(crate) const fn bits(self) -> u32 {
        ((1 << self.count) - 1) << self.first
    }
}
