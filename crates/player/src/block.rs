//! Blocks of the C library's `malloc`.

use std::mem::size_of;
use std::ptr::NonNull;

/// An array in its own block for C's `free`; freed on drop.
#[derive(Debug)]
pub(crate) struct Block<T: Copy>(NonNull<T>);

impl<T: Copy> Block<T> {
    /// Copies a slice; `None` when out of memory.
    pub(crate) fn copy_of(values: &[T]) -> Option<Self> {
        let block = Self::zeroed(values.len())?;
        let source = NonNull::from(values).cast();
        // SAFETY: `zeroed` made room for that many values, in a block not yet shared.
        unsafe { block.0.copy_from_nonoverlapping(source, values.len()) };
        Some(block)
    }

    /// Makes room for `len` zeroed values; `None` when out of memory.
    pub(crate) fn zeroed(len: usize) -> Option<Self> {
        // An empty block must not be NULL: players would take that for an error.
        // SAFETY: `calloc` may be called with any sizes, and checks their product.
        let start = unsafe { libc::calloc(len.max(1), size_of::<T>()) };
        NonNull::new(start.cast()).map(Self)
    }

    /// The first value's address.
    pub(crate) fn as_ptr(&self) -> *mut T {
        self.0.as_ptr()
    }
}

impl<T: Copy> Drop for Block<T> {
    fn drop(&mut self) {
        // SAFETY: the block came from `calloc`, and `self` is its only owner.
        unsafe { libc::free(self.0.as_ptr().cast()) };
    }
}
