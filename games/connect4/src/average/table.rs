use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use amazons_memory::{CacheLine, LineFile, Lines, prefetch};

/// Values of positions that have been reached before; threads may share it, and ranks of one machine.
///
/// An entry holds its key mixed with its value, so a reader sees a torn entry as that of another position.
#[derive(Debug)]
pub struct Table {
    lines: Lines,
    shift: u32,
    part: Option<Part>,
}

/// The lines of a file that a table has.
#[derive(Debug)]
struct Part {
    file: Arc<LineFile>,
    first: u64,
}

/// Entries of two words in a line.
const ENTRIES: u64 = 4;

/// Spreads keys of similar positions.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl Table {
    /// Makes an empty table of 2 to the power of `bits` (1 to 40) entries of 16 bytes.
    pub fn new(bits: u32) -> Self {
        let lines = Lines::zeroed(lines(bits)).expect("memory for a table");
        Self { lines, shift: u64::BITS - bits, part: None }
    }

    /// Makes such a table in a file, from a line on; all processes that do so share it. Its lines become zero when one
    /// of them ends it: the others lose what they knew, and go on.
    pub fn shared(file: &Arc<LineFile>, first: u64, bits: u32) -> io::Result<Self> {
        let lines = file.map(first, lines(bits))?;
        Ok(Self { lines, shift: u64::BITS - bits, part: Some(Part { file: Arc::clone(file), first }) })
    }

    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(&self.lines[self.index(key).0]);
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<f64> {
        let (mixed, bits) = self.entry(key);
        let (mixed, bits) = (mixed.load(Ordering::Relaxed), bits.load(Ordering::Relaxed));
        (mixed ^ bits == key).then(|| f64::from_bits(bits))
    }

    #[inline]
    pub(super) fn set(&self, key: u64, value: f64) {
        let (mixed, bits) = self.entry(key);
        mixed.store(key ^ value.to_bits(), Ordering::Relaxed);
        bits.store(value.to_bits(), Ordering::Relaxed);
    }

    #[inline]
    fn entry(&self, key: u64) -> (&AtomicU64, &AtomicU64) {
        let (line, entry) = self.index(key);
        let CacheLine(words) = &self.lines[line];
        match entry {
            0 => (&words[0], &words[1]),
            1 => (&words[2], &words[3]),
            2 => (&words[4], &words[5]),
            _ => (&words[6], &words[7]),
        }
    }

    /// Returns the line of a key, and its entry there.
    #[inline]
    fn index(&self, key: u64) -> (usize, u64) {
        let index = key.wrapping_mul(FACTOR) >> self.shift;
        (usize::try_from(index / ENTRIES).expect("below the number of lines"), index % ENTRIES)
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            // A failure leaves memory in use until the ranks end.
            let _ = part.file.clear(part.first, self.lines.len() as u64);
        }
    }
}

fn lines(bits: u32) -> usize {
    assert!((1..=40).contains(&bits), "2^{bits} entries");
    usize::try_from((1_u64 << bits).div_ceil(ENTRIES)).expect("an address for each")
}
