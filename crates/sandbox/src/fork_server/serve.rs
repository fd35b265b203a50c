use std::collections::HashSet;
use std::fs;
use std::io::IoSliceMut;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::time::Duration;
use std::{io, thread};

use rustix::io::retry_on_intr;
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendFlags, recvmsg, send};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, getpid, kill_process, set_child_subreaper, waitid, waitpid,
};

use super::wire::{FORK, FORK_FDS, ProcessEnd, REQUEST_LEN, Reply};
use crate::child::{self, Prepare};
use crate::lockdown::{Streams, Template};
use crate::memory::processes;

/// How many times leftover processes are killed before giving up.
const SWEEPS: u32 = 200;
const SWEEP_PAUSE: Duration = Duration::from_millis(5);

/// Serves until the server's end of the socket is closed, then ends all its children.
///
/// # Errors
/// When this process cannot be prepared or the socket fails.
pub(crate) fn serve(socket: OwnedFd, prepare: Prepare) -> io::Result<()> {
    // A player's leftover processes become ours, not those of the system's first process.
    set_child_subreaper(Some(getpid()))?;
    let mut forks = Forks { socket, prepare, template: Template::prepare()?, alive: HashSet::new() };
    while let Some((request, descriptors)) = forks.receive()? {
        let reply = match request {
            FORK => forks.fork(descriptors),
            pid => forks.reap(pid),
        };
        retry_on_intr(|| send(&forks.socket, &reply.encode(), SendFlags::NOSIGNAL))?;
    }
    forks.alive.clear();
    forks.sweep();
    Ok(())
}

struct Forks {
    socket: OwnedFd,
    prepare: Prepare,
    template: Template,
    /// The forked processes not yet reaped.
    alive: HashSet<Pid>,
}

impl Forks {
    fn receive(&self) -> io::Result<Option<(i32, Vec<OwnedFd>)>> {
        let mut bytes = [0; REQUEST_LEN];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FORK_FDS))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let received = retry_on_intr(|| {
            recvmsg(&self.socket, &mut [IoSliceMut::new(&mut bytes)], &mut control, RecvFlags::CMSG_CLOEXEC)
        })?
        .bytes;
        if received == 0 {
            return Ok(None);
        }
        let mut descriptors = Vec::new();
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(rights) = message {
                descriptors.extend(rights);
            }
        }
        if received != REQUEST_LEN {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(Some((i32::from_le_bytes(bytes), descriptors)))
    }

    fn fork(&mut self, descriptors: Vec<OwnedFd>) -> Reply {
        let Ok([requests, replies, log]) = <[OwnedFd; FORK_FDS]>::try_from(descriptors) else {
            return Reply::Failed(libc::EINVAL);
        };
        let parent = getpid();
        // SAFETY: this process has one thread, so the child finds every lock and buffer in a consistent state.
        match unsafe { libc::fork() } {
            0 => child::run(self.prepare, &self.template, parent, Streams { requests, replies, log }),
            -1 => Reply::Failed(io::Error::last_os_error().raw_os_error().unwrap_or(libc::EAGAIN)),
            pid => {
                self.alive.extend(Pid::from_raw(pid));
                Reply::Forked(pid)
            }
        }
    }

    fn reap(&mut self, pid: i32) -> Reply {
        let Some(process) = Pid::from_raw(pid).filter(|process| self.alive.contains(process)) else {
            return Reply::NotYet;
        };
        let mut status = 0;
        let mut usage = MaybeUninit::<libc::rusage>::uninit();
        // SAFETY: both results are valid for writes; the process is a child not yet reaped.
        if unsafe { libc::wait4(pid, &raw mut status, libc::WNOHANG, usage.as_mut_ptr()) } != pid {
            return Reply::NotYet;
        }
        // SAFETY: the call succeeded, so the usage was written.
        let usage = unsafe { usage.assume_init() };
        self.alive.remove(&process);
        if self.alive.is_empty() {
            self.sweep();
        }
        let peak_bytes = u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024;
        if libc::WIFSIGNALED(status) {
            Reply::Ended(ProcessEnd::Killed { signal: libc::WTERMSIG(status), peak_bytes })
        } else {
            Reply::Ended(ProcessEnd::Exited { status: libc::WEXITSTATUS(status), peak_bytes })
        }
    }

    /// Ends every child that is not a process of a running game.
    fn sweep(&self) {
        for _ in 0..SWEEPS {
            let strays = self.strays();
            if strays.is_empty() {
                return;
            }
            for &pid in &strays {
                let _ = kill_process(pid, Signal::KILL);
            }
            for &pid in &strays {
                let _ = waitpid(Some(pid), WaitOptions::NOHANG);
            }
            // We inherit their own children once they are dead.
            thread::sleep(SWEEP_PAUSE);
        }
    }

    fn strays(&self) -> Vec<Pid> {
        // This changes nothing; it only fails if there are no children.
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if self.alive.is_empty() && waitid(WaitId::All, look).is_err() {
            return Vec::new();
        }
        children().into_iter().filter(|pid| !self.alive.contains(pid)).collect()
    }
}

/// Lists the children of this process.
fn children() -> Vec<Pid> {
    let own = getpid().as_raw_nonzero();
    // A kernel option; without it, check the parent of every process.
    if let Ok(list) = fs::read_to_string(format!("/proc/self/task/{own}/children")) {
        return list.split_ascii_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)).collect();
    }
    processes().filter(|(_, stat)| stat.parent == own.get()).map(|(child, _)| child).collect()
}
