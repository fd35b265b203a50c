//! Checks of what processes use, while one of them is waited for.

use std::fmt;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process};

use super::error::Error;
use super::family::Family;
use super::memory::Vitals;
use super::task_clock::TaskClock;
use super::time;

/// Threads allowed beyond a process's limit: one that only waits for the others costs nothing.
const SPARE_THREADS: u32 = 1;

/// The time for a process to end as a whole, during which its main thread may end first, and threads that were already
/// joined may still show.
const ENDING: Duration = Duration::from_millis(200);

/// The limits of a process while it lives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResourceBounds {
    /// Bytes of resident memory.
    pub(crate) memory: u64,
    /// Threads, unless the kernel counts them for us.
    pub(crate) threads: u32,
    /// The processes whose memory and threads count.
    pub(crate) scope: Scope,
}

/// The processes that bounds apply to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The process, which cannot have children.
    Process,
    /// The process and everything it started: they are in its session, which they cannot leave.
    Session,
}

/// A session with this many times its allowed threads is a flood.
const FLOOD_FACTOR: u32 = 4;

/// A limit that a process exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overrun {
    /// Its memory, more than this.
    Memory(u64),
    /// Its processor time while nothing was asked of it.
    Time(Duration),
    /// Its threads.
    Threads {
        /// The number that it had.
        count: u32,
        /// The number that it may have.
        limit: u32,
    },
    /// Its main thread has ended while others go on, so the kernel no longer reports what they use.
    Headless,
}

impl fmt::Display for Overrun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(limit) => write!(f, "kept more than {} MiB of memory", limit >> 20),
            Self::Time(used) => write!(f, "computed for {used:.1?} while nothing was asked of it"),
            Self::Threads { count, limit } => write!(f, "ran {count} threads, of {limit}"),
            Self::Headless => f.write_str("ended its main thread and went on in others"),
        }
    }
}

/// A living process.
#[derive(Debug)]
struct Watched {
    pid: Pid,
    bounds: ResourceBounds,
    /// Set while nothing is asked of it.
    rest: Option<Rest>,
    /// When its main thread was first seen to have ended.
    headless_since: Option<Instant>,
    /// When it was first seen to have too many threads.
    crowded_since: Option<Instant>,
    overrun: Option<Overrun>,
    /// Set if it leads a session.
    family: Option<Family>,
    /// Its page faults, and its bytes of memory, at the last look.
    faults: u64,
    resident: u64,
}

/// A time in which nothing is asked of a process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rest {
    /// The process's clock when it began.
    pub(crate) mark: Duration,
    /// How far its clock may run on.
    pub(crate) limit: Duration,
}

impl Rest {
    fn used(&self, pid: Pid) -> Duration {
        time::process_time(pid).saturating_sub(self.mark)
    }
}

/// The living processes of one parent.
#[derive(Debug, Default)]
pub(crate) struct WatchList(Vec<Watched>);

impl WatchList {
    pub(crate) fn add(&mut self, pid: Pid, bounds: ResourceBounds) {
        self.0.push(Watched {
            pid,
            bounds,
            rest: None,
            headless_since: None,
            crowded_since: None,
            overrun: None,
            family: (bounds.scope == Scope::Session).then(|| Family::new(pid)),
            faults: 0,
            resident: 0,
        });
    }

    pub(crate) fn remove(&mut self, pid: Pid) {
        self.0.retain(|watched| watched.pid != pid);
    }

    /// Returns the processor time of a process, or of its session including ended processes where that counts.
    pub(crate) fn cpu_time(&mut self, pid: Pid) -> Duration {
        let family = self.0.iter_mut().find(|watched| watched.pid == pid).and_then(|watched| watched.family.as_mut());
        family.map_or_else(|| time::process_time(pid), Family::cpu_time)
    }

    /// From now on, the kernel counts for a process and everything it starts.
    pub(crate) fn count(&mut self, pid: Pid, counter: TaskClock) {
        if let Some(family) = self.0.iter_mut().find(|watched| watched.pid == pid).and_then(|w| w.family.as_mut()) {
            family.count(counter);
        }
    }

    /// Lists a process, and where they count those of its session, as of the last look.
    pub(crate) fn members(&self, pid: Pid) -> Vec<Pid> {
        let watched = self.0.iter().find(|watched| watched.pid == pid);
        let members: Vec<Pid> =
            watched.and_then(|watched| watched.family.as_ref()).into_iter().flat_map(Family::members).collect();
        if members.is_empty() { vec![pid] } else { members }
    }

    /// Returns the number of page faults as of the last looks; `None` if some processes have children, whose numbers
    /// are lost when they end.
    pub(crate) fn faults_seen(&self) -> Option<u64> {
        self.0.iter().map(|watched| watched.family.is_none().then_some(watched.faults)).sum()
    }

    /// Returns the current number of page faults of all processes.
    pub(crate) fn faults(&mut self) -> Option<u64> {
        for watched in &mut self.0 {
            watched.faults = Vitals::of(watched.pid).map_or(watched.faults, |vitals| vitals.faults);
        }
        self.faults_seen()
    }

    /// Begins a process's rest, or ends it with `None`: then the process is expected to compute.
    pub(crate) fn set_rest(&mut self, pid: Pid, rest: Option<Rest>) {
        if let Some(watched) = self.0.iter_mut().find(|watched| watched.pid == pid) {
            watched.rest = rest;
        }
    }

    /// Returns the limit that a process exceeded, as of the last look.
    pub(crate) fn overrun(&self, pid: Pid) -> Option<Overrun> {
        self.0.iter().find(|watched| watched.pid == pid)?.overrun
    }

    /// Returns the bytes of resident memory of a process, as of the last look.
    pub(crate) fn resident(&self, pid: Pid) -> u64 {
        self.0.iter().find(|watched| watched.pid == pid).map_or(0, |watched| watched.resident)
    }

    /// Returns how long others computed while this process was waited for: they may have kept it from a processor.
    pub(crate) fn disturbance(&self, pid: Pid) -> Duration {
        let others = self.0.iter().filter(|watched| watched.pid != pid);
        others.filter_map(|watched| Some(watched.rest?.used(watched.pid))).sum()
    }

    /// Looks at all processes while waiting for one; returns the limit that this one exceeds.
    ///
    /// Any other process over a limit is killed: its own seat reports that when it is asked next, and its resources are
    /// needed now.
    pub(crate) fn look(&mut self, waited_for: Pid) -> Result<Option<Overrun>, Error> {
        for watched in self.0.iter_mut().filter(|watched| watched.overrun.is_none()) {
            watched.overrun = watched.look();
            if watched.overrun.is_some() && watched.pid != waited_for {
                match kill_process(watched.pid, Signal::KILL) {
                    Ok(()) | Err(Errno::SRCH) => {}
                    Err(errno) => return Err(Error::Left { pid: watched.pid, source: errno.into() }),
                }
            }
        }
        Ok(self.overrun(waited_for))
    }
}

impl Watched {
    fn look(&mut self) -> Option<Overrun> {
        let vitals = match &mut self.family {
            Some(family) if family.is_due() => family.look()?,
            _ => Vitals::of(self.pid)?,
        };
        (self.faults, self.resident) = (vitals.faults, vitals.resident);
        if vitals.resident > self.bounds.memory {
            return Some(Overrun::Memory(self.bounds.memory));
        }
        let crowd = Overrun::Threads { count: vitals.threads, limit: self.bounds.threads };
        // A session that grows this fast gets no grace.
        if self.bounds.scope == Scope::Session && vitals.threads > self.bounds.threads * FLOOD_FACTOR {
            return Some(crowd);
        }
        let is_crowded = self.bounds.threads > 1 && vitals.threads > self.bounds.threads + SPARE_THREADS;
        if lasts(&mut self.crowded_since, is_crowded) {
            return Some(crowd);
        }
        if lasts(&mut self.headless_since, vitals.is_headless()) {
            return Some(Overrun::Headless);
        }
        let rest = self.rest?;
        let used = rest.used(self.pid);
        (used > rest.limit).then_some(Overrun::Time(used))
    }
}

/// Returns whether a condition has lasted longer than a process takes to end; remembers when it began.
fn lasts(since: &mut Option<Instant>, is_so: bool) -> bool {
    if !is_so {
        *since = None;
    }
    is_so && since.get_or_insert_with(Instant::now).elapsed() > ENDING
}
