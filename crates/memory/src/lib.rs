//! Memory for large tables, shared by threads or by the processes of a machine.
//!
//! ```
//! use std::sync::atomic::Ordering;
//! use amazons_memory::{Lines, prefetch};
//!
//! let table = Lines::zeroed(1 << 10).unwrap();
//! prefetch(&table[3]);
//! table[3].0[7].store(5, Ordering::Relaxed);
//! assert_eq!(table.iter().map(|line| line.0[7].load(Ordering::Relaxed)).sum::<u64>(), 5);
//! ```
#![warn(missing_docs)]

mod line_file;
mod lines;

pub use line_file::LineFile;
pub use lines::{CacheLine, Lines};

/// Starts fetching a value into the processor's cache, without waiting for it.
#[inline]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE is part of x86-64, and the address is that of a value.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
