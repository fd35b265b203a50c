//! One core for a thread and the processes that it calls by turns, as long as their calls are quick.
//!
//! To wake a process on another core, and to be woken from there, takes longer than a quick call itself. On one core
//! both are a switch from one process to the other. A call that is not quick ends it: whatever else runs on that core,
//! nothing waits for it any longer.

use std::cell::RefCell;

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

thread_local! {
    static SHARED: RefCell<Option<SharedCore>> = const { RefCell::new(None) };
}

/// A core that this thread shares with processes.
struct SharedCore {
    core: CpuSet,
    /// Where the thread could run before, and each process.
    thread: CpuSet,
    processes: Vec<(Pid, CpuSet)>,
}

/// Puts a confined process on the core of this thread, which stays there; does nothing where the kernel refuses that, or
/// where there is no other core.
pub(crate) fn join(process: Pid) {
    SHARED.with_borrow_mut(|shared| {
        if shared.is_none() {
            *shared = SharedCore::of_this_thread();
        }
        let Some(together) = shared else { return };
        // Only what can be undone: that takes the same rights, and the process's user does not change any more.
        let Ok(before) = sched_getaffinity(Some(process)) else { return };
        if sched_setaffinity(Some(process), &together.core).is_ok() {
            together.processes.push((process, before));
        } else if together.processes.is_empty() {
            part_from(shared);
        }
    });
}

/// A process is about to end.
pub(crate) fn leave(process: Pid) {
    SHARED.with_borrow_mut(|shared| {
        let Some(together) = shared else { return };
        together.processes.retain(|(other, _)| *other != process);
        if together.processes.is_empty() {
            part_from(shared);
        }
    });
}

/// A call takes long: the thread and its processes run wherever they could before.
pub(crate) fn part() {
    SHARED.with_borrow_mut(part_from);
}

fn part_from(shared: &mut Option<SharedCore>) {
    let Some(together) = shared.take() else { return };
    for (process, before) in together.processes {
        // It may be gone.
        let _ = sched_setaffinity(Some(process), &before);
    }
    let _ = sched_setaffinity(None, &together.thread);
}

impl SharedCore {
    /// Keeps this thread where it is; `None` if it could not run anywhere else anyway.
    fn of_this_thread() -> Option<Self> {
        let thread = sched_getaffinity(None).ok().filter(|allowed| allowed.count() > 1)?;
        let mut core = CpuSet::new();
        core.set(sched_getcpu());
        sched_setaffinity(None, &core).ok()?;
        Some(Self { core, thread, processes: Vec::new() })
    }
}
