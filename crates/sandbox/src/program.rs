use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::confinement::SandboxMode;
use super::error::Error;
use super::fork_server::{ForkServer, ProcessEnd};
use super::interference::Interference;
use super::lockdown::FAMILY_LIMIT;
use super::memory;
use super::notice::{NOTICE_LEN, Notice, NoticeKind};
use super::printed::Printed;
use super::process::{NoReply, Process};
use super::resource_watch::Overrun;
use super::sandbox::Sandbox;
use super::shared_core::Cores;
use super::signals::signal_name;
use super::spec::{ProcessSpec, ProcessTask, absolute};
use super::text::printable;
use super::time::{Deadline, Timeouts};

/// Maximum length of a program's line, in bytes.
const LINE_MAX: usize = 64 << 10;

/// The time after a deadline in which lines are still read: the reader may have been busy.
const OVERTIME: Duration = Duration::from_millis(500);

/// The number of bytes read after that, if the server was kept from reading: the size of a pipe's buffer.
const LATE_MAX: usize = 64 << 10;

/// The time that a program may take to end after closing its output.
const ENDING: Duration = Duration::from_millis(500);

/// Its output is shown and kept as text.
const PLAIN: &str = "NO_COLOR=1";

/// A program to run, and its limits.
#[derive(Clone, Debug)]
pub struct ProgramConfig {
    /// The program's file; a relative path starts at the current folder.
    pub path: PathBuf,
    /// Its arguments, starting with its name.
    pub arguments: Vec<OsString>,
    /// Its environment besides the standard one, `HOME` and `TMPDIR`, each as `NAME=value`.
    pub environment: Vec<OsString>,
    /// The memory limit in bytes, for it and all that it starts.
    pub memory: u64,
    /// The number of bytes of its standard error to keep.
    pub log: u64,
    /// The reaction to a kernel that offers less than the sandbox needs.
    pub sandbox: SandboxMode,
    /// Files and folders that it may read and run besides the system's.
    pub readable: Vec<PathBuf>,
    /// Shows its standard error while it runs.
    pub printed: Option<Printed>,
    /// Maximum number of threads and processes.
    pub threads: u32,
    /// A folder to write to, for programs that build: it then owns the folder, and `log` is also the length of any
    /// file. `None` if it may change no files.
    pub folder: Option<PathBuf>,
}

impl ProgramConfig {
    /// Takes no arguments, and may read its own folder: 4 GiB of memory, 1 MiB of log, as much sandbox as the kernel
    /// supports.
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
            threads: FAMILY_LIMIT,
            folder: None,
        }
    }

    fn spec(&self) -> Result<ProcessSpec, Error> {
        Ok(ProcessSpec {
            path: absolute(&self.path)?,
            task: match &self.folder {
                Some(folder) => {
                    let folder = absolute(folder)?.into_os_string();
                    ProcessTask::Build([folder].into_iter().chain(self.arguments.iter().cloned()).collect())
                }
                None => ProcessTask::Run(self.arguments.clone()),
            },
            environment: [PLAIN.into()].iter().chain(&self.environment).cloned().collect(),
            sandbox: self.sandbox,
            allow_read: self.readable.iter().map(|path| absolute(path)).collect::<Result<_, _>>()?,
            threads: self.threads,
            log_limit: self.log,
            memory: self.memory,
        })
    }
}

/// Why a program did not do as asked; it is then ended, except after [`ProgramError::Host`].
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// It cannot be run.
    #[error("{0}")]
    NotRun(String),
    /// It was too slow.
    #[error("not done in time{0}")]
    Late(Interference),
    /// It has computed for longer than it may.
    #[error("not done within {limit:?} of processor time{interference}")]
    Exhausted {
        /// How long it might compute.
        limit: Duration,
        /// The delays that the machine caused.
        interference: Interference,
    },
    /// It exceeded a limit.
    #[error("{}", overrun(.0))]
    Over(Overrun),
    /// A signal ended it.
    #[error("killed by {}", signal_name(*.signal))]
    Killed {
        /// The signal's number.
        signal: i32,
        /// Whether the sandbox sent it in response to an attack.
        is_violation: bool,
    },
    /// It exited with a status.
    #[error("ended its process with status {0}")]
    Exited(i32),
    /// It ended, but only another process knows how.
    #[error("ended for an unknown reason")]
    Ended,
    /// It still runs, but has closed its connection.
    #[error("the connection to the server was closed or damaged")]
    Disconnected,
    /// It wrote a line that is too long.
    #[error("wrote a line of more than {} KiB", LINE_MAX >> 10)]
    LongLine,
    /// The host failed.
    #[error(transparent)]
    Host(#[from] Error),
}

fn overrun(overrun: &Overrun) -> String {
    match overrun {
        Overrun::Threads { count, limit } => format!("has {count} threads and processes: at most {limit}"),
        overrun => overrun.to_string(),
    }
}

/// A program in its own confined process, which reads and writes lines; dropping the value ends it and everything it
/// started.
#[derive(Debug)]
pub struct Program {
    process: Process,
    kernel_kills: Option<u64>,
    /// Its output after the last line read.
    unread: VecDeque<u8>,
    is_over: bool,
    /// The number of bytes that came late in this call.
    late_bytes: usize,
    /// How long it may compute in this call.
    cpu: Option<Duration>,
}

impl Program {
    /// Starts the process, and with it the program. Fails when the process cannot be started.
    pub fn start(parent: &Arc<ForkServer>, config: &ProgramConfig) -> Result<Self, Error> {
        let process = Process::start(parent, config.spec()?, Cores::All, |_| ())?;
        process.show_log(config.printed.as_ref())?;
        let (kernel_kills, unread) = (parent.kernel_kills(), VecDeque::new());
        Ok(Self { process, kernel_kills, unread, is_over: false, late_bytes: 0, cpu: None })
    }

    /// Waits until the process is confined; the program is not to blame for earlier errors. Call it before the first
    /// [`Program::line`]. Fails when the process cannot be set up.
    pub fn await_ready(&mut self) -> Result<Sandbox, Error> {
        self.process.await_ready()
    }

    /// Begins a call, which [`Program::computed`], [`Program::charged_wall`] and [`Program::interference`] measure;
    /// comes before its deadlines are set.
    ///
    /// With `is_backstop`, deadlines only catch hangs: waiting for a processor does not count.
    pub fn begin_call(&mut self, is_backstop: bool) {
        self.process.begin_call(is_backstop);
        self.cpu = None;
    }

    /// Ends the program once it and everything it started have computed for so long in this call.
    pub const fn limit_computing(&mut self, cpu: Duration) {
        self.cpu = Some(cpu);
    }

    /// Returns the processor time that the program and everything it started have used in this call.
    #[must_use]
    pub fn computed(&self) -> Duration {
        self.process.computed()
    }

    /// Returns the bytes of memory that it and everything it started had at the last look.
    #[must_use]
    pub fn resident(&self) -> u64 {
        self.process.resident()
    }

    /// Returns the wall-clock time of this call up to the last line, without what is not the program's: times when the
    /// server did not run, what its opponent computed, and, with a backstop, waiting for a processor. What it computed
    /// always counts.
    #[must_use]
    pub fn charged_wall(&self) -> Duration {
        self.process.charged_wall()
    }

    /// Returns the delays in this call that the machine caused.
    #[must_use]
    pub fn interference(&self) -> Interference {
        self.process.interference()
    }

    /// Sends a line; if the program is gone, [`Program::line`] reports it.
    /// Fails when the program does not read it in time.
    pub fn send(&mut self, line: &str, end: Instant) -> Result<(), ProgramError> {
        let sent = self.process.send(format!("{line}\n").as_bytes(), self.timeouts(end));
        sent.map_err(|silence| self.failed(silence))
    }

    /// Shows the program the end of its input.
    pub fn close_input(&mut self) {
        self.process.close_requests();
    }

    /// Waits for a line and returns it without its end; `None` if the program has closed its output properly.
    /// Fails when the program writes no line in time, or ends first.
    pub fn line(&mut self, end: Instant) -> Result<Option<String>, ProgramError> {
        loop {
            // Available output is read even late, but a program must not go on writing forever.
            let late = Instant::now().saturating_duration_since(end + OVERTIME);
            if late > self.process.foreign() || self.late_bytes > LATE_MAX {
                return Err(self.late());
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
            match self.process.receive_bytes(self.timeouts(end)) {
                Ok(bytes) if bytes.is_empty() => {
                    self.is_over = true;
                    let rest = Vec::from(std::mem::take(&mut self.unread));
                    if !rest.is_empty() {
                        return Ok(Some(String::from_utf8_lossy(&rest).into_owned()));
                    }
                }
                Ok(bytes) => {
                    self.late_bytes = if late.is_zero() { 0 } else { self.late_bytes + bytes.len() };
                    self.unread.extend(bytes);
                    self.check_start()?;
                }
                Err(silence) => return Err(self.failed(silence)),
            }
        }
    }

    /// Waits for output, not only for whole lines: no bytes if the program has closed its output, `None` if nothing
    /// came in time, which does not end the program. With `end` in the past, only checks.
    /// Fails when the program ends first, or exceeds a limit.
    pub fn output(&mut self, end: Instant) -> Result<Option<Vec<u8>>, ProgramError> {
        if self.unread.is_empty() && !self.is_over {
            let read = if end > Instant::now() {
                self.process.receive_bytes(self.timeouts(end))
            } else {
                self.process.available()
            };
            match read {
                Ok(bytes) if bytes.is_empty() => self.is_over = true,
                Ok(bytes) => {
                    self.unread.extend(bytes);
                    self.check_start()?;
                }
                Err(NoReply::Late) => return Ok(None),
                Err(silence) => return Err(self.failed(silence)),
            }
        }
        Ok(Some(std::mem::take(&mut self.unread).into()))
    }

    /// Finds the one frame that our own code wrote if the program could not be run.
    fn check_start(&mut self) -> Result<(), ProgramError> {
        let Some(frame) = self.unread.make_contiguous().first_chunk::<NOTICE_LEN>() else { return Ok(()) };
        match Notice::decode(frame) {
            Some(Notice { kind: NoticeKind::NotRun, text }) => Err(self.end(ProgramError::NotRun(printable(&text)))),
            _ => Ok(()),
        }
    }

    /// Returns why the output ended early: how the program ended, or that it still runs.
    pub fn silence(&mut self) -> ProgramError {
        match self.process.ends_within(ENDING) {
            Ok(true) => self.ended(),
            Ok(false) => self.end(ProgramError::Disconnected),
            Err(error) => error.into(),
        }
    }

    /// Waits for the program to end by itself, as long as it has time for that; returns whether it did.
    /// Fails when the host fails.
    pub fn ends_by(&self, end: Instant) -> Result<bool, Error> {
        self.process.ends_in_time(self.timeouts(end))
    }

    fn timeouts(&self, end: Instant) -> Timeouts {
        Timeouts { deadline: Deadline::at(end), cpu: self.cpu.map(|cpu| self.process.call_limit(cpu)) }
    }

    /// Stops the program and everything it started until it is resumed.
    pub fn pause(&self) {
        self.process.freeze_group();
    }

    /// Resumes the program.
    pub fn resume(&self) {
        self.process.thaw_group();
    }

    /// Returns the program's confinement, once [`Program::await_ready`] has returned.
    #[must_use]
    pub const fn sandbox(&self) -> Option<Sandbox> {
        self.process.sandbox()
    }

    /// Returns its memory limit in bytes.
    #[must_use]
    pub const fn memory(&self) -> u64 {
        self.process.spec().memory
    }

    /// Reads the program's standard error.
    #[must_use]
    pub fn log(&self) -> Vec<u8> {
        self.process.log()
    }

    /// Cleans up after a program that ended by itself, and returns how it ended.
    fn ended(&mut self) -> ProgramError {
        // Ending the process discards this.
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
            NoReply::Late => return self.late(),
            NoReply::Exhausted => ProgramError::Exhausted {
                limit: self.cpu.unwrap_or_default(),
                interference: self.process.interference(),
            },
        };
        self.end(error)
    }

    /// Ends a program that is late.
    fn late(&mut self) -> ProgramError {
        self.end(ProgramError::Late(self.process.interference()))
    }

    /// Ends a program that has failed.
    fn end(&mut self, error: ProgramError) -> ProgramError {
        // The failure is known; how the process ends does not change it.
        self.terminate().map_or_else(ProgramError::Host, |()| error)
    }

    /// Ends the program and everything it started, as dropping it does; its log can still be read.
    /// Fails when part of it cannot be ended.
    pub fn terminate(&mut self) -> Result<(), Error> {
        self.process.end().map(|_| ())
    }
}
