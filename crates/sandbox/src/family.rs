//! The processes of a session: what they use together, and what those have computed that are gone.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use rustix::process::Pid;

use super::clock;
use super::memory::{self, Vitals};
use super::task_clock::TaskClock;

/// Looking for the processes of a session takes a while, so it is done no more often where the kernel counts for us.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Where it does not, the pause between two looks, as a multiple of the time that one takes.
const PAUSE_FACTOR: u32 = 10;

/// A program and all that it has started: they are in its session, which they cannot leave.
///
/// A child's time is added to its parent's when the parent waits for it, and lost when the parent does not care. The
/// kernel's counter has that time. Without it, what the processes were seen to compute counts, or the sum of those
/// that are there and of the children they have waited for, whichever is more.
#[derive(Debug)]
pub(crate) struct Family {
    leader: Pid,
    counter: Option<TaskClock>,
    /// The time of each process at the last look; the moment when it started tells two with the same number apart.
    members: HashMap<(Pid, u64), Duration>,
    /// The processor time of all processes so far, as far as looks have seen it.
    seen: Duration,
    /// The most that those of one look and their children had computed.
    summed: Duration,
    last_look: Option<Instant>,
    look_took: Duration,
}

impl Family {
    pub(crate) fn new(leader: Pid) -> Self {
        Self {
            leader,
            counter: None,
            members: HashMap::new(),
            seen: Duration::ZERO,
            summed: Duration::ZERO,
            last_look: None,
            look_took: Duration::ZERO,
        }
    }

    pub(crate) fn count(&mut self, counter: TaskClock) {
        self.counter = Some(counter);
    }

    pub(crate) fn is_due(&self) -> bool {
        let pause = if self.counter.is_some() { LOOK_EVERY } else { (self.look_took * PAUSE_FACTOR).min(LOOK_EVERY) };
        self.last_look.is_none_or(|last| last.elapsed() >= pause)
    }

    /// Looks at all processes, and adds them up; `None` when the first of them is gone.
    pub(crate) fn look(&mut self) -> Option<Vitals> {
        let begun = Instant::now();
        let (mut members, mut together) = (HashMap::new(), Duration::ZERO);
        let (mut sum, mut others) = (None, Vec::new());
        for (pid, stat) in memory::session(self.leader) {
            let id = (pid, stat.started);
            let before = self.members.get(&id).copied().unwrap_or_default();
            // A process that has just ended has no clock any more.
            let computed = clock::process_time(pid).max(before);
            self.seen += computed - before;
            together += computed + stat.reaped_cpu;
            members.insert(id, computed);
            if pid == self.leader {
                sum = Some(stat.vitals);
            } else {
                others.push(stat.vitals);
            }
        }
        self.members = members;
        self.summed = self.summed.max(together);
        self.last_look = Some(Instant::now());
        self.look_took = begun.elapsed();
        let mut sum: Vitals = sum?;
        for vitals in &others {
            sum.add(vitals);
        }
        Some(sum)
    }

    /// Returns the processor time of all processes that are or were there.
    pub(crate) fn cpu_time(&mut self) -> Duration {
        self.look();
        self.seen.max(self.summed).max(self.counter.as_ref().and_then(TaskClock::read).unwrap_or_default())
    }

    /// Lists the processes that were there at the last look.
    pub(crate) fn members(&self) -> impl Iterator<Item = Pid> {
        self.members.keys().map(|&(pid, _)| pid)
    }
}
