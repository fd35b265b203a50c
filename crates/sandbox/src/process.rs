//! A process as its parent sees it: started, called, ended.

mod wait;

use std::cell::{Cell, RefCell};
use std::fs::{self, File};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::PollFlags;
use rustix::fs::{MemfdFlags, Mode, OFlags, fchmod, fcntl_setfl, memfd_create};
use rustix::io::{Errno, retry_on_intr};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, PidfdFlags, Signal, kill_process, kill_process_group, pidfd_open, pidfd_send_signal, test_kill_process,
};

use self::wait::Event;
use super::call_meter::CallMeter;
use super::error::Error;
use super::fork_server::{ForkServer, ProcessEnd};
use super::memory::proc_is_ours;
use super::notice::{NOTICE_LEN, Notice, NoticeKind};
use super::printed::{Printed, Tail};
use super::queue::Queue;
use super::refusals::{Refusal, Refusals};
use super::report::{CrashReport, REPORT_LEN};
use super::resource_watch::{Overrun, ResourceBounds, Scope};
use super::sandbox::Sandbox;
use super::shared_core::{self, Cores};
use super::spec::{ProcessSpec, ProcessTask};
use super::task_clock::TaskClock;
use super::text::{error_chain, printable};
use super::time::{self, Timeouts};

/// The time from a process's start until it is ready for foreign code; if it takes longer, the machine is at fault.
pub const START_LIMIT: Duration = Duration::from_secs(20);

/// Descriptors close a moment before a dying process is seen to be dead.
const DYING: Duration = Duration::from_millis(200);

/// Maximum wait for a killed process; it ends much sooner unless a tracer holds it.
const REAPING: Duration = Duration::from_secs(1);

/// The interval of checks whether a tracer has let go of a dead process: the kernel sends no event for that.
const REAPING_PAUSE: Duration = Duration::from_millis(2);

/// Maximum length of one read of unframed output.
const BLOCK: usize = 1 << 12;

/// Ends a log that has reached its limit.
const CUT_OFF: &[u8] = b"\n[cut off here: see --log-limit]\n";

/// Describes bytes that are not a frame.
const NOT_A_FRAME: &str = "not a frame";

/// The time that a late process gets to report where it is.
const REPORT_GRACE: Duration = Duration::from_millis(50);

/// Why no reply came.
#[derive(Debug)]
pub enum NoReply {
    /// The deadline passed.
    Late,
    /// The process used more processor time than it may.
    Exhausted,
    /// The process exceeded a limit.
    Over(Overrun),
    /// The process ended.
    Ended,
    /// The process lives, but has closed its end of the pipe.
    Disconnected,
    /// Something other than a reply came.
    Broken(String),
    /// We failed.
    Host(Error),
}

/// A running process with its pipes and its log; dropping it kills it and its whole process group.
#[derive(Debug)]
pub struct Process {
    parent: Arc<ForkServer>,
    pid: Pid,
    /// Wakes us when the process ends; `None` on kernels without pidfds.
    pidfd: Option<OwnedFd>,
    /// Closed to show the process the end of its input.
    requests: Option<OwnedFd>,
    // While we hold this end too, writing to a dead process raises no SIGPIPE.
    _requests_end: OwnedFd,
    replies: OwnedFd,
    log: File,
    spec: ProcessSpec,
    unsent: Vec<u8>,
    sent: usize,
    sandbox: Option<Sandbox>,
    /// Where the counter of its processor time, or what tells refusals, comes from, until it came.
    counter: Option<OwnedFd>,
    has_counter: bool,
    refusals: Option<Refusals>,
    report: Option<CrashReport>,
    ending: Option<ProcessEnd>,
    last_look: Cell<Instant>,
    /// Whether deadlines only catch hangs, and processor time is limited otherwise.
    is_backstop: Cell<bool>,
    /// The process's own clock when the call began.
    computed_before: Cell<Duration>,
    /// Measures this call.
    meter: RefCell<CallMeter>,
    /// The time that its threads have waited for a processor in this call.
    queue: RefCell<Queue>,
}

impl Process {
    /// Starts a process on these cores and sends it its task, or as much of that as a pipe holds; for
    /// [`ProcessTask::Serve`], the caller adds its own message.
    /// Fails when the machine is out of some resource, or the fork server is gone.
    pub fn start(
        parent: &Arc<ForkServer>,
        spec: ProcessSpec,
        cores: Cores,
        add: impl FnOnce(&mut Vec<u8>),
    ) -> Result<Self, Error> {
        let mut unsent = spec.encode();
        add(&mut unsent);
        let make_pipe = || pipe_with(PipeFlags::CLOEXEC).map_err(Error::system("make a pipe"));
        let (requests_end, requests) = make_pipe()?;
        let (replies, replies_end) = make_pipe()?;
        for end in [&requests, &replies] {
            fcntl_setfl(end, OFlags::NONBLOCK).map_err(Error::system("set up a pipe"))?;
        }
        let log = memfd_create("amazons-log", MemfdFlags::CLOEXEC).map_err(Error::system("make a log"))?;
        // Programs may open their streams again, as /dev/stderr; a player could erase its log that way.
        let mode = if spec.task.arguments().is_some() { Mode::from_raw_mode(0o666) } else { Mode::empty() };
        for stream in [requests_end.as_fd(), replies_end.as_fd(), log.as_fd()] {
            fchmod(stream, mode).map_err(Error::system("set up a stream"))?;
        }
        // Other processes have no children whose time could be lost.
        let has_counter = spec.task.arguments().is_some() || spec.task == ProcessTask::Probe;
        let sends = has_counter || spec.tells_refusals();
        let pair = || socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None);
        let counter = sends.then(pair).transpose().map_err(Error::system("make a socket"))?;
        let (counter, counter_end) = counter.unzip();
        let streams = [Some(&requests_end), Some(&replies_end), Some(&log), counter_end.as_ref()];
        let streams: Vec<_> = streams.into_iter().flatten().map(AsFd::as_fd).collect();
        let pid = parent.fork(&streams)?;
        // Without these rights no process may run. This one waits for its task, and ends without it.
        test_kill_process(pid).map_err(|errno| {
            Error::Refused(format!("the server is not allowed to end the players' processes: kill: {errno}"))
        })?;
        if let Err(error) = fs::metadata(format!("/proc/{}/stat", pid.as_raw_nonzero()))
            && proc_is_ours()
        {
            let text = "/proc hides players from the server, so it cannot limit their memory";
            return Err(Error::Refused(format!("{text}: {error}")));
        }
        // Its number stays its own until its parent reaps it, which it does on our request.
        let scope = if spec.task.arguments().is_some() { Scope::Session } else { Scope::Process };
        parent.watch_list().add(pid, ResourceBounds { memory: spec.memory, threads: spec.threads, scope });
        let mut process = Self {
            parent: Arc::clone(parent),
            pid,
            pidfd: pidfd_open(pid, PidfdFlags::empty()).ok(),
            requests: Some(requests),
            _requests_end: requests_end,
            replies,
            log: File::from(log),
            spec,
            unsent,
            sent: 0,
            sandbox: None,
            counter,
            has_counter: false,
            refusals: None,
            report: None,
            ending: None,
            last_look: Cell::new(Instant::now()),
            is_backstop: Cell::new(false),
            computed_before: Cell::new(Duration::ZERO),
            meter: RefCell::new(CallMeter::new()),
            queue: RefCell::default(),
        };
        // Before the message: until it has come, nothing runs that could count the processors.
        if cores == Cores::One {
            shared_core::join(pid);
        }
        process.write_some()?;
        Ok(process)
    }

    /// Waits until the process is confined; foreign code is not to blame for earlier failures.
    /// Fails when the process cannot be set up, or is less confined than requested; it is then ended.
    pub fn await_ready(&mut self) -> Result<Sandbox, Error> {
        self.resume_call();
        let timeouts = Timeouts::wall(START_LIMIT);
        // The message may be longer than a pipe's buffer.
        // From its message on, foreign code may exceed limits: the next call finds out.
        let notice = self.send(&[], timeouts).and_then(|()| notice_in(&self.reply(timeouts)?));
        let Notice { kind, text } = notice.map_err(|silence| self.not_ready(silence))?;
        if kind == NoticeKind::Ready
            && let Ok(sandbox) = serde_json::from_slice(&text)
        {
            self.sandbox = Some(sandbox);
            let socket = self.counter.take();
            if self.spec.tells_refusals() {
                self.refusals = socket.and_then(|socket| Refusals::receive(&socket, self.spec.threads));
            } else if let Some(counter) = socket.and_then(|socket| TaskClock::receive(&socket)) {
                self.has_counter = true;
                self.parent.watch_list().count(self.pid, counter);
            }
            return Ok(sandbox);
        }
        self.end()?;
        let reason = String::from_utf8_lossy(&text).into_owned();
        Err(if kind == NoticeKind::Refused { Error::Refused(reason) } else { Error::SetUp(reason) })
    }

    /// Ends a process that was not set up, and returns the reason.
    pub fn not_ready(&mut self, silence: NoReply) -> Error {
        let ending = self.end();
        Error::SetUp(match silence {
            NoReply::Host(error) => return error,
            NoReply::Late | NoReply::Exhausted => format!("not ready within {START_LIMIT:?}"),
            NoReply::Over(_) => return Error::TooLarge,
            NoReply::Disconnected => "it closed its pipe".to_owned(),
            NoReply::Broken(what) => what,
            NoReply::Ended => match ending {
                Ok(ending) => format!("{ending}: {}", printable(self.log().trim_ascii())),
                Err(error) => return error,
            },
        })
    }

    /// Waits for a notice from our own code in the process.
    pub(crate) fn notice(&mut self, timeouts: Timeouts) -> Result<Notice, NoReply> {
        notice_in(&self.receive(timeouts)?)
    }

    /// Returns the process's confinement, once it is set up.
    #[must_use]
    pub const fn sandbox(&self) -> Option<Sandbox> {
        self.sandbox
    }

    /// Sends bytes after those still unsent, waiting for space as long as the process lives.
    /// Fails when the process does not read them in time. If it has ended, [`Process::receive`] reports that.
    pub fn send(&mut self, bytes: &[u8], timeouts: Timeouts) -> Result<(), NoReply> {
        self.unsent.extend_from_slice(bytes);
        let mut is_sent = self.write_some()?;
        self.meter.get_mut().sent();
        while !is_sent {
            let Some(requests) = &self.requests else { return Ok(()) };
            match self.wait(requests.as_fd(), PollFlags::OUT, timeouts)? {
                Event::Ready => {}
                // It may have given its reason: `receive` finds out.
                Event::Ended => return Ok(()),
                Event::Over(silence) => return Err(silence),
            }
            is_sent = self.write_some()?;
        }
        Ok(())
    }

    /// Waits for a reply with any content: the bytes of one write of at most [`NOTICE_LEN`]. A complete reply counts,
    /// even if the process ended right after it. Fails when no reply comes, or the process has exceeded a limit.
    pub fn receive(&mut self, timeouts: Timeouts) -> Result<Vec<u8>, NoReply> {
        let reply = self.reply(timeouts)?;
        self.look_again()?;
        Ok(reply)
    }

    fn reply(&mut self, timeouts: Timeouts) -> Result<Vec<u8>, NoReply> {
        loop {
            let frame = self.read_block(NOTICE_LEN, timeouts)?;
            if frame.is_empty() {
                return Err(if self.ends_within(DYING)? { NoReply::Ended } else { NoReply::Disconnected });
            }
            if !CrashReport::begins(&frame) {
                return Ok(frame);
            }
            // If several threads die together, each reports; the first report knows most.
            if self.report.is_some() {
                let ends = self.ends_within(DYING)?;
                return Err(if ends { NoReply::Ended } else { NoReply::Broken(NOT_A_FRAME.to_owned()) });
            }
            // Only the end can follow a report.
            self.report = Some(self.receive_report(&frame)?);
        }
    }

    /// Waits for unframed bytes; returns none at the end of the process's output. Fails when no bytes come.
    pub fn receive_bytes(&mut self, timeouts: Timeouts) -> Result<Vec<u8>, NoReply> {
        match self.read_block(BLOCK, timeouts) {
            // Its children may still write.
            Err(NoReply::Ended) => Ok(Vec::new()),
            Err(silence) => Err(silence),
            Ok(bytes) => {
                // Otherwise a process that always writes would never be looked at.
                self.look_again()?;
                Ok(bytes)
            }
        }
    }

    /// Reads once without waiting; returns no bytes if the pipe is closed.
    ///
    /// # Errors
    /// [`NoReply::Late`] if there is nothing to read yet; or if the process has exceeded a limit.
    pub fn available(&mut self) -> Result<Vec<u8>, NoReply> {
        let bytes = self.read_once(BLOCK)?;
        self.look_again()?;
        bytes.ok_or(NoReply::Late)
    }

    /// Reads what there is now; `None` if there is nothing yet.
    fn read_once(&self, len: usize) -> Result<Option<Vec<u8>>, Error> {
        let mut bytes = vec![0; len];
        match retry_on_intr(|| rustix::io::read(&self.replies, &mut bytes[..])) {
            Ok(len) => {
                bytes.truncate(len);
                Ok(Some(bytes))
            }
            Err(Errno::AGAIN) => Ok(None),
            Err(errno) => Err(Error::system("read a reply")(errno)),
        }
    }

    /// Waits for one read; returns nothing if the pipe is closed.
    fn read_block(&self, len: usize, timeouts: Timeouts) -> Result<Vec<u8>, NoReply> {
        loop {
            let event = self.wait(self.replies.as_fd(), PollFlags::IN, timeouts)?;
            if let Some(bytes) = self.read_once(len)? {
                return Ok(bytes);
            }
            match event {
                Event::Ended => return Err(NoReply::Ended),
                Event::Over(silence) => return Err(silence),
                Event::Ready => {}
            }
        }
    }

    /// Shows the process the end of its input, once everything sent is read.
    pub fn close_requests(&mut self) {
        self.requests = None;
    }

    /// Stops the process and its whole group.
    pub fn freeze_group(&self) {
        // A group that is gone has nothing to stop, which the next call notices. One that may not be stopped cannot be
        // ended either, which is reported.
        if self.ending.is_none() {
            let _ = kill_process_group(self.pid, Signal::STOP);
        }
    }

    /// Continues the process and its whole group.
    pub fn thaw_group(&self) {
        if self.ending.is_none() {
            let _ = kill_process_group(self.pid, Signal::CONT);
        }
    }

    /// Reads the rest of a report; it was written at once, so the rest is there.
    fn receive_report(&self, begin: &[u8]) -> Result<CrashReport, NoReply> {
        let mut bytes = begin.to_vec();
        bytes.resize(REPORT_LEN, 0);
        let rest = bytes.get_mut(begin.len()..).unwrap_or_default();
        let read = rustix::io::read(&self.replies, rest).unwrap_or(0);
        let report = CrashReport::decode(bytes.get(..begin.len() + read).unwrap_or_default());
        report.ok_or_else(|| NoReply::Broken(format!("a frame of {} bytes", begin.len() + read)))
    }

    /// Kills the process and everything it started in its group, and returns how it ended, by itself or by us.
    ///
    /// Takes at most a second, and only the first time.
    /// Fails when the process, or something it started, cannot be ended.
    pub fn end(&mut self) -> Result<ProcessEnd, Error> {
        if let Some(ending) = self.ending {
            return Ok(ending);
        }
        // Once only, even if it fails: afterwards the number may belong to another process.
        self.ending = Some(ProcessEnd::Unknown);
        shared_core::leave(self.pid);
        // A process that has already ended stays as it ended. Its number, and so the group's, is ours until it is
        // reaped.
        let killed = self.signal(Signal::KILL).or_else(gone);
        // The fork server finds the rest of the group when the last process is reaped.
        let _ = kill_process_group(self.pid, Signal::KILL);
        let ending = self.reap();
        self.parent.watch_list().remove(self.pid);
        match (ending?, killed) {
            (ProcessEnd::Unknown, Err(errno)) => Err(Error::Left { pid: self.pid, source: errno.into() }),
            (ending, _) => {
                self.ending = Some(ending);
                Ok(ending)
            }
        }
    }

    /// Stops the process until it is continued.
    pub fn freeze(&self) -> Result<(), Error> {
        self.signal(Signal::STOP).or_else(gone).map_err(Error::system("stop a process"))
    }

    /// Continues the process.
    pub fn thaw(&self) -> Result<(), Error> {
        self.signal(Signal::CONT).or_else(gone).map_err(Error::system("continue a process"))
    }

    fn signal(&self, signal: Signal) -> Result<(), Errno> {
        match &self.pidfd {
            // A container may support the descriptor but not this call; the number is the process's own until it is
            // reaped.
            Some(pidfd) => pidfd_send_signal(pidfd, signal).or_else(|_| kill_process(self.pid, signal)),
            None => kill_process(self.pid, signal),
        }
    }

    /// Waits a bounded time: a player can have itself traced, and then its tracer comes first.
    fn reap(&self) -> Result<ProcessEnd, Error> {
        let end = Instant::now() + REAPING;
        self.ends_within(REAPING)?;
        loop {
            match self.parent.reap(self.pid)? {
                Some(reaped) => return Ok(reaped),
                None if Instant::now() < end => thread::sleep(REAPING_PAUSE),
                None => return Ok(ProcessEnd::Unknown),
            }
        }
    }

    /// Returns whether the kernel wakes us when the process ends.
    #[must_use]
    pub const fn has_pidfd(&self) -> bool {
        self.pidfd.is_some()
    }

    /// Returns whether the kernel counts the processor time of the process and everything it starts, once it is set up.
    #[must_use]
    pub const fn has_counter(&self) -> bool {
        self.has_counter
    }

    /// Asks a late process where it is, which ends it if it behaves like a player.
    pub fn ask_where(&mut self) {
        // A stopped process would not notice.
        if self.signal(Signal::XCPU).is_ok() && self.thaw().is_ok() {
            // It is too late for anything but a report, and for any excuse.
            self.begin_call(false);
            let _ = self.receive(Timeouts::wall(REPORT_GRACE));
        }
    }

    /// Returns what the process runs.
    #[must_use]
    pub const fn spec(&self) -> &ProcessSpec {
        &self.spec
    }

    /// Returns the fork server that the process comes from.
    #[must_use]
    pub const fn parent(&self) -> &Arc<ForkServer> {
        &self.parent
    }

    /// Returns the process's report of its own end.
    pub const fn report(&self) -> Option<&CrashReport> {
        self.report.as_ref()
    }

    /// Returns what was last refused to the process in this call.
    #[must_use]
    pub fn refused(&self) -> Option<Refusal> {
        self.refusals.as_ref()?.last()
    }

    /// The processor time that the process has used.
    pub fn cpu_time(&self) -> Duration {
        time::process_time(self.pid)
    }

    /// Lets others read the process's output. Fails when descriptors have run out.
    pub fn show_log(&self, printed: Option<&Printed>) -> Result<(), Error> {
        let Some(printed) = printed else { return Ok(()) };
        printed.show(self.log.try_clone().map_err(Error::system("show a log"))?, self.spec.log_limit);
        Ok(())
    }

    /// Returns how many bytes of the process's output count.
    pub fn log_len(&self) -> u64 {
        self.log.metadata().map_or(0, |metadata| metadata.len().min(self.spec.log_limit))
    }

    /// Returns what the process has printed.
    pub fn log(&self) -> Vec<u8> {
        let len = self.log_len();
        let mut bytes = Tail::read(&self.log, len, len).unwrap_or_default().bytes;
        if len > 0 && len == self.spec.log_limit {
            bytes.extend_from_slice(CUT_OFF);
        }
        bytes
    }

    /// Writes unsent bytes as far as there is space; returns whether everything is sent.
    fn write_some(&mut self) -> Result<bool, Error> {
        while let Some(rest) = self.unsent.get(self.sent..).filter(|rest| !rest.is_empty()) {
            let Some(requests) = &self.requests else { break };
            match retry_on_intr(|| rustix::io::write(requests, rest)) {
                Ok(len) => self.sent += len,
                Err(Errno::AGAIN) => return Ok(false),
                Err(errno) => return Err(Error::system("send a request")(errno)),
            }
        }
        self.unsent.clear();
        // A large board's graph is sent once.
        self.unsent.shrink_to(BLOCK);
        self.sent = 0;
        Ok(true)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Code that could report this has ended it before; it must not go unnoticed.
        if let Err(error @ Error::Left { .. }) = self.end() {
            eprintln!("{}", error_chain(&error));
        }
    }
}

impl From<Error> for NoReply {
    fn from(error: Error) -> Self {
        Self::Host(error)
    }
}

/// A process that is gone needs no signal.
fn gone(errno: Errno) -> Result<(), Errno> {
    if errno == Errno::SRCH { Ok(()) } else { Err(errno) }
}

/// Reads a notice from a reply.
fn notice_in(reply: &[u8]) -> Result<Notice, NoReply> {
    Notice::decode(reply).ok_or_else(|| NoReply::Broken(NOT_A_FRAME.to_owned()))
}
