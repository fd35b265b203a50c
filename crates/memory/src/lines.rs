use std::fmt;
use std::io;
use std::ops::Deref;
use std::os::fd::OwnedFd;
use std::ptr::{self, NonNull};
use std::slice;
use std::sync::atomic::AtomicU64;

use rustix::mm::{Advice, MapFlags, ProtFlags};

/// A cache line of words, which the processor fetches at once.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct CacheLine(pub [AtomicU64; 8]);

/// A fixed number of lines, on huge pages where the system has them, or in a [`LineFile`](crate::LineFile).
///
/// With ordinary pages of 4 KiB a large table is slow: the processor looks up the page on nearly every access.
pub struct Lines {
    first: NonNull<CacheLine>,
    number: usize,
}

// SAFETY: the mapping belongs to this value alone.
unsafe impl Send for Lines {}
// SAFETY: a shared reference gives access to atomic words only.
unsafe impl Sync for Lines {}

impl Lines {
    /// Reserves lines of zeros. The system provides a page when it is first used.
    pub fn zeroed(number: usize) -> io::Result<Self> {
        let bytes = number.max(1).checked_mul(size_of::<CacheLine>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let (access, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE | MapFlags::NORESERVE);
        // SAFETY: a new mapping, at an address that the system chooses.
        let start = unsafe { rustix::mm::mmap_anonymous(ptr::null_mut(), bytes, access, flags) }?;
        // Huge pages are optional.
        // SAFETY: the range is the new mapping, and this advice changes no contents.
        let _ = unsafe { rustix::mm::madvise(start, bytes, Advice::LinuxHugepage) };
        let first = NonNull::new(start.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { first, number })
    }

    /// Maps at least one line of a file that never shrinks, from a byte on where a page begins.
    pub(crate) fn of_file(file: &OwnedFd, offset: u64, number: usize) -> io::Result<Self> {
        let bytes = number.checked_mul(size_of::<CacheLine>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping, at an address that the system chooses.
        let start = unsafe { rustix::mm::mmap(ptr::null_mut(), bytes, access, MapFlags::SHARED, file, offset) }?;
        let first = NonNull::new(start.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { first, number })
    }
}

impl Deref for Lines {
    type Target = [CacheLine];

    #[inline]
    fn deref(&self) -> &[CacheLine] {
        // SAFETY: the mapping is aligned to a page, has this many lines and lives as long as this; any bits are words, and
        // other processes write whole words, too.
        unsafe { slice::from_raw_parts(self.first.as_ptr(), self.number) }
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        let bytes = self.number.max(1) * size_of::<CacheLine>();
        // SAFETY: nothing borrows the mapping any more. A failure leaves it mapped, which harms nothing.
        let _ = unsafe { rustix::mm::munmap(self.first.as_ptr().cast(), bytes) };
    }
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("number", &self.number).finish_non_exhaustive()
    }
}
