//! The kernel's own count of what a process and all its descendants compute.

use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

use rustix::process::Pid;

/// See perf_event_open(2): a counter of the kernel's software, without those of the processor.
const TYPE_SOFTWARE: u64 = 1;
const TASK_CLOCK: u64 = 1;
/// The length of the first version of the structure, which says all that is needed here.
const ATTRIBUTES_LEN: u64 = 64;
/// Children are counted as well, also after their end, whether or not anything waits for them.
const INHERIT: u64 = 1 << 1;
/// Users without privileges may ask for no more; a clock runs on in the kernel all the same.
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
const CLOSE_ON_EXEC: libc::c_ulong = 1 << 3;

/// The processor time of a process and its descendants from a moment on.
///
/// A process that runs a file that it may not read leaves the count, and so do its later children.
#[derive(Debug)]
pub(crate) struct TaskClock(OwnedFd);

impl TaskClock {
    /// Begins to count; `None` where the kernel has no such counters, or keeps them for others.
    pub(crate) fn start(pid: Pid) -> Option<Self> {
        let flags = INHERIT | EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR;
        let attributes: [u64; 8] = [TYPE_SOFTWARE | ATTRIBUTES_LEN << 32, TASK_CLOCK, 0, 0, 0, flags, 0, 0];
        let (any_processor, no_group): (libc::c_int, libc::c_int) = (-1, -1);
        let (name, pid) = (libc::SYS_perf_event_open, pid.as_raw_nonzero().get());
        // SAFETY: the kernel reads as many bytes of the structure as the structure says, which are there.
        let fd = unsafe { libc::syscall(name, attributes.as_ptr(), pid, any_processor, no_group, CLOSE_ON_EXEC) };
        let fd = RawFd::try_from(fd).ok().filter(|&fd| fd >= 0)?;
        // SAFETY: the kernel has just opened this descriptor for us.
        let clock = Self(unsafe { OwnedFd::from_raw_fd(fd) });
        clock.read().map(|_| clock)
    }

    pub(crate) fn read(&self) -> Option<Duration> {
        let mut bytes = [0; 8];
        let read = rustix::io::read(&self.0, &mut bytes);
        (read == Ok(bytes.len())).then(|| Duration::from_nanos(u64::from_ne_bytes(bytes)))
    }
}
