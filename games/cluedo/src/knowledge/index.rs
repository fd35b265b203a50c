//! The states of a layer by their bits: a table with open addressing.

/// Finds the states of a layer by their bits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// One more than a state's place in its layer, or 0: no state is there.
    slots: Vec<u32>,
    /// How far the hash is shifted, so that as many bits are left as a slot's number has.
    shift: u32,
    /// How many places of the layer are taken.
    used: u32,
}

const MIN_SLOTS: usize = 256;

impl Index {
    /// Begins a layer, which follows from one of this size.
    pub(crate) fn begin(&mut self, size: usize) {
        self.used = 0;
        self.clear((4 * size).next_power_of_two().max(MIN_SLOTS));
    }

    fn clear(&mut self, size: usize) {
        self.slots.clear();
        self.slots.resize(size, 0);
        self.shift = u64::BITS - size.trailing_zeros();
    }

    pub(crate) const fn used(&self) -> usize {
        self.used as usize
    }

    /// Makes room for that many states more in the layer that begins at `first`.
    pub(crate) fn make_room(&mut self, more: usize, states: &mut Vec<u64>, first: usize) {
        let used = self.used() + more + 1;
        if first + used > states.len() {
            states.resize(first + used, 0);
        }
        if 2 * used > self.slots.len() {
            self.grow(4 * used, &states[first..]);
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "a few upper bits of a hash")]
    const fn slot(&self, state: u64) -> usize {
        (state.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    /// Returns the place of a state in the layer, where it is added if it is new.
    #[inline]
    pub(crate) fn find(&mut self, state: u64, layer: &mut [u64]) -> u32 {
        let mask = self.slots.len() - 1;
        let new = self.used;
        // An empty slot stands for the place of a new state, so that both cases are one.
        layer[new as usize] = state;
        let mut slot = self.slot(state);
        loop {
            let taken = self.slots[slot & mask];
            let place = if taken == 0 { new } else { taken - 1 };
            if layer[place as usize] == state {
                self.slots[slot & mask] = place + 1;
                self.used += u32::from(place == new);
                return place;
            }
            slot += 1;
        }
    }

    #[cold]
    fn grow(&mut self, size: usize, layer: &[u64]) {
        self.clear(size.next_power_of_two());
        let mask = self.slots.len() - 1;
        for place in 0..self.used {
            let mut slot = self.slot(layer[place as usize]);
            while self.slots[slot & mask] != 0 {
                slot += 1;
            }
            self.slots[slot & mask] = place + 1;
        }
    }
}
