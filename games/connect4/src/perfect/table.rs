use std::io;
use std::sync::atomic::Ordering;

use amazons_memory::{CacheLine, Lines, prefetch};

use crate::Size;

/// No column is known to be best.
pub(super) const NO_COLUMN: u32 = 15;

/// Bits of a bound, the best column, and the work; what is left of 64 bits holds the check.
const BOUND_BITS: u32 = 6;
const COLUMN_BITS: u32 = 4;
const WORK_BITS: u32 = 4;
const DATA_BITS: u32 = 2 * BOUND_BITS + COLUMN_BITS + WORK_BITS;
/// Bounds are stored with this added.
const OFFSET: i32 = 1 << (BOUND_BITS - 1);

/// An odd number: multiplying by it mixes keys, and each product has one key.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Bounds of scores; any number of threads may share it.
///
/// Bucket and check together are the key, so an entry is never taken for that of another position.
#[derive(Debug)]
pub struct Table {
    buckets: Lines,
    key_mask: u64,
    check_bits: u32,
}

/// The proven bounds of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub lower: i32,
    pub upper: i32,
    /// The column that was best.
    pub column: u32,
}

impl Table {
    /// Makes an empty table of about so many bytes: a power of two.
    pub fn new(size: Size, bytes: u64) -> io::Result<Self> {
        let key_bits = size.width() * (size.height() + 1);
        let line = size_of::<CacheLine>() as u64;
        let least = (key_bits + DATA_BITS).saturating_sub(u64::BITS);
        let bucket_bits = (bytes / line).max(1).ilog2().max(least).min(key_bits);
        let buckets = Lines::zeroed(usize::try_from(1_u64 << bucket_bits).map_err(io::Error::other)?)?;
        Ok(Self { buckets, key_mask: u64::MAX >> (u64::BITS - key_bits), check_bits: key_bits - bucket_bits })
    }

    pub fn clear(&self) {
        for line in self.buckets.iter() {
            for entry in &line.0 {
                entry.store(0, Ordering::Relaxed);
            }
        }
    }

    #[inline]
    fn place(&self, key: u64) -> (&CacheLine, u64) {
        let mixed = key.wrapping_mul(FACTOR) & self.key_mask;
        let mixed = mixed ^ (mixed >> (self.check_bits / 2 + 8));
        let bucket = usize::try_from(mixed >> self.check_bits).unwrap_or(usize::MAX);
        (&self.buckets[bucket], mixed & ((1 << self.check_bits) - 1))
    }

    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.place(key).0);
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<Bounds> {
        let (bucket, check) = self.place(key);
        bucket
            .0
            .iter()
            .map(|entry| entry.load(Ordering::Relaxed))
            .find(|&entry| entry >> DATA_BITS == check && entry & ((1 << DATA_BITS) - 1) != 0)
            .map(unpack)
    }

    /// Stores bounds that took this much work, the binary logarithm of the number of positions.
    #[inline]
    pub fn set(&self, key: u64, bounds: Bounds, work: u32) {
        let (bucket, check) = self.place(key);
        let work = u64::from(work.clamp(1, (1 << WORK_BITS) - 1));
        let field = |bound: i32| u64::from((bound + OFFSET).unsigned_abs());
        let entry = check << DATA_BITS
            | work << (2 * BOUND_BITS + COLUMN_BITS)
            | field(bounds.lower) << (BOUND_BITS + COLUMN_BITS)
            | field(bounds.upper) << COLUMN_BITS
            | u64::from(bounds.column);
        let mut least = (u64::MAX, 0);
        for (index, slot) in bucket.0.iter().enumerate() {
            let old = slot.load(Ordering::Relaxed);
            let old_work = old >> (2 * BOUND_BITS + COLUMN_BITS) & ((1 << WORK_BITS) - 1);
            if old_work == 0 || old >> DATA_BITS == check {
                slot.store(entry, Ordering::Relaxed);
                return;
            }
            // Older entries of the bucket are nearer to its end.
            if old_work <= least.0 {
                least = (old_work, index);
            }
        }
        bucket.0[least.1].store(entry, Ordering::Relaxed);
    }
}

fn unpack(entry: u64) -> Bounds {
    let field = |shift: u32, bits: u32| u32::try_from(entry >> shift & ((1 << bits) - 1)).expect("a few bits");
    let bound = |shift| field(shift, BOUND_BITS).cast_signed() - OFFSET;
    Bounds { lower: bound(BOUND_BITS + COLUMN_BITS), upper: bound(COLUMN_BITS), column: field(0, COLUMN_BITS) }
}
