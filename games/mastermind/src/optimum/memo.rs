use std::sync::atomic::{AtomicU64, Ordering};

use super::board::Index;

/// Costs of sets of codes, shared by threads. Old entries give way to new ones.
///
/// A set is known by 64 bits of a sum and, of another sum, as many bits as it takes to find its place.
#[derive(Debug)]
pub(super) struct Memo {
    slots: Box<[Slot]>,
}

#[derive(Debug, Default)]
struct Slot {
    /// The set, exclusive or with the data: a torn entry is no entry.
    check: AtomicU64,
    data: AtomicU64,
}

/// Identifies a set of codes by the exclusive or of two numbers for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) place: u64,
    pub(super) check: u64,
}

/// The proven bounds of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) cost: u32,
    /// The guess with this cost, or nothing if the cost is a lower bound only.
    pub(super) guess: Option<Index>,
}

impl Key {
    pub(super) fn of(code: Index) -> Self {
        let code = u64::from(code);
        Self { place: mix(2 * code + 1), check: mix(2 * code + 2) }
    }

    pub(super) fn join(self, other: Self) -> Self {
        Self { place: self.place ^ other.place, check: self.check ^ other.check }
    }

    /// Returns the key of a proof, by its number, to join with those of its sets.
    pub(super) fn of_run(run: u32) -> Self {
        // No code has such a number.
        let key = |side: u64| if run == 0 { 0 } else { mix(u64::MAX - 2 * u64::from(run) - side) };
        Self { place: key(0), check: key(1) }
    }

    /// Returns the key of the same set with fewer guesses left.
    pub(super) fn with_guesses(self, left: u8) -> Self {
        Self { place: mix(self.place ^ u64::from(left)), check: mix(self.check ^ u64::from(left)) }
    }
}

/// Spreads a number over all bits; the steps are those of SplitMix64.
pub(super) fn mix(number: u64) -> u64 {
    let mut bits = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

impl Memo {
    /// Makes room for 2^`bits` sets, 16 bytes each.
    pub(super) fn new(bits: u32) -> Self {
        Self { slots: (0..1usize << bits).map(|_| Slot::default()).collect() }
    }

    fn slot(&self, key: Key) -> &Slot {
        let mask = self.slots.len() - 1;
        &self.slots[usize::try_from(key.place & mask as u64).expect("a place in memory")]
    }

    pub(super) fn get(&self, key: Key) -> Option<Known> {
        let slot = self.slot(key);
        let data = slot.data.load(Ordering::Relaxed);
        if slot.check.load(Ordering::Relaxed) ^ data != key.check || data == 0 {
            return None;
        }
        let [cost @ .., _, _, _, _] = data.to_le_bytes();
        let guess = u16::try_from(data >> 32 & 0xffff).expect("16 bits");
        Some(Known { cost: u32::from_le_bytes(cost), guess: (data >> 48 != 0).then_some(guess) })
    }

    pub(super) fn put(&self, key: Key, known: Known) {
        let guess = known.guess.map_or(0, |guess| 1 << 48 | u64::from(guess) << 32);
        let data = guess | u64::from(known.cost);
        let slot = self.slot(key);
        slot.data.store(data, Ordering::Relaxed);
        slot.check.store(key.check ^ data, Ordering::Relaxed);
    }
}
