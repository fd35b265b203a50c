use std::sync::{Mutex, MutexGuard};

use crate::state::Key;

/// Entries per bucket.
const WAYS: usize = 4;
/// Words of an entry: two of the key, one of [`Proven`].
const WORDS: usize = 3;

/// Parts with a lock each: threads seldom meet in one.
const SHARDS: usize = 1 << 10;

/// Proven results of states, in a fixed amount of memory, for any number of threads.
///
/// One entry serves every number of spare moves: extra ones never hurt, so a win with some is a win with more.
#[derive(Debug)]
pub(crate) struct ProofTable {
    shards: Vec<Mutex<Shard>>,
    /// Places in all shards together.
    places: usize,
}

#[derive(Debug, Default)]
struct Shard {
    /// Words that are zero at first, and never touched until used; none before the first result, because memory that
    /// was used before must be cleared, which small positions should not pay for.
    places: Vec<[u64; WAYS * WORDS]>,
    used: u64,
}

/// The third word of an entry, decoded.
#[derive(Clone, Copy)]
struct Proven {
    /// The side to move wins with this many spare moves or more.
    win_from: i16,
    /// It loses with this many spare moves or fewer.
    loss_to: i16,
    /// Roughly how many positions it took, as a power of 2; 0 marks an empty entry.
    effort: u8,
}

impl Proven {
    const NOTHING: Self = Self { win_from: i16::MAX, loss_to: i16::MIN, effort: 0 };

    fn unpack(word: u64) -> Self {
        let [a, b, c, d, effort, ..] = word.to_le_bytes();
        Self { win_from: i16::from_le_bytes([a, b]), loss_to: i16::from_le_bytes([c, d]), effort }
    }

    fn pack(self) -> u64 {
        let ([a, b], [c, d]) = (self.win_from.to_le_bytes(), self.loss_to.to_le_bytes());
        u64::from_le_bytes([a, b, c, d, self.effort, 0, 0, 0])
    }
}

impl ProofTable {
    /// Makes a table of at most `bytes` bytes, and at least four entries.
    pub(crate) fn new(bytes: usize) -> Self {
        let places = (bytes / size_of::<[u64; WAYS * WORDS]>()).max(1);
        let shards = places.min(SHARDS);
        Self { shards: (0..shards).map(|_| Mutex::default()).collect(), places }
    }

    /// Returns how many entries are in use.
    pub(crate) fn used(&self) -> u64 {
        self.shards.iter().map(|shard| locked(shard).used).sum()
    }

    /// Returns whether the side to move is known to win.
    #[inline]
    pub(crate) fn get(&self, key: Key, spare: i32) -> Option<bool> {
        let (shard, place) = self.place(key);
        let shard = locked(shard);
        let (entries, _) = shard.places.get(place)?.as_chunks::<WORDS>();
        let entry = entries.iter().find(|entry| entry[..2] == key.0)?;
        let proven = Proven::unpack(entry[2]);
        if proven.effort == 0 {
            None
        } else if spare >= i32::from(proven.win_from) {
            Some(true)
        } else if spare <= i32::from(proven.loss_to) {
            Some(false)
        } else {
            None
        }
    }

    /// Stores a result that took that many positions; it may replace a cheaper one.
    pub(crate) fn put(&self, key: Key, spare: i32, wins: bool, positions: u64) {
        let effort = u8::try_from(u64::BITS - positions.leading_zeros()).unwrap_or(u8::MAX).max(1);
        let (shard, place) = self.place(key);
        let mut shard = locked(shard);
        let Shard { places, used } = &mut *shard;
        if places.is_empty() {
            *places = vec![[0; WAYS * WORDS]; self.places.div_ceil(self.shards.len())];
        }
        let (entries, _) = places[place].as_chunks_mut::<WORDS>();
        let is_known = |entry: &[u64; WORDS]| entry[..2] == key.0 && Proven::unpack(entry[2]).effort > 0;
        let (slot, mut proven) = match entries.iter().position(is_known) {
            Some(slot) => (slot, Proven::unpack(entries[slot][2])),
            None => {
                let effort_at = |slot: usize| Proven::unpack(entries[slot][2]).effort;
                let slot = (0..WAYS).min_by_key(|&slot| effort_at(slot)).unwrap_or_default();
                *used += u64::from(effort_at(slot) == 0);
                // Entries that are never read again get replaced in time.
                for entry in entries.iter_mut() {
                    let proven = Proven::unpack(entry[2]);
                    if proven.effort > 1 {
                        entry[2] = Proven { effort: proven.effort - 1, ..proven }.pack();
                    }
                }
                (slot, Proven::NOTHING)
            }
        };
        let spare = i16::try_from(spare).unwrap_or(if spare > 0 { i16::MAX } else { i16::MIN });
        if wins {
            proven.win_from = proven.win_from.min(spare);
        } else {
            proven.loss_to = proven.loss_to.max(spare);
        }
        proven.effort = proven.effort.max(effort);
        entries[slot] = [key.0[0], key.0[1], proven.pack()];
    }

    /// Returns the shard of a key and its place there.
    #[inline]
    fn place(&self, key: Key) -> (&Mutex<Shard>, usize) {
        // The high half of the product scales the hash to the number of places.
        let scaled = usize::try_from((u128::from(key.hash()) * self.places as u128) >> 64).unwrap_or_default();
        (&self.shards[scaled % self.shards.len()], scaled / self.shards.len())
    }
}

fn locked(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().expect("no thread panics while it has a shard")
}
