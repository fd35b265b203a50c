use crate::layer::{Inputs, Layer, Views};

/// A CPU level for which loops over sets in memory are compiled.
pub trait Loops: Copy {
    /// Runs a loop that writes to one place and reads from another.
    /// In a separate function, the compiler vectorises the loop instead of unrolling hundreds of rows at each use.
    /// Reference arguments promise that the places do not overlap.
    fn run<T, U>(to: &mut T, from: &U, work: impl FnOnce(&mut T, &U));
    /// As [`Layer::sums`].
    fn sums(layer: &Layer, inputs: &Inputs) -> Views;
}

/// Loops for every CPU.
#[derive(Clone, Copy, Debug)]
pub struct Base;

impl Loops for Base {
    #[inline(always)]
    fn run<T, U>(to: &mut T, from: &U, work: impl FnOnce(&mut T, &U)) {
        #[inline(never)]
        fn run<T, U>(to: &mut T, from: &U, work: impl FnOnce(&mut T, &U)) {
            work(to, from);
        }
        // The rows of the smallest layout are few instructions.
        if size_of::<T>().max(size_of::<U>()) <= 64 { work(to, from) } else { run(to, from, work) }
    }

    #[inline(always)]
    fn sums(layer: &Layer, inputs: &Inputs) -> Views {
        // Every CPU of this kind has these.
        #[cfg(target_arch = "x86_64")]
        return super::network::sums::<std::arch::x86_64::__m128i>(layer, inputs);
        #[cfg(not(target_arch = "x86_64"))]
        return layer.sums(inputs);
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{V3, V4};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__m256i, __m512i};

    use super::{Inputs, Layer, Loops, Views};
    use crate::simd::network;

    macro_rules! loops {
        ($(#[$doc:meta])* $loops:ident, $register:ty, $features:literal) => {
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub struct $loops;

            impl Loops for $loops {
                #[inline(always)]
                fn run<T, U>(to: &mut T, from: &U, work: impl FnOnce(&mut T, &U)) {
                    #[inline(never)]
                    #[target_feature(enable = $features)]
                    fn run<T, U>(to: &mut T, from: &U, work: impl FnOnce(&mut T, &U)) {
                        work(to, from);
                    }
                    // SAFETY: only `dispatch` leads here, and with this type only if the CPU has the features that the
                    // function enables.
                    unsafe { run(to, from, work) }
                }

                #[inline(always)]
                fn sums(layer: &Layer, inputs: &Inputs) -> Views {
                    network::sums::<$register>(layer, inputs)
                }
            }
        };
    }

    loops!(
        /// Loops for CPUs with AVX2. Named only in code entered after AVX2 was detected.
        V3,
        __m256i,
        "avx2,popcnt,bmi1,bmi2"
    );
    loops!(
        /// Loops for CPUs with AVX-512. Named only in code entered after AVX-512 was detected.
        V4,
        __m512i,
        "avx2,popcnt,bmi1,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512bitalg,avx512vpopcntdq"
    );
}
