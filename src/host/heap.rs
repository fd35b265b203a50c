//! The memory that a player has not given back.

/// Returns how many bytes of this process's heap are in use, modulo 2^32: for differences.
pub(super) fn in_use() -> u32 {
    // SAFETY: the call has no preconditions; it walks over the allocator's own books under its locks.
    let books = unsafe { libc::mallinfo() };
    // Large blocks are mapped and counted apart.
    books.uordblks.wrapping_add(books.hblkhd).cast_unsigned()
}
