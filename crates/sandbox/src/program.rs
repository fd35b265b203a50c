use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::clock::{Deadline, Timeouts};
use super::confinement::SandboxMode;
use super::error::Error;
use super::fork_server::{ForkServer, ProcessEnd};
use super::lockdown::FAMILY_LIMIT;
use super::memory;
use super::notice::{NOTICE_LEN, Notice, NoticeKind};
use super::printed::Printed;
use super::process::{NoReply, Process};
use super::resource_watch::Overrun;
use super::sandbox::Sandbox;
use super::signals::signal_name;
use super::spec::{ProcessSpec, Task, absolute};
use super::text::printable;

/// The longest line that a program may write, in bytes.
const LINE_MAX: usize = 64 << 10;

/// The time after a deadline in which lines are still read: the reader may have been busy elsewhere.
const OVERTIME: Duration = Duration::from_millis(500);

/// The time for a program that has closed its output to end.
const ENDING: Duration = Duration::from_millis(500);

/// A program to be run, and what it may use.
#[derive(Clone, Debug)]
pub struct ProgramConfig {
    /// The program's file; a relative path is taken from the current folder.
    pub path: PathBuf,
    /// Its arguments, its name first.
    pub arguments: Vec<OsString>,
    /// Its environment beyond what every process has, each as `NAME=value`.
    pub environment: Vec<OsString>,
    /// The bytes of memory that it may keep, with all that it starts.
    pub memory: u64,
    /// The bytes that it may write to its standard error.
    pub log: u64,
    /// The reaction to a kernel that has less than the sandbox needs.
    pub sandbox: SandboxMode,
    /// Files and folders that it may read and run besides the system's.
    pub readable: Vec<PathBuf>,
    /// Shows what it writes to its standard error while it runs.
    pub printed: Option<Printed>,
}

impl ProgramConfig {
    /// A program without arguments that may read its own folder: 4 GiB of memory, 1 MiB of log, as much sandbox as the
    /// kernel has.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Self {
            arguments: vec![path.clone().into()],
            environment: Vec::new(),
            memory: 4 << 30,
            log: 1 << 20,
            sandbox: SandboxMode::default(),
            readable: vec![folder.to_owned()],
            path,
            printed: None,
        }
    }

    fn spec(&self) -> Result<ProcessSpec, Error> {
        Ok(ProcessSpec {
            path: absolute(&self.path)?,
            task: Task::Run(self.arguments.clone()),
            environment: self.environment.clone(),
            sandbox: self.sandbox,
            allow_read: self.readable.iter().map(|path| absolute(path)).collect::<Result<_, _>>()?,
            threads: FAMILY_LIMIT,
            log_limit: self.log,
            memory: self.memory,
        })
    }
}

/// Why a program did not do what was asked; it is ended, but where [`ProgramError::Host`] says that we failed.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// It cannot be run.
    #[error("{0}")]
    NotRun(String),
    /// It was not done in time.
    #[error("not done in time")]
    Late,
    /// It had too much of something.
    #[error("{}", overrun(.0))]
    Over(Overrun),
    /// A signal ended it.
    #[error("killed by {}", signal_name(*.signal))]
    Killed {
        /// The signal's number.
        signal: i32,
        /// Whether it is how the sandbox answers an attack.
        is_violation: bool,
    },
    /// It ended itself with a status.
    #[error("ended its process with status {0}")]
    Exited(i32),
    /// It ended, and another process knows why.
    #[error("ended for an unknown reason")]
    Ended,
    /// It goes on without a connection to us.
    #[error("the connection to the server was closed or damaged")]
    Disconnected,
    /// It wrote a line that is too long.
    #[error("wrote a line of more than {} KiB", LINE_MAX >> 10)]
    LongLine,
    /// We failed.
    #[error(transparent)]
    Host(#[from] Error),
}

fn overrun(overrun: &Overrun) -> String {
    match overrun {
        Overrun::Threads { count, limit } => format!("has {count} threads and processes: at most {limit}"),
        overrun => overrun.to_string(),
    }
}

/// A program in a process of its own, confined, and spoken to in lines; it is gone, with all that it started, when the
/// value is dropped.
#[derive(Debug)]
pub struct Program {
    process: Process,
    kernel_kills: Option<u64>,
    /// Its output beyond the last line that was read.
    unread: VecDeque<u8>,
    is_over: bool,
}

impl Program {
    /// Starts the process; the program runs from here on.
    ///
    /// # Errors
    /// When the process cannot be started.
    pub fn start(parent: &Arc<ForkServer>, config: &ProgramConfig) -> Result<Self, Error> {
        let process = Process::start(parent, config.spec()?, |_| ())?;
        process.show_log(config.printed.as_ref())?;
        Ok(Self { process, kernel_kills: parent.kernel_kills(), unread: VecDeque::new(), is_over: false })
    }

    /// Waits until the process is confined; what goes wrong before that is not the program's doing. Comes before the
    /// first [`Program::line`].
    ///
    /// # Errors
    /// When the process cannot be set up.
    pub fn await_ready(&mut self) -> Result<Sandbox, Error> {
        self.process.await_ready()
    }

    /// Sends a line; that the program is gone is for [`Program::line`] to say.
    ///
    /// # Errors
    /// When the program does not read it in time.
    pub fn send(&mut self, line: &str, end: Instant) -> Result<(), ProgramError> {
        let sent = self.process.send(format!("{line}\n").as_bytes(), timeouts(end));
        sent.map_err(|silence| self.failed(silence))
    }

    /// Lets the program see the end of its input.
    pub fn close_input(&mut self) {
        self.process.close_requests();
    }

    /// Waits for a line, and answers it without its end; `None` when the program has closed its output in good order.
    ///
    /// # Errors
    /// When the program writes no line in time, or ends before that.
    pub fn line(&mut self, end: Instant) -> Result<Option<String>, ProgramError> {
        loop {
            // What is there is read even when it comes late; but a program must not go on writing for ever.
            if Instant::now() > end + OVERTIME {
                return Err(self.end(ProgramError::Late));
            }
            if let Some(end) = self.unread.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.unread.drain(..=end).collect();
                return Ok(Some(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned()));
            }
            if self.unread.len() > LINE_MAX {
                return Err(self.end(ProgramError::LongLine));
            }
            if self.is_over {
                return Ok(None);
            }
            match self.process.receive_bytes(timeouts(end)) {
                Ok(bytes) if bytes.is_empty() => {
                    self.is_over = true;
                    let rest = Vec::from(std::mem::take(&mut self.unread));
                    if !rest.is_empty() {
                        return Ok(Some(String::from_utf8_lossy(&rest).into_owned()));
                    }
                }
                Ok(bytes) => {
                    self.unread.extend(bytes);
                    self.check_start()?;
                }
                Err(silence) => return Err(self.failed(silence)),
            }
        }
    }

    /// Finds the one frame that comes from our own code, when the program could not be run.
    fn check_start(&mut self) -> Result<(), ProgramError> {
        let Some(frame) = self.unread.make_contiguous().first_chunk::<NOTICE_LEN>() else { return Ok(()) };
        match Notice::decode(frame) {
            Some(Notice { kind: NoticeKind::NotRun, text }) => Err(self.end(ProgramError::NotRun(printable(&text)))),
            _ => Ok(()),
        }
    }

    /// Returns what the end of the output means where more was expected: how the program ended, or that it goes on
    /// without.
    pub fn silence(&mut self) -> ProgramError {
        match self.process.ends_within(ENDING) {
            Ok(true) => self.ended(),
            Ok(false) => self.end(ProgramError::Disconnected),
            Err(error) => error.into(),
        }
    }

    /// Waits for the program to end by itself; answers whether it did.
    ///
    /// # Errors
    /// When we fail.
    pub fn ends_by(&self, end: Instant) -> Result<bool, Error> {
        self.process.ends_within(end.saturating_duration_since(Instant::now()))
    }

    /// Stops the program, and all that it started, until it is resumed.
    pub fn pause(&self) {
        self.process.freeze_group();
    }

    /// Lets the program go on.
    pub fn resume(&self) {
        self.process.thaw_group();
    }

    /// Returns the processor time that the program and all that it started have used.
    #[must_use]
    pub fn cpu_time(&self) -> Duration {
        self.process.cpu_time_of_family()
    }

    /// Returns how the program is confined, once [`Program::await_ready`] has returned.
    #[must_use]
    pub const fn sandbox(&self) -> Option<Sandbox> {
        self.process.sandbox()
    }

    /// Reads what the program wrote to its standard error.
    #[must_use]
    pub fn log(&self) -> Vec<u8> {
        self.process.log()
    }

    /// Ends the program, which has ended by itself, and says how.
    fn ended(&mut self) -> ProgramError {
        // A process that is ended forgets this.
        if let Some(overrun) = self.process.overrun() {
            return self.end(ProgramError::Over(overrun));
        }
        match self.process.end() {
            Ok(ProcessEnd::Killed { signal: libc::SIGKILL, .. }) if memory::kernel_kills() > self.kernel_kills => {
                Error::MachineMemory.into()
            }
            Ok(ProcessEnd::Killed { signal, .. }) => {
                let is_filtered = self.sandbox().is_some_and(|sandbox| sandbox.seccomp);
                ProgramError::Killed { signal, is_violation: signal == libc::SIGSYS && is_filtered }
            }
            Ok(ProcessEnd::Exited { status, .. }) => ProgramError::Exited(status),
            Ok(ProcessEnd::Unknown) => ProgramError::Ended,
            Err(error) => error.into(),
        }
    }

    fn failed(&mut self, silence: NoReply) -> ProgramError {
        let error = match silence {
            NoReply::Ended => return self.ended(),
            NoReply::Host(error) => return error.into(),
            NoReply::Disconnected | NoReply::Broken(_) => ProgramError::Disconnected,
            NoReply::Over(overrun) => ProgramError::Over(overrun),
            NoReply::Late | NoReply::Exhausted => ProgramError::Late,
        };
        self.end(error)
    }

    /// Ends the program, which has failed.
    fn end(&mut self, error: ProgramError) -> ProgramError {
        // The failure is known; how the process ends does not change it.
        let _ = self.process.end();
        error
    }
}

fn timeouts(end: Instant) -> Timeouts {
    Timeouts { deadline: Deadline::after(end.saturating_duration_since(Instant::now())), cpu: None }
}
