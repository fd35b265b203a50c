use std::marker::PhantomData;

use amazons_rules::Step;

use super::loops::{Loops, Pair};
use super::{Layout, Sets, Weight, Word};
use crate::Network;
use crate::layer::{Counts, EIGHT, Layer, Views};

/// Sets in arrays: the reference of the other implementations, and the only one for boards of more than 32 rows.
#[derive(Clone, Copy, Debug)]
pub struct Plain<W, const N: usize, F> {
    rows: Pair<W, N>,
    loops: PhantomData<F>,
}

impl<W: Word, const N: usize, F: Loops> Plain<W, N, F> {
    #[inline(always)]
    const fn new(rows: Pair<W, N>) -> Self {
        Self { rows, loops: PhantomData }
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

    #[inline(always)]
    fn and(mut self, other: Self) -> Self {
        F::and(&mut self.rows, &other.rows);
        self
    }

    #[inline(always)]
    fn or(mut self, other: Self) -> Self {
        F::or(&mut self.rows, &other.rows);
        self
    }

    #[inline(always)]
    fn xor(mut self, other: Self) -> Self {
        F::xor(&mut self.rows, &other.rows);
        self
    }

    #[inline(always)]
    fn without(mut self, other: Self) -> Self {
        F::without(&mut self.rows, &other.rows);
        self
    }

    #[inline(always)]
    fn swap(self) -> Self {
        let [first, second] = self.rows;
        Self::new([second, first])
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.rows.as_flattened().iter().all(|&row| row == W::default())
    }

    #[inline(always)]
    fn plus(mut self, other: Self) -> Self {
        F::plus(&mut self.rows, &other.rows);
        self
    }

    #[inline(always)]
    fn right<const D: u32>(mut self) -> Self {
        F::right(&mut self.rows, D);
        self
    }

    #[inline(always)]
    fn left<const D: u32>(mut self) -> Self {
        F::left(&mut self.rows, D);
        self
    }

    #[inline(always)]
    fn down(self) -> Self {
        let mut result = self.roll_down::<1>();
        result.rows[0][0] = W::default();
        result.rows[1][0] = W::default();
        result
    }

    #[inline(always)]
    fn up(self) -> Self {
        let mut result = self.roll_up::<1>();
        result.rows[0][N - 1] = W::default();
        result.rows[1][N - 1] = W::default();
        result
    }

    #[inline(always)]
    fn roll_down<const D: usize>(self) -> Self {
        let mut result = self;
        for (rows, sources) in result.rows.iter_mut().zip(&self.rows) {
            rows[D..].copy_from_slice(&sources[..N - D]);
            rows[..D].copy_from_slice(&sources[N - D..]);
        }
        result
    }

    #[inline(always)]
    fn roll_up<const D: usize>(self) -> Self {
        let mut result = self;
        for (rows, sources) in result.rows.iter_mut().zip(&self.rows) {
            rows[..N - D].copy_from_slice(&sources[D..]);
            rows[N - D..].copy_from_slice(&sources[..D]);
        }
        result
    }

    #[inline(always)]
    fn lean_right(mut self) -> Self {
        F::lean(&mut self.rows, 1);
        self
    }

    #[inline(always)]
    fn lean_left(mut self) -> Self {
        // As many turns to the right as there are columns, less one, are a turn to the left.
        F::lean(&mut self.rows, W::COLUMNS - 1);
        self
    }

    #[inline(always)]
    fn zero() -> [i32; 2] {
        [0; 2]
    }

    #[inline(always)]
    fn weigh(sum: [i32; 2], set: Self, weight: Weight) -> [i32; 2] {
        let [first, second] = F::count(&set.rows).map(u32::cast_signed);
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
    fn tally(mut tally: [[u8; EIGHT]; 2], set: Self, place: usize) -> [[u8; EIGHT]; 2] {
        for (side, count) in tally.iter_mut().zip(F::count(&set.rows)) {
            side[place] = count.min(u32::from(Network::LARGEST_COUNT)) as u8;
        }
        tally
    }

    #[inline(always)]
    fn counts(tally: [[u8; EIGHT]; 2]) -> [[u8; EIGHT]; 2] {
        tally
    }

    #[inline(always)]
    fn judge(layer: &Layer, due: Step, counts: &Counts, outputs: &Views) -> i64 {
        F::judge(layer, due, counts, outputs)
    }
}
