use std::marker::PhantomData;
use std::ops::{BitAnd, BitOr, BitXor, Shl, Shr};

use super::loops::Loops;
use super::{Layout, Sets, Weight, Word};
use crate::Network;
use crate::layer::{EIGHT, Inputs, Layer, Views};

/// Sets in arrays: the reference for the others, and the only implementation for boards of more than 32 rows.
#[derive(Clone, Copy, Debug)]
pub struct Plain<W, const N: usize, F> {
    rows: [[W; N]; 2],
    loops: PhantomData<F>,
}

impl<W: Word, const N: usize, F: Loops> Plain<W, N, F> {
    #[inline(always)]
    const fn new(rows: [[W; N]; 2]) -> Self {
        Self { rows, loops: PhantomData }
    }

    #[inline(always)]
    fn zip(mut self, other: Self, operation: impl Fn(W, W) -> W) -> Self {
        F::run(&mut self.rows, &other.rows, |rows, others| {
            for (row, &other) in rows.as_flattened_mut().iter_mut().zip(others.as_flattened()) {
                *row = operation(*row, other);
            }
        });
        self
    }

    #[inline(always)]
    fn shift(mut self, columns: u32, operation: impl Fn(W, u32) -> W) -> Self {
        F::run(&mut self.rows, &columns, |rows, &columns| {
            for row in rows.as_flattened_mut() {
                *row = operation(*row, columns);
            }
        });
        self
    }

    /// Rolls by `rows` towards the lower ones.
    #[inline(always)]
    fn rolled(&self, rows: usize) -> Self {
        let mut result = *self;
        for (to, from) in result.rows.iter_mut().zip(&self.rows) {
            to[..N - rows].copy_from_slice(&from[rows..]);
            to[N - rows..].copy_from_slice(&from[..rows]);
        }
        result
    }

    /// Adds the cells of the mask that a roll leads to, in one loop.
    #[inline(always)]
    fn spread(self, mask: &Self, rows: usize) -> Self {
        let add = |to: &mut [W], from: &[W], mask: &[W]| {
            for (to, (&from, &mask)) in to.iter_mut().zip(from.iter().zip(mask)) {
                *to = *to | from & mask;
            }
        };
        let mut result = self;
        F::run(&mut result.rows, &(&self.rows, &mask.rows, rows), |sides, &(from, mask, rows)| {
            for (to, (from, mask)) in sides.iter_mut().zip(from.iter().zip(mask)) {
                let (to, to_last) = to.split_at_mut(N - rows);
                add(to, &from[rows..], mask);
                add(to_last, from, &mask[N - rows..]);
            }
        });
        result
    }

    /// Rolls each row towards higher columns by its number times the factor.
    #[inline(always)]
    fn lean(mut self, factor: u32) -> Self {
        F::run(&mut self.rows, &factor, |sides, &factor| {
            for rows in sides {
                for (number, row) in (0..).zip(rows) {
                    *row = row.turned(number * factor % W::COLUMNS);
                }
            }
        });
        self
    }

    /// Counts the cells of each set.
    #[inline(always)]
    fn count(&self) -> [u32; 2] {
        let mut counts = [0; 2];
        F::run(&mut counts, &self.rows, |counts, sides| {
            for (count, rows) in counts.iter_mut().zip(sides) {
                *count = rows.iter().map(|row| row.count()).sum();
            }
        });
        counts
    }
}

impl<W: Word, const N: usize, F: Loops> Sets for Plain<W, N, F>
where
    [W; N]: Layout<Word = W>,
{
    type Layout = [W; N];
    type Sum = [i32; 2];
    type Tally = [[u8; EIGHT]; 2];

    #[inline(always)]
    fn pair(first: &[W; N], second: &[W; N]) -> Self {
        Self::new([*first, *second])
    }

    #[inline(always)]
    fn unpair(self) -> [[W; N]; 2] {
        self.rows
    }

    inlined! {
        and(self, other) = self.zip(other, BitAnd::bitand);
        or(self, other) = self.zip(other, BitOr::bitor);
        xor(self, other) = self.zip(other, BitXor::bitxor);
        without(self, other) = self.zip(other, |row, other| row & !other);
        plus(self, other) = self.zip(other, W::plus);
        swap(self) = Self::new([self.rows[1], self.rows[0]]);
        right<const D: u32>(self) = self.shift(D, Shl::shl);
        left<const D: u32>(self) = self.shift(D, Shr::shr);
        lean_right(self) = self.lean(1);
        // Rotating right by one less than the number of columns rotates left by one.
        lean_left(self) = self.lean(W::COLUMNS - 1);
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.rows.as_flattened().iter().all(|&row| row == W::default())
    }

    #[inline(always)]
    fn down(self) -> Self {
        let mut result = self.roll_down::<0, 1>();
        result.rows[0][0] = W::default();
        result.rows[1][0] = W::default();
        result
    }

    #[inline(always)]
    fn up(self) -> Self {
        let mut result = self.roll_up::<0, 1>();
        result.rows[0][N - 1] = W::default();
        result.rows[1][N - 1] = W::default();
        result
    }

    #[inline(always)]
    fn roll_down<const LEAN: i32, const D: usize>(self) -> Self {
        self.rolled(N - D)
    }

    #[inline(always)]
    fn roll_up<const LEAN: i32, const D: usize>(self) -> Self {
        self.rolled(D)
    }

    #[inline(always)]
    fn spread_down<const LEAN: i32, const D: usize>(self, mask: Self) -> Self {
        self.spread(&mask, N - D)
    }

    #[inline(always)]
    fn spread_up<const LEAN: i32, const D: usize>(self, mask: Self) -> Self {
        self.spread(&mask, D)
    }

    #[inline(always)]
    fn zero() -> [i32; 2] {
        [0; 2]
    }

    #[inline(always)]
    fn weigh(sum: [i32; 2], set: Self, weight: Weight) -> [i32; 2] {
        let [first, second] = set.count().map(u32::cast_signed);
        [sum[0] + first * weight.get(), sum[1] + second * weight.get()]
    }

    #[inline(always)]
    fn total(sum: [i32; 2]) -> [i32; 2] {
        sum
    }

    #[inline(always)]
    fn no_tally() -> [[u8; EIGHT]; 2] {
        [[0; EIGHT]; 2]
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "limited")]
    fn tally(mut tally: [[u8; EIGHT]; 2], set: Self, place: u32) -> [[u8; EIGHT]; 2] {
        for (side, count) in tally.iter_mut().zip(set.count()) {
            side[place as usize] = count.min(u32::from(Network::MAX_COUNT)) as u8;
        }
        tally
    }

    #[inline(always)]
    fn counts(tally: [[u8; EIGHT]; 2]) -> [[u8; EIGHT]; 2] {
        tally
    }

    #[inline(always)]
    fn sums(layer: &Layer, inputs: &Inputs) -> Views {
        F::sums(layer, inputs)
    }
}
