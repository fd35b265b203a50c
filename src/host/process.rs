//! A player's process as the server sees it: started, spoken to, ended.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::{self, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{MemfdFlags, OFlags, fcntl_setfl, memfd_create};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, kill_process_group, pidfd_open, pidfd_send_signal};

use super::clock::{self, Deadline};
use super::error::HostError;
use super::fork_server::{ForkServer, Reaped};
use super::frame::{FrameError, REPLY_LEN, Reply};
use super::memory::{self, Vitals};
use super::printed::Printed;
use super::queue::{self, Queue};
use super::report::{REPORT_LEN, Report};
use super::resource_watch::{Bounds, Overrun};

/// Descriptors are closed a moment before a dying process is seen to be dead.
const DYING: Duration = Duration::from_millis(200);

/// A killed process is gone long before, unless somebody who traces it keeps it.
const REAPING: Duration = Duration::from_secs(1);

/// Nothing tells when a tracer lets go of a dead process, so that has to be asked from time to time.
const REAPING_PAUSE: Duration = Duration::from_millis(2);

/// What is read at once of an output that is no frame.
const BLOCK: usize = 1 << 12;

/// Ends a log that is as long as it may be.
const CUT_OFF: &[u8] = b"\n[cut off here: see --log-limit]\n";

/// How long a process that is too late may take to say where it is.
const REPORT_GRACE: Duration = Duration::from_millis(50);

/// How often processes are looked at while one of them is waited for: what one can do meanwhile is bounded by this.
const LOOK_EVERY: Duration = Duration::from_millis(10);
const SHORTEST_LOOK: Duration = Duration::from_micros(100);

/// How much longer than its limit on the clock a process may take that waits for a processor all that time.
const QUEUED_MAX: Duration = Duration::from_secs(60);

/// Why no reply came.
#[derive(Debug)]
pub(super) enum NoReply {
    /// The deadline passed.
    Late,
    /// The process computed for longer than it may.
    Exhausted,
    /// The process had too much of something.
    Over(Overrun),
    /// The process ended.
    Ended,
    /// The process lives, and has closed its end of the pipe.
    Disconnected,
    /// What came is no reply.
    Broken(FrameError),
    /// We failed.
    Host(HostError),
}

/// Says how a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProcessEnd {
    /// As the kernel says.
    Known(Reaped),
    /// The kernel tells somebody else: another process traces it.
    Unknown,
}

impl fmt::Display for ProcessEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(Reaped::Exited { status, .. }) => write!(f, "it ended with status {status}"),
            Self::Known(Reaped::Killed { signal, .. }) => write!(f, "signal {signal} ended it"),
            Self::Unknown => f.write_str("it ended"),
        }
    }
}

/// Until when a reply is waited for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timeouts {
    /// By the wall clock.
    pub(super) deadline: Deadline,
    /// By the process's own clock.
    pub(super) cpu: Option<CpuLimit>,
}

/// How far a process's own clock may run.
#[derive(Clone, Copy, Debug)]
pub(super) struct CpuLimit {
    /// The value that it must not pass.
    pub(super) end: Duration,
    /// How much that was when the waiting began.
    pub(super) left: Duration,
}

impl Timeouts {
    /// By the wall clock alone.
    pub(super) fn wall(limit: Duration) -> Self {
        Self { deadline: Deadline::after(limit), cpu: None }
    }
}

/// A running process with its pipes and its log; dropping it kills it and all of its process group.
#[derive(Debug)]
pub(super) struct Process {
    parent: Arc<ForkServer>,
    pid: Pid,
    /// Where the kernel has such descriptors: they wake us when the process ends.
    pidfd: Option<OwnedFd>,
    /// Closed when the process is to see the end of its input.
    requests: Option<OwnedFd>,
    // As long as we hold this ourselves, writing to a process that died raises no SIGPIPE.
    _requests_end: OwnedFd,
    replies: OwnedFd,
    log: File,
    log_limit: u64,
    unsent: Vec<u8>,
    sent: usize,
    report: Option<Report>,
    ending: Option<ProcessEnd>,
    last_look: Cell<Instant>,
    /// How long its threads have waited for a processor since it was looked at for the first time in this call.
    queue: RefCell<Queue>,
}

impl Process {
    /// Starts a process and sends it the set-up, or as much of it as a pipe holds.
    pub(super) fn start(
        parent: &Arc<ForkServer>,
        set_up: Vec<u8>,
        log_limit: u64,
        bounds: Bounds,
    ) -> Result<Self, HostError> {
        let make_pipe = || pipe_with(PipeFlags::CLOEXEC).map_err(HostError::system("make a pipe"));
        let (requests_end, requests) = make_pipe()?;
        let (replies, replies_end) = make_pipe()?;
        for end in [&requests, &replies] {
            fcntl_setfl(end, OFlags::NONBLOCK).map_err(HostError::system("set up a pipe"))?;
        }
        let log = memfd_create("amazons-log", MemfdFlags::CLOEXEC).map_err(HostError::system("make a log"))?;
        let pid = parent.fork([requests_end.as_fd(), replies_end.as_fd(), log.as_fd()])?;
        // Its number is its own until its parent reaps it, which it does when we say so.
        parent.watch_list().add(pid, bounds);
        let mut process = Self {
            parent: Arc::clone(parent),
            pid,
            pidfd: pidfd_open(pid, PidfdFlags::empty()).ok(),
            requests: Some(requests),
            _requests_end: requests_end,
            replies,
            log: File::from(log),
            log_limit,
            unsent: set_up,
            sent: 0,
            report: None,
            ending: None,
            last_look: Cell::new(Instant::now()),
            queue: RefCell::default(),
        };
        process.write_some()?;
        Ok(process)
    }

    /// Sends bytes after those that are still to be sent, waiting for room as long as the process lives.
    pub(super) fn send(&mut self, bytes: &[u8], timeouts: Timeouts) -> Result<(), NoReply> {
        self.unsent.extend_from_slice(bytes);
        while !self.write_some()? {
            let Some(requests) = &self.requests else { return Ok(()) };
            match self.wait(requests.as_fd(), PollFlags::OUT, timeouts)? {
                Event::Ready => {}
                // It may have said why: that is for `receive` to find out.
                Event::Ended => return Ok(()),
                Event::Over(silence) => return Err(silence),
            }
        }
        Ok(())
    }

    /// Waits for a reply. One that is complete counts, even if the process ended right after it.
    pub(super) fn receive(&mut self, timeouts: Timeouts) -> Result<Reply, NoReply> {
        loop {
            let event = self.wait(self.replies.as_fd(), PollFlags::IN, timeouts)?;
            let mut frame = [0; REPLY_LEN];
            match rustix::io::read(&self.replies, &mut frame[..]) {
                Ok(0) if matches!(event, Event::Ended) || self.ends_within(DYING)? => return Err(NoReply::Ended),
                Ok(0) => return Err(NoReply::Disconnected),
                Ok(len) => {
                    let frame = frame.get(..len).unwrap_or_default();
                    if !Report::begins(frame) {
                        self.look_again()?;
                        return Reply::decode(frame).map_err(NoReply::Broken);
                    }
                    // Of threads that die together, each says its last words; the first of them knows most.
                    if self.report.is_some() {
                        let ends = self.ends_within(DYING)?;
                        return Err(if ends { NoReply::Ended } else { NoReply::Broken(FrameError::Magic) });
                    }
                    // Its last words: what follows can only be its end.
                    self.report = Some(self.receive_report(frame)?);
                }
                Err(Errno::AGAIN) => match event {
                    Event::Ended => return Err(NoReply::Ended),
                    Event::Over(silence) => return Err(silence),
                    Event::Ready => {}
                },
                Err(Errno::INTR) => {}
                Err(errno) => return Err(NoReply::Host(HostError::system("read a reply")(errno))),
            }
        }
    }

    /// Waits for bytes of whatever is no frame; none at the end of the process's output.
    pub(super) fn receive_bytes(&mut self, timeouts: Timeouts) -> Result<Vec<u8>, NoReply> {
        loop {
            let event = self.wait(self.replies.as_fd(), PollFlags::IN, timeouts)?;
            let mut bytes = vec![0; BLOCK];
            match rustix::io::read(&self.replies, &mut bytes[..]) {
                Ok(len) => {
                    // Who always has something to say would never be looked at.
                    self.look_again()?;
                    bytes.truncate(len);
                    return Ok(bytes);
                }
                Err(Errno::AGAIN) => match event {
                    // Its children may still write.
                    Event::Ended => return Ok(Vec::new()),
                    Event::Over(silence) => return Err(silence),
                    Event::Ready => {}
                },
                Err(Errno::INTR) => {}
                Err(errno) => return Err(NoReply::Host(HostError::system("read an answer")(errno))),
            }
        }
    }

    /// Lets the process see the end of its input, when all that was sent is read.
    pub(super) fn close_requests(&mut self) {
        self.requests = None;
    }

    /// Stops the process and all of its group.
    pub(super) fn freeze_group(&self) {
        // A group that is gone has nothing to stop, and who is gone says so when it is asked next.
        if self.ending.is_none() {
            let _ = kill_process_group(self.pid, Signal::STOP);
        }
    }

    /// Continues the process and all of its group.
    pub(super) fn thaw_group(&self) {
        if self.ending.is_none() {
            let _ = kill_process_group(self.pid, Signal::CONT);
        }
    }

    /// The processor time that the process and all others of its session have used.
    pub(super) fn cpu_time_of_family(&self) -> Duration {
        memory::cpu_time_of_session(self.pid)
    }

    /// Waits until the process has ended, and answers whether it has.
    pub(super) fn has_ended_within(&self, limit: Duration) -> Result<bool, HostError> {
        self.ends_within(limit)
    }

    /// Reads the rest of a report; it was written in one piece, so the rest is there.
    fn receive_report(&self, begin: &[u8]) -> Result<Report, NoReply> {
        let mut bytes = begin.to_vec();
        bytes.resize(REPORT_LEN, 0);
        let rest = bytes.get_mut(begin.len()..).unwrap_or_default();
        let read = rustix::io::read(&self.replies, rest).unwrap_or(0);
        let report = Report::decode(bytes.get(..begin.len() + read).unwrap_or_default());
        report.ok_or(NoReply::Broken(FrameError::Length(begin.len() + read)))
    }

    /// Kills the process and whatever it has started in its group, and says how it ended, itself or by us.
    ///
    /// Takes [`REAPING`] at most, and only the first time.
    pub(super) fn end(&mut self) -> Result<ProcessEnd, HostError> {
        if let Some(ending) = self.ending {
            return Ok(ending);
        }
        // Once only, even if it fails: the number may belong to somebody else afterwards.
        self.ending = Some(ProcessEnd::Unknown);
        // A process that ended already stays as it ended. Its number, and so the group's, is ours until it is reaped.
        if self.signal(Signal::KILL).is_ok() {
            let _ = kill_process_group(self.pid, Signal::KILL);
        }
        let ending = self.reap();
        self.parent.watch_list().remove(self.pid);
        let ending = ending?;
        self.ending = Some(ending);
        Ok(ending)
    }

    /// Stops the process until it is continued.
    pub(super) fn freeze(&self) -> Result<(), HostError> {
        self.signal(Signal::STOP).or_else(gone).map_err(HostError::system("stop a process"))
    }

    /// Continues the process.
    pub(super) fn thaw(&self) -> Result<(), HostError> {
        self.signal(Signal::CONT).or_else(gone).map_err(HostError::system("continue a process"))
    }

    fn signal(&self, signal: Signal) -> Result<(), Errno> {
        match &self.pidfd {
            // A container may know the descriptor and not this call; the number is the process's own until it is reaped.
            Some(pidfd) => pidfd_send_signal(pidfd, signal).or_else(|_| kill_process(self.pid, signal)),
            None => kill_process(self.pid, signal),
        }
    }

    /// Never waits for the process without a bound: a player can have itself traced, and then its tracer comes first.
    fn reap(&self) -> Result<ProcessEnd, HostError> {
        let end = Instant::now() + REAPING;
        self.ends_within(REAPING)?;
        loop {
            match self.parent.reap(self.pid)? {
                Some(reaped) => return Ok(ProcessEnd::Known(reaped)),
                None if Instant::now() < end => thread::sleep(REAPING_PAUSE),
                None => return Ok(ProcessEnd::Unknown),
            }
        }
    }

    pub(super) const fn has_pidfd(&self) -> bool {
        self.pidfd.is_some()
    }

    /// Asks a process that is too late where it is, which ends it if it does as players do.
    pub(super) fn ask_where(&mut self) {
        // Stopped, it would not hear.
        if self.signal(Signal::XCPU).is_ok() && self.thaw().is_ok() {
            // Whatever comes, it is too late for anything but a report.
            let _ = self.receive(Timeouts::wall(REPORT_GRACE));
        }
    }

    /// What the process said of its own end.
    pub(super) const fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// The processor time that the process has used.
    pub(super) fn cpu_time(&self) -> Duration {
        clock::process_time(self.pid)
    }

    /// Lets others read what the process prints.
    pub(super) fn show_log(&self, printed: Option<&Printed>) -> Result<(), HostError> {
        let Some(printed) = printed else { return Ok(()) };
        let log = self.log.try_clone().map_err(|source| HostError::System { attempt: "show a log", source })?;
        printed.show(log, self.log_limit);
        Ok(())
    }

    /// What the process has printed.
    pub(super) fn log(&self) -> Vec<u8> {
        let len = self.log.metadata().map_or(0, |metadata| metadata.len().min(self.log_limit));
        let mut bytes = vec![0; usize::try_from(len).unwrap_or(0)];
        let read = self.log.read_at(&mut bytes, 0).unwrap_or(0);
        bytes.truncate(read);
        if len > 0 && len == self.log_limit {
            bytes.extend_from_slice(CUT_OFF);
        }
        bytes
    }

    /// Writes what is unsent, as far as there is room; answers whether all is sent.
    fn write_some(&mut self) -> Result<bool, HostError> {
        while let Some(rest) = self.unsent.get(self.sent..).filter(|rest| !rest.is_empty()) {
            let Some(requests) = &self.requests else { break };
            match rustix::io::write(requests, rest) {
                Ok(len) => self.sent += len,
                Err(Errno::AGAIN) => return Ok(false),
                Err(Errno::INTR) => {}
                Err(errno) => return Err(HostError::system("send a request")(errno)),
            }
        }
        self.unsent.clear();
        self.sent = 0;
        Ok(true)
    }

    /// Waits for a pipe, and looks at the players' processes from time to time.
    fn wait(&self, pipe: BorrowedFd<'_>, event: PollFlags, timeouts: Timeouts) -> Result<Event, HostError> {
        // Without a pidfd, its place is taken by a descriptor of which nothing is asked.
        let (end, wanted) = match &self.pidfd {
            Some(pidfd) => (pidfd.as_fd(), PollFlags::IN),
            None => (pipe, event),
        };
        let mut fds = [PollFd::from_borrowed_fd(pipe, event), PollFd::from_borrowed_fd(end, wanted)];
        // Never so short that looking is all that is done.
        let slice = |deadline: Deadline, left: Duration| deadline.slice(left.clamp(SHORTEST_LOOK, LOOK_EVERY));
        let mut deadline = timeouts.deadline;
        let mut timeout = slice(deadline, timeouts.cpu.map_or(LOOK_EVERY, |limit| limit.left));
        loop {
            match poll(&mut fds, Some(&timeout)) {
                Ok(0) => {
                    if deadline.has_passed() {
                        deadline = self.postponed(timeouts);
                        if deadline.has_passed() {
                            return Ok(Event::Over(NoReply::Late));
                        }
                    }
                    if let Some(event) = self.look(timeouts)? {
                        return Ok(event);
                    }
                    let left = |limit: CpuLimit| limit.end.saturating_sub(self.cpu_time());
                    timeout = slice(deadline, timeouts.cpu.map_or(LOOK_EVERY, left));
                }
                Ok(_) if self.pidfd.is_some() && !fds[1].revents().is_empty() => return Ok(Event::Ended),
                Ok(_) => return Ok(Event::Ready),
                Err(Errno::INTR) => {}
                Err(errno) => return Err(HostError::system("wait")(errno)),
            }
        }
    }

    /// Returns the deadline when the time that its opponent and others took from the process is given back.
    fn postponed(&self, timeouts: Timeouts) -> Deadline {
        let queued = timeouts.cpu.map_or(Duration::ZERO, |_| self.queued());
        let deadline = timeouts.deadline.later(self.disturbance() + queued);
        // A wait for a processor that lasts is told by the kernel when it is over.
        let may_wait = timeouts.cpu.is_some() && !timeouts.deadline.later(QUEUED_MAX).has_passed();
        if deadline.has_passed() && may_wait && queue::is_runnable(self.pid) {
            return Deadline::after(LOOK_EVERY);
        }
        deadline
    }

    /// Looks whether the process used up its time, and whether it or another one has too much of something else.
    fn look(&self, timeouts: Timeouts) -> Result<Option<Event>, HostError> {
        if timeouts.cpu.is_some_and(|limit| self.cpu_time() > limit.end) {
            return Ok(Some(Event::Over(NoReply::Exhausted)));
        }
        self.last_look.set(Instant::now());
        if timeouts.cpu.is_some() {
            self.queue.borrow_mut().look(self.pid);
        }
        if let Some(overrun) = self.parent.watch_list().look(self.pid) {
            return Ok(Some(Event::Over(NoReply::Over(overrun))));
        }
        Ok(if self.pidfd.is_none() && self.is_zombie() { Some(Event::Ended) } else { None })
    }

    /// Looks at memory after an answer or a part of it, if nobody has for a while: a player whose calls are all shorter
    /// than the pauses between two looks would never be seen.
    fn look_again(&self) -> Result<(), NoReply> {
        if self.last_look.get().elapsed() < LOOK_EVERY {
            return Ok(());
        }
        match self.look(Timeouts::wall(LOOK_EVERY))? {
            Some(Event::Over(silence)) => Err(silence),
            _ => Ok(()),
        }
    }

    /// What the process had too much of when it was looked at last, perhaps while another one was waited for.
    pub(super) fn overrun(&self) -> Option<Overrun> {
        self.parent.watch_list().overrun(self.pid)
    }

    /// Nothing is asked of the process any more: its clock shows `mark`, and may run on for `limit`.
    pub(super) fn begin_rest(&self, mark: Duration, limit: Duration) {
        self.parent.watch_list().begin_rest(self.pid, mark, limit);
    }

    /// The process is going to be asked something.
    pub(super) fn end_rest(&self) {
        self.parent.watch_list().end_rest(self.pid);
    }

    /// A call begins, for [`Self::queued`].
    pub(super) fn begin_call(&self) {
        self.queue.take();
    }

    /// How long its threads have waited for a processor in this call, all together, but for the moments before it was
    /// looked at for the first time.
    pub(super) fn queued(&self) -> Duration {
        let mut queue = self.queue.borrow_mut();
        if queue.is_known() {
            queue.look(self.pid);
        }
        queue.waited()
    }

    /// How long other players' processes have computed since they gave their last answers.
    pub(super) fn disturbance(&self) -> Duration {
        self.parent.watch_list().disturbance(self.pid)
    }

    fn is_zombie(&self) -> bool {
        Vitals::of(self.pid).is_none_or(|vitals| vitals.is_zombie())
    }

    /// Returns whether the process is gone within this time.
    fn ends_within(&self, limit: Duration) -> Result<bool, HostError> {
        let Some(pidfd) = &self.pidfd else {
            let end = Instant::now() + limit;
            while !self.is_zombie() && Instant::now() < end {
                thread::sleep(REAPING_PAUSE);
            }
            return Ok(self.is_zombie());
        };
        // A pipe that nobody writes to any more is always ready, so only the pidfd is asked.
        let mut fds = [PollFd::new(pidfd, PollFlags::IN)];
        let deadline = Deadline::after(limit);
        loop {
            match poll(&mut fds, Some(&deadline.slice(limit))) {
                Ok(ready) => return Ok(ready != 0),
                Err(Errno::INTR) => {}
                Err(errno) => return Err(HostError::system("wait")(errno)),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Nobody is left to be told.
        let _ = self.end();
    }
}

impl From<HostError> for NoReply {
    fn from(error: HostError) -> Self {
        Self::Host(error)
    }
}

/// What a wait ended with.
enum Event {
    /// There is something to read, or room to write.
    Ready,
    /// The process ended.
    Ended,
    /// There is nothing more to wait for.
    Over(NoReply),
}

/// A process that is gone needs no signal.
fn gone(errno: Errno) -> Result<(), Errno> {
    if errno == Errno::SRCH { Ok(()) } else { Err(errno) }
}

/// A path that means the same in every process, and that the dynamic loader does not take for a name to search for.
pub(super) fn absolute(path: &path::Path) -> Result<PathBuf, HostError> {
    path::absolute(path).map_err(|source: io::Error| HostError::Path { path: path.to_owned(), source })
}
