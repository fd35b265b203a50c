//! Refusals of what a library asked for: the kernel tells us each time, and we answer in its place.

use std::cell::Cell;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::{mem, ptr};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::RecvFlags;

use super::confinement::{CallVerdict, Policy, Subject, Telling, Threads, Writing, program, verdict};
use super::handover;

/// The number of refusals answered before anything else is looked at.
const AT_ONCE: u32 = 64;

/// Something that a library asked for and did not get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Another thread.
    Thread,
    /// Another process.
    Process,
    /// To become a program.
    Program,
}

/// The refusals of a process.
#[derive(Debug)]
pub(crate) struct Refusals {
    listener: OwnedFd,
    policy: Policy,
    last: Cell<Option<Refusal>>,
}

fn policy(threads: u32, telling: Telling) -> Policy {
    let threads = if threads == 1 { Threads::One } else { Threads::Many };
    // Neither the process nor the files matter to what is told.
    Policy { own_pid: 0, subject: Subject::Player, threads, writing: Writing::Nothing, telling }
}

impl Refusals {
    /// Has this process's refusals told where the socket leads, and returns whether they are: some kernels and
    /// containers cannot.
    pub(crate) fn hand_over(socket: &OwnedFd, threads: u32) -> bool {
        listener(threads).is_some_and(|listener| handover::send(socket, &[0], &[listener.as_fd()]).is_ok())
    }

    /// Takes what the process handed over.
    pub(crate) fn receive(socket: &OwnedFd, threads: u32) -> Option<Self> {
        let listener = handover::receive(socket, &mut [0], RecvFlags::DONTWAIT).ok()?.1.next()?;
        Some(Self { listener, policy: policy(threads, Telling::Silent), last: Cell::new(None) })
    }

    /// Becomes readable when the process waits for an answer.
    pub(crate) fn descriptor(&self) -> BorrowedFd<'_> {
        self.listener.as_fd()
    }

    /// Forgets what was refused before.
    pub(crate) fn begin(&self) {
        self.last.set(None);
    }

    /// Returns the last refusal since [`Refusals::begin`].
    pub(crate) fn last(&self) -> Option<Refusal> {
        self.last.get()
    }

    /// Answers all that wait.
    pub(crate) fn answer(&self) {
        let mut waits = [PollFd::new(&self.listener, PollFlags::IN)];
        for _ in 0..AT_ONCE {
            let polled = poll(&mut waits, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
            // SAFETY: zeros are a valid message, and what the kernel asks for.
            let mut asked: libc::seccomp_notif = unsafe { mem::zeroed() };
            if polled != Ok(1) || !waits[0].revents().contains(PollFlags::IN) {
                return;
            }
            // A signal may have interrupted it meanwhile: then it asks again.
            // SAFETY: the kernel writes one message.
            if unsafe { libc::ioctl(self.listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut asked) } != 0 {
                continue;
            }
            let number = asked.data.nr.cast_unsigned();
            let CallVerdict::Refused(error) = verdict(&self.policy, number, &asked.data.args) else { return };
            self.last.set(Some(match i64::from(asked.data.nr) {
                libc::SYS_execve | libc::SYS_execveat => Refusal::Program,
                libc::SYS_clone if error == libc::EAGAIN => Refusal::Thread,
                _ => Refusal::Process,
            }));
            let answer = libc::seccomp_notif_resp { id: asked.id, val: 0, error: -error, flags: 0 };
            // SAFETY: the kernel reads one message. Whoever is gone needs none.
            unsafe { libc::ioctl(self.listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw const answer) };
        }
    }
}

/// Installs the filter that tells, and returns where it does.
fn listener(threads: u32) -> Option<OwnedFd> {
    rustix::thread::set_no_new_privs(true).ok()?;
    let filter = program(&policy(threads, Telling::Teller));
    let program =
        libc::sock_fprog { len: u16::try_from(filter.len()).ok()?, filter: filter.as_ptr().cast_mut().cast() };
    let flags = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
    // SAFETY: the program is valid during the call, which only reads it.
    let fd = unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, ptr::from_ref(&program)) };
    let fd = RawFd::try_from(fd).ok().filter(|&fd| fd >= 0)?;
    // SAFETY: the kernel has just opened this descriptor for us.
    Some(unsafe { OwnedFd::from_raw_fd(fd) })
}
