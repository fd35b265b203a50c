//! One core for a thread and the processes that it calls in turn.
//!
//! Waking a process on another core, and being woken from there, takes longer than a quick call itself. On one core
//! both are a switch between processes. A process stays on its core from before it runs foreign code to its end:
//! libraries count the processors when they are loaded, and start as many threads. The calling thread leaves the core
//! when a call is not quick, so as not to interrupt the process there.

use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// The processors that a process may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cores {
    /// Those of its fork server.
    All,
    /// One, shared with the thread that starts it and that thread's other processes.
    One,
}

thread_local! {
    static SHARED: RefCell<Option<SharedCore>> = const { RefCell::new(None) };
}

/// The cores in use by the threads of this process: each takes another one while there are any.
static TAKEN: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// A core that this thread shares with processes.
struct SharedCore {
    number: usize,
    /// Where the thread could run before; `None` once it has left the core.
    thread: Option<CpuSet>,
    processes: Vec<Pid>,
}

/// Puts a process that runs no foreign code yet on the core of this thread, which stays there; does nothing if the
/// kernel refuses that, or if there is no other core.
pub(crate) fn join(process: Pid) {
    SHARED.with_borrow_mut(|shared| {
        if shared.is_none() {
            *shared = SharedCore::of_this_thread();
        }
        let Some(together) = shared else { return };
        if sched_setaffinity(Some(process), &only(together.number)).is_ok() {
            together.processes.push(process);
        } else if together.processes.is_empty() {
            *shared = None;
        }
    });
}

/// Notes that a process is about to end.
pub(crate) fn leave(process: Pid) {
    SHARED.with_borrow_mut(|shared| {
        let Some(together) = shared else { return };
        together.processes.retain(|&other| other != process);
        if together.processes.is_empty() {
            *shared = None;
        }
    });
}

/// Lets the thread run anywhere again, because a call takes long. Its processes stay.
pub(crate) fn part() {
    SHARED.with_borrow_mut(|shared| {
        if let Some(together) = shared {
            together.free_thread();
        }
    });
}

/// Returns the thread to the core that it left, for calls that are expected to be quick.
pub(crate) fn meet() {
    SHARED.with_borrow_mut(|shared| {
        if let Some(together) = shared
            && together.thread.is_none()
        {
            together.thread = keep_on(together.number);
        }
    });
}

impl SharedCore {
    /// Keeps this thread where it is, unless another thread has taken that core and there are others; `None` if it
    /// could not run anywhere else anyway.
    fn of_this_thread() -> Option<Self> {
        let thread = several()?;
        let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        let users = |core: usize| taken.iter().filter(|&&other| other == core).count();
        let here = sched_getcpu();
        let allowed = (0..CpuSet::MAX_CPU).filter(|&core| thread.is_set(core));
        let number = allowed.min_by_key(|&core| (users(core), core != here))?;
        let thread = Some(keep_on(number)?);
        taken.push(number);
        Some(Self { number, thread, processes: Vec::new() })
    }

    fn free_thread(&mut self) {
        if let Some(before) = self.thread.take() {
            // Only widens the thread's own choice: the kernel refuses that only if a core was taken away.
            let _ = sched_setaffinity(None, &before);
        }
    }
}

impl Drop for SharedCore {
    fn drop(&mut self) {
        self.free_thread();
        let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = taken.iter().position(|&core| core == self.number) {
            taken.swap_remove(place);
        }
    }
}

/// Returns where this thread can run, if that is on several cores.
fn several() -> Option<CpuSet> {
    sched_getaffinity(None).ok().filter(|allowed| allowed.count() > 1)
}

/// Keeps this thread on a core, and returns where it could run before.
fn keep_on(core: usize) -> Option<CpuSet> {
    let before = several()?;
    sched_setaffinity(None, &only(core)).ok().map(|()| before)
}

fn only(core: usize) -> CpuSet {
    let mut set = CpuSet::new();
    set.set(core);
    set
}
