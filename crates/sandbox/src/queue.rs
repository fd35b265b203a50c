//! The time that the threads of a process wait for a processor.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::Pid;

/// The waiting of a process's threads from the first look on; nothing where the kernel does not tell.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    /// Those that have ended, too: the kernel forgets what they waited.
    threads: BTreeMap<u32, Thread>,
    last_look: Option<Instant>,
}

/// A thread as it was last seen.
#[derive(Clone, Copy, Debug)]
struct Thread {
    /// The time that it had waited before.
    before: Duration,
    /// The kernel's last figures.
    told: Told,
    /// The time that it has waited since, which the kernel has not reported yet.
    open: Duration,
}

/// Time on a processor, and time in the queue for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Told {
    computed: Duration,
    queued: Duration,
}

impl Queue {
    /// Looks at the threads. A wait that lasts is told by the kernel when it is over, so until then it is guessed: a
    /// thread that could run and has not run since the last look has waited.
    pub(crate) fn look(&mut self, pid: Pid) {
        let now = Instant::now();
        let passed = self.last_look.replace(now).map(|last| now - last);
        for (id, path) in threads_of(pid) {
            let Some(told) = told(&path) else { continue };
            let known = self.threads.get(&id).copied();
            let thread = match known {
                Some(known) if known.told == told && is_ready(&path) => {
                    Thread { open: known.open + passed.unwrap_or_default(), ..known }
                }
                Some(known) => Thread { told, open: Duration::ZERO, ..known },
                // It was there when the call began, or has begun since.
                None => {
                    let before = if passed.is_none() { told.queued } else { Duration::ZERO };
                    Thread { before, told, open: Duration::ZERO }
                }
            };
            self.threads.insert(id, thread);
        }
    }

    /// Returns how long all threads together have waited between the first look and the last one.
    pub(crate) fn waited(&self) -> Duration {
        let waited = |thread: &Thread| thread.told.queued.saturating_sub(thread.before) + thread.open;
        self.threads.values().map(waited).sum()
    }

    /// Whether it was looked at.
    pub(crate) const fn is_known(&self) -> bool {
        self.last_look.is_some()
    }
}

/// Returns whether a thread of a process runs or waits for a processor, and for nothing else.
pub(crate) fn is_runnable(pid: Pid) -> bool {
    threads_of(pid).any(|(_, path)| is_ready(&path))
}

fn threads_of(pid: Pid) -> impl Iterator<Item = (u32, PathBuf)> {
    let threads = fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero())).into_iter().flatten().flatten();
    threads.filter_map(|thread| Some((thread.file_name().to_str()?.parse().ok()?, thread.path())))
}

fn told(thread: &Path) -> Option<Told> {
    let text = fs::read_to_string(thread.join("schedstat")).ok()?;
    let mut times = text.split_whitespace().map(|time| time.parse().ok().map(Duration::from_nanos));
    Some(Told { computed: times.next()??, queued: times.next()?? })
}

fn is_ready(thread: &Path) -> bool {
    let stat = fs::read_to_string(thread.join("stat")).unwrap_or_default();
    // The state follows the name, which may contain anything.
    stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('R'))
}
