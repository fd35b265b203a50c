//! The states of a layer by their bits: a table with open addressing.

/// Finds the states of a layer by their bits.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// One more than a state's place, or 0.
    slots: Vec<u32>,
    /// Where the layer begins, and how many states there are in all; more are allocated.
    first: usize,
    pub(crate) used: usize,
}

/// No card has more places.
const MOST_PLACES: usize = 16;

impl Index {
    /// Ends the layer that begins at `first`; returns where it ends.
    pub(crate) fn begin_layer(&mut self, first: usize) -> usize {
        self.used = self.used.max(1);
        let end = self.used;
        let size = (4 * (end - first)).next_power_of_two().max(256);
        self.slots.clear();
        self.slots.resize(size.max(self.slots.len()), 0);
        self.first = end;
        end
    }

    /// Makes room for the states that may follow from one.
    pub(crate) fn make_room(&mut self, states: &mut Vec<u64>) {
        if self.used + MOST_PLACES > states.len() {
            states.resize(2 * self.used + 16 * MOST_PLACES, 0);
        }
        if 2 * (self.used - self.first + MOST_PLACES) > self.slots.len() {
            self.grow(states);
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "a few upper bits of a hash")]
    const fn slot(&self, state: u64) -> usize {
        let hash = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    /// Returns the place of a state of the layer, where it is added if it is new.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^32 states")]
    pub(crate) fn find(&mut self, state: u64, states: &mut [u64]) -> usize {
        let mask = self.slots.len() - 1;
        let new = self.used;
        // An empty slot stands for the place of a new state, so that both cases are one.
        states[new] = state;
        let mut slot = self.slot(state);
        loop {
            let taken = self.slots[slot] as usize;
            let place = if taken == 0 { new } else { taken - 1 };
            if states[place] == state {
                self.slots[slot] = place as u32 + 1;
                self.used += usize::from(place == new);
                return place;
            }
            slot = (slot + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self, states: &[u64]) {
        let size = self.slots.len() * 4;
        self.slots.clear();
        self.slots.resize(size, 0);
        for (place, &state) in states.iter().enumerate().take(self.used).skip(self.first) {
            let mut slot = self.slot(state);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = u32::try_from(place + 1).unwrap_or(0);
        }
    }
}
