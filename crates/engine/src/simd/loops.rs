use amazons_rules::Step;

use super::Word;
use crate::layer::{Counts, Layer, Views};

/// The rows of the two sets.
pub(super) type Pair<W, const N: usize> = [[W; N]; 2];

/// Operations on sets in memory.
///
/// They are functions and not inlined: the compiler makes vector loops of them, where it would spell out hundreds of
/// rows in every place that they are used in.
pub trait Loops: Copy {
    /// Keeps the cells that are in the other set.
    fn and<W: Word, const N: usize>(set: &mut Pair<W, N>, other: &Pair<W, N>);
    /// Adds the cells of the other set.
    fn or<W: Word, const N: usize>(set: &mut Pair<W, N>, other: &Pair<W, N>);
    /// Keeps or adds the cells that are in one set alone.
    fn xor<W: Word, const N: usize>(set: &mut Pair<W, N>, other: &Pair<W, N>);
    /// Keeps the cells that are not in the other set.
    fn without<W: Word, const N: usize>(set: &mut Pair<W, N>, other: &Pair<W, N>);
    /// Adds rows as numbers.
    fn plus<W: Word, const N: usize>(set: &mut Pair<W, N>, other: &Pair<W, N>);
    /// Shifts towards higher columns.
    fn right<W: Word, const N: usize>(set: &mut Pair<W, N>, columns: u32);
    /// Shifts towards lower columns.
    fn left<W: Word, const N: usize>(set: &mut Pair<W, N>, columns: u32);
    /// Rolls each row towards higher columns by its number times the factor.
    fn lean<W: Word, const N: usize>(set: &mut Pair<W, N>, factor: u32);
    /// Counts the cells of each set.
    fn count<W: Word, const N: usize>(set: &Pair<W, N>) -> [u32; 2];
    /// Does what [`Layer::judge`] does.
    fn judge(layer: &Layer, due: Step, counts: &Counts, outputs: &Views) -> i64;
}

/// Loops for every CPU.
#[derive(Clone, Copy, Debug)]
pub struct Base;

/// Loops for CPUs with AVX2. Named only by code that was entered after the CPU had been found to have it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct V3;

/// Loops for CPUs with AVX-512. Named only by code that was entered after the CPU had been found to have it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct V4;

macro_rules! loops {
    ($module:ident $(, $features:literal)?) => {
        mod $module {
            use super::{Pair, Word};

            loops!(zip and, |row, other| row.and(other) $(, $features)?);
            loops!(zip or, |row, other| row.or(other) $(, $features)?);
            loops!(zip xor, |row, other| row.xor(other) $(, $features)?);
            loops!(zip without, |row, other| row.and(other.not()) $(, $features)?);
            loops!(zip plus, |row, other| row.plus(other) $(, $features)?);
            loops!(each right, |row, columns, _number| row.higher(columns) $(, $features)?);
            loops!(each left, |row, columns, _number| row.lower(columns) $(, $features)?);
            loops!(each lean, |row, factor, number| row.turned(number * factor % W::COLUMNS) $(, $features)?);

            #[inline(never)]
            $(#[target_feature(enable = $features)])?
            pub(super) fn count<W: Word, const N: usize>(set: &Pair<W, N>) -> [u32; 2] {
                let mut counts = [0; 2];
                for (count, rows) in counts.iter_mut().zip(set) {
                    for row in rows {
                        *count += row.count();
                    }
                }
                counts
            }
        }
    };
    (zip $name:ident, |$row:ident, $other:ident| $result:expr $(, $features:literal)?) => {
        #[inline(never)]
        $(#[target_feature(enable = $features)])?
        pub(super) fn $name<W: Word, const N: usize>(set: &mut Pair<W, N>, other: &Pair<W, N>) {
            for (row, &$other) in set.as_flattened_mut().iter_mut().zip(other.as_flattened()) {
                let $row = *row;
                *row = $result;
            }
        }
    };
    (each $name:ident, |$row:ident, $by:ident, $number:ident| $result:expr $(, $features:literal)?) => {
        #[inline(never)]
        $(#[target_feature(enable = $features)])?
        pub(super) fn $name<W: Word, const N: usize>(set: &mut Pair<W, N>, $by: u32) {
            for rows in set {
                for ($number, row) in (0u32..).zip(rows) {
                    let $row = *row;
                    *row = $result;
                }
            }
        }
    };
}

loops!(base);
#[cfg(target_arch = "x86_64")]
loops!(v3, "avx2,popcnt,bmi1,bmi2");
#[cfg(target_arch = "x86_64")]
loops!(v4, "avx2,popcnt,bmi1,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512bitalg,avx512vpopcntdq");

macro_rules! implement {
    ($loops:ident, $module:ident, $call:ident, $judge:path) => {
        impl Loops for $loops {
            #[inline(always)]
            fn and<W: Word, const N: usize>(set: &mut Pair<W, N>, other: &Pair<W, N>) {
                $call!($module::and(set, other));
            }
            #[inline(always)]
            fn or<W: Word, const N: usize>(set: &mut Pair<W, N>, other: &Pair<W, N>) {
                $call!($module::or(set, other));
            }
            #[inline(always)]
            fn xor<W: Word, const N: usize>(set: &mut Pair<W, N>, other: &Pair<W, N>) {
                $call!($module::xor(set, other));
            }
            #[inline(always)]
            fn without<W: Word, const N: usize>(set: &mut Pair<W, N>, other: &Pair<W, N>) {
                $call!($module::without(set, other));
            }
            #[inline(always)]
            fn plus<W: Word, const N: usize>(set: &mut Pair<W, N>, other: &Pair<W, N>) {
                $call!($module::plus(set, other));
            }
            #[inline(always)]
            fn right<W: Word, const N: usize>(set: &mut Pair<W, N>, columns: u32) {
                $call!($module::right(set, columns));
            }
            #[inline(always)]
            fn left<W: Word, const N: usize>(set: &mut Pair<W, N>, columns: u32) {
                $call!($module::left(set, columns));
            }
            #[inline(always)]
            fn lean<W: Word, const N: usize>(set: &mut Pair<W, N>, factor: u32) {
                $call!($module::lean(set, factor));
            }
            #[inline(always)]
            fn count<W: Word, const N: usize>(set: &Pair<W, N>) -> [u32; 2] {
                $call!($module::count(set))
            }
            #[inline(always)]
            fn judge(layer: &Layer, due: Step, counts: &Counts, outputs: &Views) -> i64 {
                $judge(layer, due, counts, outputs)
            }
        }
    };
}

macro_rules! plainly {
    ($call:expr) => {
        $call
    };
}

implement!(Base, base, plainly, Layer::judge);

#[cfg(target_arch = "x86_64")]
macro_rules! with_features {
    ($call:expr) => {{
        // SAFETY: only `dispatch` leads here, and with this type only where the CPU has what the function enables.
        unsafe { $call }
    }};
}

#[cfg(target_arch = "x86_64")]
implement!(V3, v3, with_features, super::avx2_layer::judge);
#[cfg(target_arch = "x86_64")]
implement!(V4, v4, with_features, super::avx512_layer::judge);
