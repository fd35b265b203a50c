//! Waiting for a process, and measuring it meanwhile.

use std::num::NonZeroUsize;
use std::os::fd::{AsFd, BorrowedFd};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, retry_on_intr};
use rustix::process::Pid;

use super::{NoReply, Process, REAPING_PAUSE};
use crate::error::Error;
use crate::interference::{Interference, Sample, micros};
use crate::memory::Vitals;
use crate::queue::Threads;
use crate::refusals::Refusals;
use crate::resource_watch::{Overrun, Rest};
use crate::shared_core;
use crate::spec::ProcessTask;
use crate::time::{CpuLimit, Deadline, Timeouts};

/// The interval of checks on all processes while waiting for one of them; it limits the harm that any can do meanwhile.
const LOOK_EVERY: Duration = Duration::from_millis(10);
const MIN_WAIT: Duration = Duration::from_micros(100);

/// Maximum extra time on the wall clock for a process that keeps waiting for a processor.
const QUEUED_MAX: Duration = Duration::from_secs(60);

/// The end of a wait.
pub(super) enum Event {
    /// There is something to read, or room to write.
    Ready,
    /// The process ended.
    Ended,
    /// Nothing more to wait for.
    Over(NoReply),
}

impl Process {
    /// Waits for a pipe, and checks on the players' processes from time to time.
    pub(super) fn wait(&self, pipe: BorrowedFd<'_>, event: PollFlags, timeouts: Timeouts) -> Result<Event, Error> {
        // Without a pidfd, a descriptor with no requested events takes its place.
        let (end, wanted) = match &self.pidfd {
            Some(pidfd) => (pidfd.as_fd(), PollFlags::IN),
            None => (pipe, event),
        };
        let (told, asks) = match &self.refusals {
            Some(refusals) => (refusals.descriptor(), PollFlags::IN),
            None => (pipe, event),
        };
        let mut fds =
            [(pipe, event), (end, wanted), (told, asks)].map(|(fd, flags)| PollFd::from_borrowed_fd(fd, flags));
        // Not so short that checks take all the time.
        let slice = |deadline: Deadline, left: Duration| deadline.slice(left.clamp(MIN_WAIT, LOOK_EVERY));
        let mut deadline = timeouts.deadline;
        let mut timeout = slice(deadline, timeouts.cpu.map_or(LOOK_EVERY, |limit| limit.left));
        loop {
            let polled = poll(&mut fds, Some(&timeout));
            if polled != Err(Errno::INTR) {
                let timeout = Duration::try_from(timeout).unwrap_or(Duration::ZERO);
                self.meter.borrow_mut().waited(timeout, polled != Ok(0));
            }
            match polled {
                Ok(0) => {
                    shared_core::part();
                    if deadline.has_passed() {
                        deadline = self.postponed(timeouts);
                        if deadline.has_passed() {
                            return Ok(Event::Over(NoReply::Late));
                        }
                    }
                    if let Some(event) = self.look(timeouts)? {
                        return Ok(event);
                    }
                    let left = timeouts.cpu.map_or(LOOK_EVERY, |limit| match limit.end.checked_sub(self.cpu_time()) {
                        Some(left) => left,
                        // It is over its limit, and excused.
                        None => LOOK_EVERY,
                    });
                    timeout = slice(deadline, left);
                }
                Ok(_) if self.pidfd.is_some() && !fds[1].revents().is_empty() => return Ok(Event::Ended),
                Ok(_) if !fds[0].revents().is_empty() => return Ok(Event::Ready),
                Ok(_) => match (&self.refusals, fds[2].revents().contains(PollFlags::IN)) {
                    (Some(refusals), true) => refusals.answer(),
                    // Whoever could ask is gone.
                    _ => return Ok(Event::Ended),
                },
                Err(Errno::INTR) => {}
                Err(errno) => return Err(Error::system("wait")(errno)),
            }
        }
    }

    /// Returns the deadline plus the time that is not the process's own: what its opponent and others computed, and
    /// when the server did not run.
    fn postponed(&self, timeouts: Timeouts) -> Deadline {
        let is_backstop = self.is_backstop.get();
        let deadline = timeouts.deadline.later(self.foreign());
        if !deadline.has_passed() {
            // What is not its own grows while it waits: a server that looked all the time would take its processor.
            return deadline.not_before(LOOK_EVERY);
        }
        // The kernel reports a long wait for a processor only when it is over.
        let may_wait = is_backstop && !timeouts.deadline.later(QUEUED_MAX).has_passed();
        if may_wait && self.queue.borrow().is_runnable() {
            return Deadline::after(LOOK_EVERY);
        }
        deadline.later(self.interference().excuse())
    }

    /// Checks whether the process used up its time, and whether it or another process exceeded another limit.
    pub(super) fn look(&self, timeouts: Timeouts) -> Result<Option<Event>, Error> {
        if let Some(limit) = timeouts.cpu {
            let over = self.limited_time().saturating_sub(limit.end);
            if !over.is_zero() && over > self.interference().excuse() * self.processors() {
                return Ok(Some(Event::Over(NoReply::Exhausted)));
            }
        }
        self.last_look.set(Instant::now());
        self.meter.borrow_mut().machine.get_or_insert_with(Sample::renewed);
        self.look_at_queue();
        if let Some(overrun) = self.parent.watch_list().look(self.pid)? {
            return Ok(Some(Event::Over(NoReply::Over(overrun))));
        }
        Ok(if self.pidfd.is_none() && self.is_zombie() { Some(Event::Ended) } else { None })
    }

    /// The clock that limits are about: that of a library's process, or of a program and everything it started.
    fn limited_time(&self) -> Duration {
        match self.spec.task {
            ProcessTask::Run(_) => self.parent.watch_list().cpu_time(self.pid),
            _ => self.cpu_time(),
        }
    }

    /// A limit on the processor time of this call.
    pub(crate) fn call_limit(&self, cpu: Duration) -> CpuLimit {
        CpuLimit { end: self.computed_before.get().saturating_add(cpu), left: cpu / self.spec.threads }
    }

    /// Checks memory after an answer or part of one, if the last check is a while ago: a player whose calls are all
    /// shorter than the interval would otherwise escape all checks.
    pub(super) fn look_again(&self) -> Result<(), NoReply> {
        if self.last_look.get().elapsed() < LOOK_EVERY {
            return Ok(());
        }
        match self.look(Timeouts::wall(LOOK_EVERY))? {
            Some(Event::Over(silence)) => Err(silence),
            _ => Ok(()),
        }
    }

    /// Returns the limit that the process exceeded at the last check, perhaps while another one was waited for.
    pub fn overrun(&self) -> Option<Overrun> {
        self.parent.watch_list().overrun(self.pid)
    }

    /// Begins a rest, in which nothing is asked of the process: its clock shows `mark` and may run on for `limit`.
    pub fn begin_rest(&self, mark: Duration, limit: Duration) {
        self.parent.watch_list().set_rest(self.pid, Some(Rest { mark, limit }));
    }

    /// Ends the rest.
    pub fn end_rest(&self) {
        self.parent.watch_list().set_rest(self.pid, None);
    }

    /// Begins a call; comes before everything that affects its time, including deadlines.
    ///
    /// Deadlines of calls judged by processor time are backstops: waiting for a processor does not count. Returns the
    /// process's own clock.
    pub fn begin_call(&self, is_backstop: bool) -> Duration {
        self.is_backstop.set(is_backstop);
        self.refusals.iter().for_each(Refusals::begin);
        let computed = self.parent.watch_list().cpu_time(self.pid);
        self.computed_before.set(computed);
        self.with_threads(|threads| self.queue.borrow_mut().begin(threads));
        let mut meter = self.meter.borrow_mut();
        meter.faults = self.parent.watch_list().faults_seen();
        meter.begin();
        computed
    }

    /// Returns the processor time that the process, or its whole session, has used in this call.
    pub fn computed(&self) -> Duration {
        self.parent.watch_list().cpu_time(self.pid).saturating_sub(self.computed_before.get())
    }

    /// Expects quick calls after a slow one: this thread shares the process's core again.
    pub fn expect_quick_calls(&self) {
        shared_core::meet();
    }

    /// Resumes waiting for a call, after something else.
    pub fn resume_call(&self) {
        self.meter.borrow_mut().resume();
    }

    /// Returns the time from the beginning of the call until its last part came.
    pub fn elapsed(&self) -> Duration {
        self.meter.borrow().passed()
    }

    /// Returns how much of this call's time the process lost because the server did not run.
    pub fn lost(&self) -> Duration {
        self.meter.borrow().lost()
    }

    /// Returns how long the process's threads waited for a processor in this call, in total.
    pub fn queued(&self) -> Duration {
        self.look_at_queue();
        self.queue.borrow().waited()
    }

    /// Returns the wall-clock time of this call that is the process's own: without times when the server did not run,
    /// without what other processes computed unasked, and, if the wall clock is only the backstop, without waiting for
    /// a processor.
    ///
    /// Its processor time always counts, divided by the number of processors that it can use.
    pub fn charged_wall(&self) -> Duration {
        self.elapsed().saturating_sub(self.foreign())
    }

    /// Returns how much of this call's wall-clock time is not the process's own.
    pub(crate) fn foreign(&self) -> Duration {
        let queued = if self.is_backstop.get() { self.queued() } else { Duration::ZERO };
        let foreign = self.lost() + self.disturbance() + queued;
        if foreign.is_zero() {
            return foreign;
        }
        foreign.min(self.elapsed().saturating_sub(self.computed() / self.processors()))
    }

    /// Returns how many processors the process can use at once.
    fn processors(&self) -> u32 {
        let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        u32::try_from(processors).unwrap_or(u32::MAX).min(self.spec.threads).max(1)
    }

    /// Returns the delays in this call that the machine caused.
    pub fn interference(&self) -> Interference {
        let machine = {
            let meter = self.meter.borrow();
            let faults = self.parent.watch_list().faults();
            let own = faults.zip(meter.faults).map(|(now, before)| now.saturating_sub(before));
            meter.machine.as_ref().map_or_else(Interference::default, |machine| machine.until_now(own))
        };
        let server_us = micros(self.meter.borrow().not_run());
        Interference { server_us, player_us: micros(self.queued()), ..machine }
    }

    /// Returns the bytes of resident memory at the last look.
    pub fn resident(&self) -> u64 {
        self.parent.watch_list().resident(self.pid)
    }

    /// Returns how long other processes have computed since their last answers.
    pub fn disturbance(&self) -> Duration {
        self.parent.watch_list().disturbance(self.pid)
    }

    fn look_at_queue(&self) {
        self.with_threads(|threads| self.queue.borrow_mut().look(threads));
    }

    fn with_threads(&self, work: impl FnOnce(Threads<'_>)) {
        if self.spec.threads == 1 {
            return work(Threads::Only(self.pid));
        }
        let members: Vec<Pid> = self.parent.watch_list().members(self.pid);
        work(Threads::All(&members));
    }

    pub(super) fn is_zombie(&self) -> bool {
        Vitals::of(self.pid).is_none_or(|vitals| vitals.is_zombie)
    }

    /// Waits for the process to end, as long as it has time for it, and returns whether it has.
    pub(crate) fn ends_in_time(&self, timeouts: Timeouts) -> Result<bool, Error> {
        loop {
            let has_ended = self.ends_within(LOOK_EVERY)?;
            self.meter.borrow_mut().waited(LOOK_EVERY, has_ended);
            let is_late = timeouts.deadline.has_passed() && self.postponed(timeouts).has_passed();
            if has_ended || is_late || matches!(self.look(timeouts)?, Some(Event::Over(_))) {
                return Ok(has_ended);
            }
        }
    }

    /// Waits at most this long for the process to end, and returns whether it has. Fails when the host fails.
    pub fn ends_within(&self, limit: Duration) -> Result<bool, Error> {
        let Some(pidfd) = &self.pidfd else {
            let end = Instant::now() + limit;
            while !self.is_zombie() && Instant::now() < end {
                thread::sleep(REAPING_PAUSE);
            }
            return Ok(self.is_zombie());
        };
        // A pipe without a writer is always ready, so only the pidfd is polled.
        let mut fds = [PollFd::new(pidfd, PollFlags::IN)];
        let deadline = Deadline::after(limit);
        let ready = retry_on_intr(|| poll(&mut fds, Some(&deadline.slice(limit))));
        Ok(ready.map_err(Error::system("wait"))? != 0)
    }
}
