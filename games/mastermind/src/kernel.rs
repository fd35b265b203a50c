//! The loops that compare codes with codes, compiled for several processors; the right one is picked at run time.

use multiversion::multiversion;

use crate::game::PEGS_MAX;
use crate::strategy::{Choice, PartKeys, SMALL};
use crate::words::{Word, Words};

/// Answers have a slot each: blacks shifted by 3, or for many pegs 4, plus blacks and whites.
pub(crate) const SLOTS: usize = 256;
/// The slots of games with few pegs.
const FEW_SLOTS: usize = 64;
/// How many codes are compared before their answers are counted.
const BLOCK: usize = 256;

#[derive(Clone, Copy)]
pub(crate) struct Task<'a, W> {
    pub(crate) guesses: &'a Words<W>,
    /// Whether the words of the guesses are found by index; otherwise they are in the order of the guesses.
    pub(crate) is_by_index: bool,
    pub(crate) codes: &'a Words<W>,
    pub(crate) pegs: usize,
    pub(crate) keys: &'a PartKeys,
}

pub(crate) const fn slot(pegs: usize, black: usize, common: usize) -> usize {
    (black << shift(pegs)) + common
}

const fn shift(pegs: usize) -> u32 {
    if pegs < 8 { 3 } else { 4 }
}

/// Writes the slots of some codes' answers to a guess. Nothing is counted here, so a processor can do many at a time.
#[inline(always)]
fn compare<W: Word>(shift: u32, guess: (W, W), places: &[W], counts: &[W], slots: &mut [u8]) {
    let (places, counts) = (&places[..slots.len()], &counts[..slots.len()]);
    for code in 0..slots.len() {
        let slot = ((guess.0 & places[code]).count() << shift) + (guess.1 & counts[code]).count();
        slots[code] = slot.to_le_bytes()[0];
    }
}

/// Returns the key of one guess, and whether it is among the codes, if these are fewer than 256.
/// The key is summed up code by code, so the slots need not be looked at again.
#[inline(always)]
fn small_key<W: Word, const USED: usize>(task: &Task<'_, W>, guess: (W, W)) -> (i64, bool) {
    let mut slots = [0u8; BLOCK];
    let slots = &mut slots[..task.codes.places.len().min(BLOCK)];
    compare(shift(task.pegs), guess, &task.codes.places, &task.codes.counts, slots);
    let mut sizes = [0u8; USED];
    let mut key = 0;
    let steps = &task.keys.steps;
    if task.keys.is_largest() {
        let mut largest = 0;
        for &mut slot in slots {
            let size = &mut sizes[usize::from(slot) & (USED - 1)];
            *size += 1;
            largest = largest.max(*size);
        }
        key = i64::from(largest);
    } else {
        for &mut slot in slots {
            let size = &mut sizes[usize::from(slot) & (USED - 1)];
            key += steps[usize::from(*size)];
            *size += 1;
        }
    }
    (key, sizes[slot(task.pegs, task.pegs, task.pegs) & (USED - 1)] > 0)
}

/// Returns the key of one guess, and whether it is among the codes.
#[inline(always)]
fn large_key<W: Word, const USED: usize>(task: &Task<'_, W>, guess: (W, W)) -> (i64, bool) {
    // Counters for codes in turn, so that equal answers in a row do not wait for each other.
    let mut sizes = [[0u32; USED]; 4];
    let mut slots = [0u8; BLOCK];
    let blocks = task.codes.places.chunks(BLOCK).zip(task.codes.counts.chunks(BLOCK));
    for (places, counts) in blocks {
        let slots = &mut slots[..places.len()];
        compare(shift(task.pegs), guess, places, counts, slots);
        let (fours, rest) = slots.as_chunks::<4>();
        for four in fours {
            for (turn, &slot) in four.iter().enumerate() {
                sizes[turn][usize::from(slot) & (USED - 1)] += 1;
            }
        }
        for &slot in rest {
            sizes[0][usize::from(slot) & (USED - 1)] += 1;
        }
    }
    let [mut sum, others @ ..] = sizes;
    let last = slot(task.pegs, task.pegs, task.pegs) & (USED - 1);
    for other in &others {
        for slot in 0..=last {
            sum[slot] += other[slot];
        }
    }
    (task.keys.key(&sum[..=last]), sum[last] > 0)
}

/// Replaces the best choice so far by a lesser one among these guesses; a key of `enough` ends the search.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq+avx2+popcnt+bmi1+bmi2+lzcnt",
    "x86_64+avx2+popcnt+bmi1+bmi2+lzcnt",
    "x86_64+popcnt+ssse3"
))]
pub(crate) fn least<W: Word>(task: Task<'_, W>, guesses: &[u32], enough: i64, best: &mut Option<Choice>) {
    let is_small = task.codes.places.len() <= SMALL;
    let is_few = task.pegs < 8;
    for (number, &index) in guesses.iter().enumerate() {
        let number = if task.is_by_index { index as usize } else { number };
        let guess = (task.guesses.places[number], task.guesses.counts[number]);
        let (key, is_possible) = match (is_small, is_few) {
            (true, true) => small_key::<W, FEW_SLOTS>(&task, guess),
            (true, false) => small_key::<W, SLOTS>(&task, guess),
            (false, true) => large_key::<W, FEW_SLOTS>(&task, guess),
            (false, false) => large_key::<W, SLOTS>(&task, guess),
        };
        let choice = Choice { key, is_ruled_out: !is_possible, index };
        if best.is_none_or(|best| choice < best) {
            *best = Some(choice);
            if key <= enough {
                break;
            }
        }
    }
}

/// Writes the slot of each code's answer to a guess.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq+avx2+popcnt+bmi1+bmi2+lzcnt",
    "x86_64+avx2+popcnt+bmi1+bmi2+lzcnt",
    "x86_64+popcnt+ssse3"
))]
pub(crate) fn answers<W: Word>(pegs: usize, guess: (W, W), codes: &Words<W>, slots: &mut Vec<u8>) {
    slots.resize(codes.places.len(), 0);
    compare(shift(pegs), guess, &codes.places, &codes.counts, slots);
}

const _: () = assert!(slot(7, 7, 7) < FEW_SLOTS && slot(PEGS_MAX, PEGS_MAX, PEGS_MAX) < SLOTS);
