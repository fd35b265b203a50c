//! Measures the largest single allocation of the tests.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static MAX: Cell<usize> = const { Cell::new(0) };
}

/// Runs a function and returns its largest single allocation.
pub(super) fn largest<T>(run: impl FnOnce() -> T) -> (T, usize) {
    MAX.set(0);
    let result = run();
    (result, MAX.get())
}

fn note(size: usize) {
    // A thread that ends may free its locals before its last allocation.
    let _ = MAX.try_with(|largest| largest.set(largest.get().max(size)));
}

struct Watched;

#[global_allocator]
static WATCHED: Watched = Watched;

// SAFETY: all the work is the system allocator's; noting a size allocates nothing.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: the caller's promise is what the system requires.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size);
        // SAFETY: as above; every block comes from the system.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above; every block comes from the system.
        unsafe { System.dealloc(block, layout) }
    }
}
