use super::score::Score;

/// The relation of a stored score to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is at least the score.
    Lower,
    /// It is at most the score.
    Upper,
    /// It is the score.
    Exact,
}

/// One searched position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The low half of the key; the high half chooses the bucket.
    check: u32,
    /// The best move, packed.
    pub(super) mv: u32,
    pub(super) score: Score,
    /// Plies searched; [`COMPLETE`] for a search without horizon, [`EMPTY`] for an empty entry.
    pub(super) depth: u8,
    pub(super) bound: Bound,
    generation: u8,
}

/// The depth of a search to the end of the game in every line.
pub(super) const COMPLETE: u8 = u8::MAX;
const EMPTY: u8 = 0;

/// Searched positions, in buckets of two: one keeps deep results, the other the latest.
#[derive(Debug)]
pub(super) struct TranspositionTable {
    buckets: Vec<[Entry; 2]>,
    generation: u8,
}

impl TranspositionTable {
    /// Allocates at most `bytes` bytes, but at least one bucket.
    pub(super) fn new(bytes: usize) -> Self {
        let empty = Entry { check: 0, mv: 0, score: 0, depth: EMPTY, bound: Bound::Exact, generation: 0 };
        let buckets = (bytes / size_of::<[Entry; 2]>()).clamp(1, u32::MAX as usize);
        Self { buckets: vec![[empty; 2]; buckets], generation: 0 }
    }

    /// Begins a search: older results may be replaced first.
    pub(super) fn age(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<&Entry> {
        let (index, check) = self.place(key);
        self.buckets[index].iter().find(|entry| entry.depth != EMPTY && entry.check == check)
    }

    /// Stores a result; `depth` is at least 1.
    #[inline]
    pub(super) fn put(&mut self, key: u64, mv: u32, score: Score, depth: u8, bound: Bound) {
        let (index, check) = self.place(key);
        let entry = Entry { check, mv, score, depth, bound, generation: self.generation };
        let [deep, latest] = &mut self.buckets[index];
        let same = deep.check == check && deep.depth != EMPTY;
        if same || deep.generation != self.generation || deep.depth <= depth {
            if !same {
                *latest = *deep;
            }
            *deep = entry;
        } else {
            *latest = entry;
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "a product of halves fits, and the check is the low half")]
    #[inline]
    fn place(&self, key: u64) -> (usize, u32) {
        ((((key >> 32) * self.buckets.len() as u64) >> 32) as usize, key as u32)
    }
}
