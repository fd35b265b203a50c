//! The time that a process's threads wait for a processor.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::process::Pid;

/// The waiting times of processes' threads in a call; empty where the kernel does not report them.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    /// Includes ended threads: the kernel forgets how long they waited.
    threads: BTreeMap<i32, Thread>,
    last_look: Option<Instant>,
}

/// A thread as it was last seen.
#[derive(Debug)]
struct Thread {
    path: PathBuf,
    /// Kept open, because opening it takes longer than reading it.
    file: File,
    /// How long it had waited when the call began.
    before: Duration,
    /// The kernel's last figures.
    told: Told,
    /// How long it has waited since, as far as the kernel has not reported it yet.
    open: Duration,
}

/// Time on a processor, and time in the run queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) computed: Duration,
    pub(crate) queued: Duration,
}

/// The threads to look at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Threads<'a> {
    /// The only thread of a process.
    Only(Pid),
    /// All threads of these processes.
    All(&'a [Pid]),
}

impl Threads<'_> {
    /// Lists each thread's number and folder.
    fn list(self) -> Vec<(i32, PathBuf)> {
        match self {
            Self::Only(pid) => vec![(pid.as_raw_nonzero().get(), format!("/proc/{}", pid.as_raw_nonzero()).into())],
            Self::All(processes) => processes.iter().copied().flat_map(threads_of).collect(),
        }
    }
}

impl Queue {
    /// Begins a call.
    pub(crate) fn begin(&mut self, threads: Threads<'_>) {
        self.last_look = Some(Instant::now());
        let is_known = match threads {
            Threads::Only(pid) => self.threads.contains_key(&pid.as_raw_nonzero().get()),
            Threads::All(_) => false,
        };
        if !is_known {
            let list = threads.list();
            self.threads.retain(|id, _| list.iter().any(|(other, _)| id == other));
            for (id, path) in list {
                self.add(id, path);
            }
        }
        self.threads.retain(|_, thread| {
            let Some(told) = told(&thread.file) else { return false };
            (thread.before, thread.told, thread.open) = (told.queued, told, Duration::ZERO);
            true
        });
    }

    /// Adds a thread that started during the call.
    fn add(&mut self, id: i32, path: PathBuf) {
        let Ok(file) = File::open(path.join("schedstat")) else { return };
        let Some(told) = told(&file) else { return };
        self.threads.entry(id).or_insert(Thread { path, file, before: Duration::ZERO, told, open: Duration::ZERO });
    }

    /// Updates the threads. The kernel reports a wait only when it is over, so until then it is estimated: a thread
    /// that could run and has not run since the last look has waited.
    pub(crate) fn look(&mut self, threads: Threads<'_>) {
        let now = Instant::now();
        let passed = self.last_look.replace(now).map_or(Duration::ZERO, |last| now - last);
        for thread in self.threads.values_mut() {
            let Some(told) = told(&thread.file) else { continue };
            if thread.told != told {
                (thread.told, thread.open) = (told, Duration::ZERO);
            } else if thread.is_ready() {
                thread.open += passed;
            }
        }
        if let Threads::All(_) = threads {
            for (id, path) in threads.list() {
                if !self.threads.contains_key(&id) {
                    self.add(id, path);
                }
            }
        }
    }

    /// Returns how long all threads together waited from the beginning to the last look.
    pub(crate) fn waited(&self) -> Duration {
        let waited = |thread: &Thread| thread.told.queued.saturating_sub(thread.before) + thread.open;
        self.threads.values().map(waited).sum()
    }

    /// Returns whether one of the threads runs or waits only for a processor.
    pub(crate) fn is_runnable(&self) -> bool {
        self.threads.values().any(Thread::is_ready)
    }
}

impl Thread {
    fn is_ready(&self) -> bool {
        let stat = fs::read_to_string(self.path.join("stat")).unwrap_or_default();
        // The state follows the name, which may contain anything.
        stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('R'))
    }
}

fn threads_of(pid: Pid) -> Vec<(i32, PathBuf)> {
    let threads = fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero())).into_iter().flatten().flatten();
    threads.filter_map(|thread| Some((thread.file_name().to_str()?.parse().ok()?, thread.path()))).collect()
}

/// Reads the figures of a thread from its open file `schedstat`.
pub(crate) fn told(file: &File) -> Option<Told> {
    let mut text = [0; 80];
    let len = file.read_at(&mut text, 0).ok()?;
    let mut times = std::str::from_utf8(text.get(..len)?).ok()?.split_ascii_whitespace();
    let mut time = || times.next()?.parse().ok().map(Duration::from_nanos);
    Some(Told { computed: time()?, queued: time()? })
}
