//! The processes of a session: what they use together, including those that have ended.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use rustix::process::Pid;

use super::memory::{self, Vitals};
use super::task_clock::TaskClock;
use super::time;

/// The minimum time between two listings of a session's processes, which take a while, where the kernel counts for us.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Where it does not, the pause between two listings, as a multiple of the time that one takes.
const PAUSE_FACTOR: u32 = 10;

/// A program and everything it has started: they are in its session, which they cannot leave.
///
/// A child's time is added to its parent's when the parent waits for it, and lost when the parent ignores it. The
/// kernel's counter includes that time. Without it, the total is what the processes were seen to compute, or the sum
/// over living processes and the children they have waited for, whichever is larger.
#[derive(Debug)]
pub(crate) struct Family {
    leader: Pid,
    counter: Option<TaskClock>,
    /// The time of each process at the last look; its start time tells apart two with the same number.
    members: HashMap<(Pid, u64), Duration>,
    /// The processor time of all processes so far, as far as it was seen.
    seen: Duration,
    /// The maximum, over all looks, of what the living processes and their children had computed.
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

    /// Looks at all processes and adds them up; `None` when the first of them is gone, or was not there yet.
    pub(crate) fn look(&mut self) -> Option<Vitals> {
        self.look_at(LOOK_EVERY)
    }

    /// The same at processes as they were no longer ago than that.
    fn look_at(&mut self, age: Duration) -> Option<Vitals> {
        let begun = Instant::now();
        let (mut members, mut together) = (HashMap::new(), Duration::ZERO);
        let (mut sum, mut others) = (None, Vec::new());
        for (pid, stat) in memory::session(self.leader, age) {
            let id = (pid, stat.started);
            let before = self.members.get(&id).copied().unwrap_or_default();
            // A process that has just ended has no clock any more.
            let computed = time::process_time(pid).max(before);
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

    /// Returns the processor time of all processes, living or ended.
    pub(crate) fn cpu_time(&mut self) -> Duration {
        let counted = self.counter.as_ref().and_then(TaskClock::read);
        if counted.is_none() {
            // No check of memory comes of this look, so the next one is due as before.
            let last_look = self.last_look;
            self.look_at(Duration::ZERO);
            self.last_look = last_look;
        }
        self.seen.max(self.summed).max(counted.unwrap_or_default())
    }

    /// Lists the processes found by the last look.
    pub(crate) fn members(&self) -> impl Iterator<Item = Pid> {
        self.members.keys().map(|&(pid, _)| pid)
    }
}
