//! The memory that a player has not freed.

/// Returns how many bytes of this process's heap are in use, modulo 2^32: for differences.
pub(super) fn in_use() -> u32 {
    // SAFETY: the call has no preconditions; it reads the allocator's statistics under its locks.
    let books = unsafe { libc::mallinfo() };
    // Large blocks are mapped and counted separately.
    books.uordblks.wrapping_add(books.hblkhd).cast_unsigned()
}
