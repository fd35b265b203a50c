use multiversion::multiversion;

use crate::feedback::Feedback;
use crate::game::{Game, ParseError};
use crate::kernel::{self, SLOTS, slot};
use crate::table::in_parallel;
use crate::words::Words;

/// A code of a game with few codes.
pub(super) type Index = u16;

/// Maximum number of pegs: the answers must fit the bits of a mask.
pub(super) const PEGS_MAX: usize = 4;
/// Maximum number of codes: all pairs are kept in memory.
pub(super) const CODES_MAX: u32 = 8192;
/// How many rows of answers are prepared at a time.
const ROWS: usize = 64;
/// Larger than any cost; small enough that sums of a few do not overflow.
pub(super) const IMPOSSIBLE: u32 = 1 << 24;

/// The answers of all pairs of codes, and what follows from the number of codes alone.
#[derive(Debug)]
pub(super) struct Board {
    pub(super) game: Game,
    pub(super) codes: usize,
    /// For each code a row: its answer to each guess, a number below 16; the highest means that it is found.
    answers: Vec<u8>,
    /// The same, as the bit with that number.
    bits: Vec<u16>,
    /// The highest number of an answer.
    pub(super) found: usize,
    /// For each number of codes the least cost.
    least: Vec<u32>,
}

impl Board {
    pub(super) fn new(game: Game, threads: usize) -> Result<Self, ParseError> {
        if game.pegs() > PEGS_MAX || game.codes() > CODES_MAX {
            let codes = game.codes();
            return Err(ParseError(format!(
                "the optimum of {game} is out of reach: at most {PEGS_MAX} pegs and {CODES_MAX} codes, not {codes}"
            )));
        }
        let feedbacks: Vec<Feedback> = game.feedbacks().collect();
        let mut numbers = [0u8; SLOTS];
        for (number, answer) in (0..).zip(&feedbacks) {
            let (black, white) = (usize::from(answer.black), usize::from(answer.white));
            numbers[slot(game.pegs(), black, black + white)] = number;
        }
        let words: Words<u64> = Words::of(game, game.all_codes().map(|(_, code)| code));
        let codes = words.places.len();
        let (mut answers, mut bits) = (vec![0; codes * codes], vec![0; codes * codes]);
        let rows = answers.chunks_mut(ROWS * codes).zip(bits.chunks_mut(ROWS * codes)).enumerate().collect();
        in_parallel(rows, threads, |(block, (answers, bits)): (usize, (&mut [u8], &mut [u16]))| {
            let mut slots = Vec::new();
            let rows = answers.chunks_mut(codes).zip(bits.chunks_mut(codes));
            for (code, (answers, bits)) in (block * ROWS..).zip(rows) {
                let guess = (words.places[code], words.counts[code]);
                kernel::answers(game.pegs(), guess, &words, &mut slots);
                for ((answer, bit), &slot) in answers.iter_mut().zip(bits).zip(&slots) {
                    *answer = numbers[usize::from(slot)];
                    *bit = 1 << *answer;
                }
            }
        });
        let found = feedbacks.len() - 1;
        let least = (0..=codes).map(|count| least(count, found)).collect();
        Ok(Self { game, codes, answers, bits, found, least })
    }

    /// Returns the answers to a guess by code; the same as the answers of a code by guess.
    pub(super) fn row(&self, code: Index) -> &[u8] {
        let start = usize::from(code) * self.codes;
        &self.answers[start..start + self.codes]
    }

    /// Returns the least cost of any set with this many codes: one found at once, one with each other answer, ...
    pub(super) fn least(&self, count: usize) -> u32 {
        self.least[count]
    }

    /// Returns how many codes a number of guesses can tell apart at most.
    pub(super) fn capacity(&self, guesses: u8) -> usize {
        (0..guesses).fold(0usize, |codes, _| codes.saturating_mul(self.found).saturating_add(1))
    }

    /// Counts, for each guess, its answers among the codes, and counts being found twice: the higher, the lower the
    /// least cost of the guess.
    pub(super) fn scores(&self, set: &[Index], seen: &mut [u16], scores: &mut [u8]) {
        score(&self.bits, self.codes, set, self.found, seen, scores);
    }
}

/// Returns the least cost of any set of `count` codes, if `found` answers leave more to do.
fn least(count: usize, found: usize) -> u32 {
    let (mut rest, mut width, mut cost) = (count, 1, 0);
    while rest > 0 {
        cost += u32::try_from(rest).expect("at most 8192");
        rest = rest.saturating_sub(width);
        width *= found;
    }
    cost
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512bitalg+avx2+popcnt+bmi1+bmi2+lzcnt",
    "x86_64+avx2+popcnt+bmi1+bmi2+lzcnt",
    "x86_64+popcnt+ssse3"
))]
fn score(bits: &[u16], codes: usize, set: &[Index], found: usize, seen: &mut [u16], scores: &mut [u8]) {
    let row = |code: &Index| &bits[usize::from(*code) * codes..][..codes];
    let seen = &mut seen[..codes];
    let Some((first, rest)) = set.split_first() else { return };
    seen.copy_from_slice(row(first));
    for pair in rest.chunks(4) {
        if let [one, two, three, four] = pair {
            let (one, two, three, four) = (row(one), row(two), row(three), row(four));
            for (guess, seen) in seen.iter_mut().enumerate() {
                *seen |= one[guess] | two[guess] | three[guess] | four[guess];
            }
        } else {
            for code in pair {
                seen.iter_mut().zip(row(code)).for_each(|(seen, bit)| *seen |= bit);
            }
        }
    }
    for (score, &seen) in scores[..codes].iter_mut().zip(seen.iter()) {
        let count = seen.count_ones() + u32::from(seen >> found);
        *score = count.to_le_bytes()[0];
    }
}
