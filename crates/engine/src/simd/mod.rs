//! Row operations on sets of cells, and the choice of instruction set.
//!
//! The generic code is written once against [`Sets`]. A [`Task`] is a piece of it, fully inlined into one entry
//! function per instruction set; only then may the compiler use the instructions. This is the crate's only module with
//! unsafe code: the calls of those functions, and the instructions themselves.

/// One vector instruction.
#[cfg(target_arch = "x86_64")]
macro_rules! instruction {
    ($call:expr) => {{
        // SAFETY: only `dispatch` leads to code with vector instructions, and names its types only where the CPU has
        // the features that the function there enables; memory operands are references to whole vectors.
        unsafe { $call }
    }};
}

/// Inlined one-expression methods whose other arguments and result have the type itself.
macro_rules! inlined {
    ($($name:ident $(<$(const $number:ident: $type:ty),*>)?($($own:ident $(, $other:ident)*)?) = $result:expr;)*) => {$(
        #[inline(always)]
        fn $name$(<$(const $number: $type),*>)?($($own $(, $other: Self)*)?) -> Self {
            $result
        }
    )*};
}

mod layout;
mod loops;
mod narrow;
mod plain;
mod sets;
mod word;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512_together;
#[cfg(target_arch = "x86_64")]
mod narrow_avx;
#[cfg(target_arch = "x86_64")]
mod network;
#[cfg(target_arch = "x86_64")]
mod registers;
#[cfg(target_arch = "x86_64")]
mod sides;

pub(crate) use narrow::NARROW;
pub use sets::Layout;
pub(crate) use sets::{Family, Sets, Weight};
pub(crate) use word::Word;

/// A set of instructions that this CPU has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Isa {
    /// The instructions of every CPU.
    pub const PORTABLE: Self = Self(Kind::Portable);

    /// Returns the fastest one.
    #[must_use]
    pub fn best() -> Self {
        Self::available()[0]
    }

    /// Returns all that this CPU has, fastest first; the last is the portable one.
    #[must_use]
    pub fn available() -> Vec<Self> {
        let mut found = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2");
            let avx512 = avx2
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi2")
                && is_x86_feature_detected!("avx512vnni")
                && is_x86_feature_detected!("avx512bitalg")
                && is_x86_feature_detected!("avx512vpopcntdq");
            found.extend(avx512.then_some(Self(Kind::Avx512)));
            found.extend(avx2.then_some(Self(Kind::Avx2)));
        }
        found.push(Self::PORTABLE);
        found
    }

    /// Returns the name as CPU makers write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "AVX-512",
        }
    }
}

/// Generic code to run with one instruction set.
///
/// `run` and all that it calls must be `#[inline(always)]`: anything not inlined is compiled without the instructions.
/// Nor may vectors go through a standard library function with a closure, such as `map` of arrays: each instruction in
/// it may become a call.
pub(crate) trait Task<L: Layout> {
    /// The result.
    type Output;

    /// Does the work.
    fn run<S: Sets<Layout = L>>(self) -> Self::Output;
}

/// Runs a task.
#[inline(always)]
pub(crate) fn dispatch<F: Family, T: Task<F::Layout>>(isa: Isa, task: T) -> T::Output {
    match isa.0 {
        Kind::Portable => portable::<F, T>(task),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: an `Isa` of this kind is only made where the CPU has the instructions.
        Kind::Avx2 => unsafe { avx2::<F, T>(task) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: an `Isa` of this kind is only made where the CPU has the instructions.
        Kind::Avx512 => unsafe { avx512::<F, T>(task) },
    }
}

/// Not inlined, so that the choice between the three stays small and is inlined.
#[inline(never)]
fn portable<F: Family, T: Task<F::Layout>>(task: T) -> T::Output {
    task.run::<F::Portable>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn avx2<F: Family, T: Task<F::Layout>>(task: T) -> T::Output {
    task.run::<F::Avx2>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,avx512f,avx512bw,avx512dq,avx512vl")]
#[target_feature(enable = "avx512vbmi2,avx512vnni,avx512bitalg,avx512vpopcntdq")]
fn avx512<F: Family, T: Task<F::Layout>>(task: T) -> T::Output {
    task.run::<F::Avx512>()
}
