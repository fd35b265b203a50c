use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use amazons_memory::{CacheLine, LineFile, Lines};

use crate::SolveLimits;
use crate::state::{Key, SPREAD, scramble};

/// Words of an entry: one of its key, and one of a [`Proven`] with the rest of the key.
const WORDS: usize = 2;

/// Bits of a [`Proven`]; the others of its word are the key's.
const PROVEN_BITS: u32 = 40;

/// Lines for a small search, 2 MiB.
const FEW: usize = 1 << 15;

/// Counters of entries, one on each line, so that threads seldom meet in one.
const COUNTERS: usize = 1 << 6;

/// Results that took so many positions are costly.
const COSTLY: u64 = 256;

/// Costly results that wait until they are taken; more are not noted.
const MAX_COSTLY: usize = 1 << 20;

/// A result that took many positions, for a table of the same position in another process or a later one.
pub type CostlyResult = [u64; WORDS];

/// Proven results of states, in a fixed amount of memory, for any number of threads.
///
/// One entry serves every number of spare moves: extra ones never hurt, so a win with some is a win with more. A line has
/// the entries of a bucket. Threads write without locks: a result may get lost when two write at once, but an entry of
/// which one thread wrote one half and another the other is not found.
#[derive(Debug)]
pub(crate) struct ProofTable {
    /// Where the results of a small search are, because memory must be cleared when it is first used.
    few: Lines,
    all: Lines,
    grown: Once,
    has_grown: AtomicBool,
    counters: Lines,
    costly: Mutex<Vec<CostlyResult>>,
}

/// The second word of an entry, decoded but for the key.
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

/// Returns a key with 24 bits in its second word: all of one of at most 44 vertices, else bits that look random.
fn short(Key([own, other]): Key) -> Key {
    const VERTICES: u32 = 44;
    if (own | other) >> VERTICES == 0 {
        return Key([own | other << VERTICES, other >> (u64::BITS - VERTICES)]);
    }
    Key([scramble(own ^ scramble(other)), scramble(other ^ scramble(!own)) >> PROVEN_BITS])
}

/// Reads an entry, its short key first; `None` if it is empty.
fn read(entry: &[AtomicU64]) -> Option<(Key, Proven)> {
    let [first, second] = [0, 1].map(|word| entry[word].load(Ordering::Relaxed));
    let proven = Proven::unpack(second);
    (proven.effort > 0).then_some((Key([first ^ check(second), second >> PROVEN_BITS]), proven))
}

fn pack(Key([low, high]): Key, proven: Proven) -> [u64; WORDS] {
    [low, proven.pack() | high << PROVEN_BITS]
}

fn write(entry: &[AtomicU64], key: Key, proven: Proven) {
    let [low, second] = pack(key, proven);
    entry[0].store(low ^ check(second), Ordering::Relaxed);
    entry[1].store(second, Ordering::Relaxed);
}

/// Mixes the second word of an entry into the first, so that halves of two entries make none.
const fn check(second: u64) -> u64 {
    second.wrapping_mul(SPREAD).rotate_left(29)
}

/// Returns the lines of a table of at most so many bytes, but at least one.
fn lines_of(bytes: usize) -> usize {
    (bytes / size_of::<CacheLine>()).max(1)
}

/// Returns the line of a short key, and its number.
#[inline]
fn line(lines: &Lines, key: Key) -> (usize, &CacheLine) {
    // The high half of the product scales the hash to the number of lines.
    let at = usize::try_from((u128::from(key.hash()) * lines.len() as u128) >> 64).unwrap_or_default();
    (at, &lines[at])
}

/// Memory for a table that processes of one user on one machine share.
#[derive(Debug)]
pub struct TableFile(LineFile);

impl TableFile {
    /// Makes one for the table of a search within limits.
    pub fn create(limits: &SolveLimits) -> io::Result<Self> {
        LineFile::create((COUNTERS + lines_of(limits.for_table())) as u64).map(Self)
    }

    /// Opens the one of another process with the same limits. Fails if it is on another machine, no longer exists, or
    /// has another size.
    pub fn open(address: &[u8], limits: &SolveLimits) -> io::Result<Self> {
        LineFile::open(address, (COUNTERS + lines_of(limits.for_table())) as u64).map(Self)
    }

    /// Returns where other processes find it, as long as this process has it open.
    pub fn address(&self) -> Vec<u8> {
        self.0.address().to_vec()
    }
}

impl ProofTable {
    /// Makes a table of at most `bytes` bytes, and at least a line; of fewer if the system has no room for them.
    pub(crate) fn new(bytes: usize) -> Self {
        let mut halves = (0..usize::BITS).map(|shift| lines_of(bytes) >> shift).take_while(|&number| number > 0);
        let some = |number: usize| -> io::Result<Self> {
            let few = Lines::zeroed(number.min(FEW))?;
            let (all, counters) = (Lines::zeroed(number)?, Lines::zeroed(COUNTERS)?);
            let (has_grown, costly) = (AtomicBool::new(number <= FEW), Mutex::default());
            Ok(Self { few, all, grown: Once::new(), has_grown, counters, costly })
        };
        halves.find_map(|number| some(number).ok()).expect("there is room for a line")
    }

    /// Makes a table of at most `bytes` bytes in a file.
    pub(crate) fn of_file(TableFile(file): &TableFile, bytes: usize) -> io::Result<Self> {
        let (few, has_grown) = (Lines::zeroed(1)?, AtomicBool::new(true));
        let (counters, all) = (file.map(0, COUNTERS)?, file.map(COUNTERS as u64, lines_of(bytes))?);
        Ok(Self { few, all, grown: Once::new(), has_grown, counters, costly: Mutex::default() })
    }

    /// Returns how many entries are in use.
    pub(crate) fn used(&self) -> u64 {
        self.counters.iter().map(|counter| counter.0[0].load(Ordering::Relaxed)).sum()
    }

    /// Returns whether the side to move is known to win.
    #[inline]
    pub(crate) fn get(&self, key: Key, spare: i32) -> Option<bool> {
        let key = short(key);
        let (_, line) = line(self.lines(), key);
        let (_, proven) = line.0.chunks(WORDS).filter_map(read).find(|(found, _)| *found == key)?;
        if spare >= i32::from(proven.win_from) {
            Some(true)
        } else if spare <= i32::from(proven.loss_to) {
            Some(false)
        } else {
            None
        }
    }

    /// Stores a result that took that many positions; it may replace a cheaper one.
    pub(crate) fn put(&self, key: Key, spare: i32, wins: bool, positions: u64) {
        let key = short(key);
        let spare = i16::try_from(spare).unwrap_or(if spare > 0 { i16::MAX } else { i16::MIN });
        let effort = u8::try_from(u64::BITS - positions.leading_zeros()).unwrap_or(u8::MAX).max(1);
        let proven = if wins {
            Proven { win_from: spare, effort, ..Proven::NOTHING }
        } else {
            Proven { loss_to: spare, effort, ..Proven::NOTHING }
        };
        if positions >= COSTLY {
            let mut costly = self.costly.lock().unwrap_or_else(PoisonError::into_inner);
            if costly.len() < MAX_COSTLY {
                costly.push(pack(key, proven));
            }
        }
        self.add(key, proven);
    }

    /// Takes the costly results that were stored since the last time.
    pub(crate) fn take_costly(&self) -> Vec<CostlyResult> {
        std::mem::take(&mut *self.costly.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Stores a costly result again.
    pub(crate) fn restore(&self, [low, second]: CostlyResult) {
        let proven = Proven::unpack(second);
        if proven.effort > 0 {
            self.add(Key([low, second >> PROVEN_BITS]), proven);
        }
    }

    /// Adds what is proven about a short key to what is known of it.
    fn add(&self, key: Key, proven: Proven) {
        let (at, line) = line(self.lines(), key);
        let (entry, known) = place(line, key);
        let is_new = known.is_none() && read(entry).is_none();
        let known = known.unwrap_or(Proven::NOTHING);
        let proven = Proven {
            win_from: proven.win_from.min(known.win_from),
            loss_to: proven.loss_to.max(known.loss_to),
            effort: proven.effort.max(known.effort),
        };
        write(entry, key, proven);
        if is_new {
            let counter = &self.counters[at % COUNTERS].0[0];
            let used = counter.fetch_add(1, Ordering::Relaxed) * COUNTERS as u64;
            if used > FEW as u64 && !self.has_grown.load(Ordering::Relaxed) {
                self.grown.call_once(|| self.grow());
            }
        }
    }

    /// Moves the results of a small search to where there is room for more.
    fn grow(&self) {
        for (key, proven) in self.few.iter().flat_map(|line| line.0.chunks(WORDS)).filter_map(read) {
            write(place(line(&self.all, key).1, key).0, key, proven);
        }
        self.has_grown.store(true, Ordering::Release);
    }

    fn lines(&self) -> &Lines {
        if self.has_grown.load(Ordering::Acquire) { &self.all } else { &self.few }
    }
}

/// Returns the entry of a short key in a line and what it says, or the entry that matters least.
fn place(line: &CacheLine, key: Key) -> (&[AtomicU64], Option<Proven>) {
    let entries = || line.0.chunks(WORDS);
    let known =
        entries().find_map(|entry| read(entry).filter(|(found, _)| *found == key).map(|(_, known)| (entry, known)));
    if let Some((entry, known)) = known {
        return (entry, Some(known));
    }
    let effort = |entry: &&[AtomicU64]| read(entry).map_or(0, |(_, proven)| proven.effort);
    let least = entries().min_by_key(effort).unwrap_or_default();
    // Entries that are never read again get replaced in time.
    for entry in entries() {
        if let Some((key, proven)) = read(entry)
            && proven.effort > 1
        {
            write(entry, key, Proven { effort: proven.effort - 1, ..proven });
        }
    }
    (least, None)
}
