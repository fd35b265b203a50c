use std::collections::HashSet;
use std::fs;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::time::Duration;
use std::{io, thread, vec};

use rustix::io::{Errno, retry_on_intr};
use rustix::net::{RecvFlags, SendFlags, send};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, getpid, kill_process, set_child_subreaper, waitid, waitpid,
};

use super::wire::{FORK, ProcessEnd, REQUEST_LEN, Reply};
use crate::child::{self, Prepare};
use crate::error::StepError;
use crate::handover;
use crate::lockdown::{Streams, Template};
use crate::memory::processes;

/// How many times leftover processes are killed before giving up: those that may not be killed, and others, which take
/// their time on a busy disk.
const REFUSED_SWEEPS: u32 = 200;
const SWEEPS: u32 = 2000;
const SWEEP_PAUSE: Duration = Duration::from_millis(5);

/// Serves until the server's end of the socket is closed, then ends all its children.
/// Fails when the socket fails, or a process is left that cannot be ended.
pub(crate) fn serve(socket: OwnedFd, prepare: Prepare) -> io::Result<()> {
    // A player's leftover processes become ours, not those of the system's init process.
    let reaper = set_child_subreaper(Some(getpid())).map_err(StepError::at("prctl(PR_SET_CHILD_SUBREAPER)"));
    // If this fails, each process reports it in its turn.
    let template = reaper.and_then(|()| Template::prepare());
    let mut forks = Forks { socket, prepare, template, alive: HashSet::new() };
    while let Some((request, descriptors)) = forks.receive()? {
        let reply = match request {
            FORK => forks.fork(descriptors),
            pid => forks.reap(pid),
        };
        retry_on_intr(|| send(&forks.socket, &reply.encode(), SendFlags::NOSIGNAL))?;
    }
    forks.alive.clear();
    forks.sweep().map_or(Ok(()), |pid| {
        Err(io::Error::other(format!("process {} cannot be ended: end it by hand", pid.as_raw_nonzero())))
    })
}

struct Forks {
    socket: OwnedFd,
    prepare: Prepare,
    template: Result<Template, StepError>,
    /// The forked processes not yet reaped.
    alive: HashSet<Pid>,
}

impl Forks {
    fn receive(&self) -> io::Result<Option<(i32, vec::IntoIter<OwnedFd>)>> {
        let mut bytes = [0; REQUEST_LEN];
        match handover::receive(&self.socket, &mut bytes, RecvFlags::empty())? {
            (0, _) => Ok(None),
            (REQUEST_LEN, descriptors) => Ok(Some((i32::from_le_bytes(bytes), descriptors))),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    fn fork(&mut self, mut descriptors: vec::IntoIter<OwnedFd>) -> Reply {
        let (Some(requests), Some(replies), Some(log)) = (descriptors.next(), descriptors.next(), descriptors.next())
        else {
            // The kernel drops those for which no number is left.
            return Reply::Failed(libc::EMFILE);
        };
        let streams = Streams { requests, replies, log, counter: descriptors.next() };
        let parent = getpid();
        // SAFETY: this process has one thread, so the child finds every lock and buffer in a consistent state.
        match unsafe { libc::fork() } {
            0 => child::run(self.prepare, &self.template, parent, streams),
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
        if self.alive.is_empty()
            && let Some(stray) = self.sweep()
        {
            return Reply::Left(stray.as_raw_nonzero().get());
        }
        let peak_bytes = u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024;
        if libc::WIFSIGNALED(status) {
            Reply::Ended(ProcessEnd::Killed { signal: libc::WTERMSIG(status), peak_bytes })
        } else {
            Reply::Ended(ProcessEnd::Exited { status: libc::WEXITSTATUS(status), peak_bytes })
        }
    }

    /// Ends every child that is not a process of a running game; returns one that could not be ended.
    fn sweep(&self) -> Option<Pid> {
        let mut left = None;
        for round in 0..SWEEPS {
            let strays = self.strays();
            left = strays.first().copied();
            if strays.is_empty() {
                break;
            }
            // A process that survives this is found again in the next round.
            let mut is_refused = false;
            for &pid in &strays {
                is_refused |= kill_process(pid, Signal::KILL) == Err(Errno::PERM);
            }
            if is_refused && round >= REFUSED_SWEEPS {
                break;
            }
            for &pid in &strays {
                let _ = waitpid(Some(pid), WaitOptions::NOHANG);
            }
            // We inherit their children once they are dead.
            thread::sleep(SWEEP_PAUSE);
        }
        left
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
    // Needs a kernel option; without it, check the parent of every process.
    if let Ok(list) = fs::read_to_string(format!("/proc/self/task/{own}/children")) {
        return list.split_ascii_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)).collect();
    }
    processes().filter(|(_, stat)| stat.parent == own.get()).map(|(child, _)| child).collect()
}
