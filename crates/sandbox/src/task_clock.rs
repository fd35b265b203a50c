//! The kernel's own count of the processor time of a process and all its descendants.

use std::os::fd::{AsFd, FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

use rustix::net::RecvFlags;

use super::handover;
use super::time::own_time;

/// See perf_event_open(2): a software counter of the kernel, not one of the processor.
const TYPE_SOFTWARE: u64 = 1;
const TASK_CLOCK: u64 = 1;
/// The length of the first version of the structure, which is all that is needed here.
const ATTRIBUTES_LEN: u64 = 64;
/// Also counts children, even after their end, whether or not anything waits for them.
const INHERIT: u64 = 1 << 1;
/// The only counters open to users without privileges; a clock goes on in the kernel all the same.
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
const CLOSE_ON_EXEC: libc::c_ulong = 1 << 3;

/// The processor time of a process and its descendants.
///
/// A process that executes a file it may not read leaves the count, and so do its later children.
#[derive(Debug)]
pub(crate) struct TaskClock {
    counter: OwnedFd,
    /// The time of the process when the count began.
    before: Duration,
}

impl TaskClock {
    /// Counts this process and sends the counter to the parent; does nothing where the kernel has no such counters or
    /// reserves them for root.
    ///
    /// Only the process itself may do this without root's rights: others may not look into it.
    pub(crate) fn hand_over(socket: &OwnedFd) {
        if let Some(counter) = open() {
            let before = u64::try_from(own_time().as_nanos()).unwrap_or(0);
            // A counter that does not arrive simply counts as missing.
            let _ = handover::send(socket, &before.to_ne_bytes(), &[counter.as_fd()]);
        }
    }

    /// Takes the counter sent by the process.
    pub(crate) fn receive(socket: &OwnedFd) -> Option<Self> {
        let mut before = [0; 8];
        let counter = handover::receive(socket, &mut before, RecvFlags::DONTWAIT).ok()?.1.next()?;
        Some(Self { counter, before: Duration::from_nanos(u64::from_ne_bytes(before)) })
    }

    pub(crate) fn read(&self) -> Option<Duration> {
        let mut bytes = [0; 8];
        let read = rustix::io::read(&self.counter, &mut bytes);
        (read == Ok(bytes.len())).then(|| self.before + Duration::from_nanos(u64::from_ne_bytes(bytes)))
    }
}

/// Opens a counter of this process.
fn open() -> Option<OwnedFd> {
    let flags = INHERIT | EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR;
    let attributes: [u64; 8] = [TYPE_SOFTWARE | ATTRIBUTES_LEN << 32, TASK_CLOCK, 0, 0, 0, flags, 0, 0];
    let (this_process, any_processor, no_group): (libc::pid_t, libc::c_int, libc::c_int) = (0, -1, -1);
    let name = libc::SYS_perf_event_open;
    // SAFETY: the kernel reads as many bytes of the structure as the structure says, which are there.
    let fd = unsafe { libc::syscall(name, attributes.as_ptr(), this_process, any_processor, no_group, CLOSE_ON_EXEC) };
    let fd = RawFd::try_from(fd).ok().filter(|&fd| fd >= 0)?;
    // SAFETY: the kernel has just opened this descriptor for us.
    Some(unsafe { OwnedFd::from_raw_fd(fd) })
}
