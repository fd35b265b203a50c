//! Small damage to valid input.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Boundary numbers.
const EDGES: [u64; 14] = [
    0,
    1,
    2,
    7,
    255,
    1000,
    1001,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    u64::MAX,
];

/// One change to bytes.
#[derive(Clone, Debug)]
pub(super) enum Mutation {
    FlipBit(Index, u8),
    Set(Index, u8),
    Insert(Index, Vec<u8>),
    Remove(Index, usize),
    Copy {
        from: Index,
        to: Index,
        len: usize,
    },
    /// A binary number of 4 or 8 bytes.
    Word(Index, u64, bool),
    /// A run of digits becomes another number.
    Decimal(Index, String),
    Truncate(Index),
}

impl Mutation {
    pub(super) fn apply(&self, bytes: &mut Vec<u8>) {
        if let Self::Insert(at, inserted) = self {
            let at = at.index(bytes.len() + 1);
            bytes.splice(at..at, inserted.iter().copied());
        }
        if bytes.is_empty() {
            return;
        }
        let len = bytes.len();
        match self {
            Self::Insert(..) => {}
            Self::FlipBit(at, bit) => bytes[at.index(len)] ^= 1 << bit,
            Self::Set(at, value) => bytes[at.index(len)] = *value,
            Self::Remove(at, count) => drop(bytes.drain(at.index(len)..(at.index(len) + count).min(len))),
            Self::Copy { from, to, len: count } => {
                let from = from.index(len);
                let piece = bytes[from..(from + count).min(len)].to_vec();
                let to = to.index(len);
                bytes.splice(to..(to + count).min(len), piece);
            }
            Self::Word(at, value, long) => {
                let word = &value.to_le_bytes()[..if *long { 8 } else { 4 }];
                // Binary formats keep their numbers at multiples of four.
                let at = at.index(len) / 4 * 4;
                let end = (at + word.len()).min(len);
                bytes[at..end].copy_from_slice(&word[..end - at]);
            }
            Self::Decimal(which, number) => {
                let runs = digit_runs(bytes);
                if !runs.is_empty() {
                    let (start, end) = runs[which.index(runs.len())];
                    bytes.splice(start..end, number.bytes());
                }
            }
            Self::Truncate(at) => bytes.truncate(at.index(len)),
        }
    }
}

fn digit_runs(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()) {
        match runs.last_mut() {
            Some((_, end)) if *end == at => *end += 1,
            _ => runs.push((at, at + 1)),
        }
    }
    runs
}

pub(super) fn number() -> impl Strategy<Value = u64> {
    prop_oneof![select(&EDGES[..]), 0..20_u64, any::<u64>()]
}

/// One change; new bytes come from this alphabet, or any if it is empty.
pub(super) fn mutation(alphabet: &'static [u8]) -> impl Strategy<Value = Mutation> {
    let byte = move || {
        any::<u8>().prop_map(move |byte| *alphabet.get(usize::from(byte) % alphabet.len().max(1)).unwrap_or(&byte))
    };
    let at = any::<Index>;
    prop_oneof![
        (at(), 0..8_u8).prop_map(|(at, bit)| Mutation::FlipBit(at, bit)),
        (at(), byte()).prop_map(|(at, value)| Mutation::Set(at, value)),
        (at(), vec(byte(), 1..6)).prop_map(|(at, bytes)| Mutation::Insert(at, bytes)),
        (at(), 1..9_usize).prop_map(|(at, count)| Mutation::Remove(at, count)),
        (at(), at(), 1..24_usize).prop_map(|(from, to, len)| Mutation::Copy { from, to, len }),
        (at(), number(), any::<bool>()).prop_map(|(at, value, long)| Mutation::Word(at, value, long)),
        (at(), number()).prop_map(|(at, value)| Mutation::Decimal(at, value.to_string())),
        at().prop_map(Mutation::Truncate),
    ]
}

/// A few changes, possibly none.
pub(super) fn mutations(alphabet: &'static [u8]) -> impl Strategy<Value = Vec<Mutation>> {
    vec(mutation(alphabet), 0..5)
}

pub(super) fn mutated(bytes: &[u8], mutations: &[Mutation]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for mutation in mutations {
        mutation.apply(&mut bytes);
    }
    bytes
}
