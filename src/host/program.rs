//! Another program in a process of its own, locked down and spoken to in lines.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sprs::CsMatI;

use super::clock::Deadline;
use super::config::Limits;
use super::error::HostError;
use super::fork_server::{ForkServer, Reaped};
use super::frame::{Outcome, REPLY_LEN, Reply, Topic};
use super::lockdown::FAMILY_LIMIT;
use super::memory;
use super::printed::Printed;
use super::process::{NoReply, Process, ProcessEnd, Timeouts, absolute};
use super::process_player::{MAPPED_AT_LEAST, MAPPED_FACTOR, START_LIMIT};
use super::resource_watch::{Bounds, Overrun, Scope};
use super::sandbox::SandboxMode;
use super::setup::{ProcessSpec, SetUp, Task};
use super::verdict::{self, fault, signal_name};
use crate::referee::{Call, CallError, Fault, Sandbox, Termination};
use crate::text::printable;

/// The longest line that a program may write, in bytes.
const LINE_MAX: usize = 64 << 10;

/// How long after its time a program's lines are still read: the server may have been busy elsewhere.
const OVERTIME: Duration = Duration::from_millis(500);

/// How long a program that has closed its output may take to end.
const ENDING: Duration = Duration::from_millis(500);

/// Describes a program to the host.
#[derive(Clone, Debug)]
pub struct ProgramConfig {
    /// The program's file; a relative path is taken from the current folder.
    pub path: PathBuf,
    /// Its arguments, its name first.
    pub arguments: Vec<OsString>,
    /// What it may use.
    pub limits: Limits,
    /// Is told to it as `AMAZONS_SEED`.
    pub seed: u64,
    /// What to do about a kernel that has less than the sandbox needs.
    pub sandbox: SandboxMode,
    /// Files and folders that it may read and run besides the system's.
    pub readable: Vec<PathBuf>,
    /// Shows what it prints besides its answers while it runs.
    pub printed: Option<Printed>,
}

/// How long something is waited for, and what for.
#[derive(Clone, Copy, Debug)]
pub struct Wait {
    /// What the program is asked for.
    pub call: Call,
    /// Until when.
    pub end: Instant,
    /// What it was allowed, for messages.
    pub limit: Duration,
}

impl Wait {
    /// Waits from now on, and for no longer than this.
    #[must_use]
    pub fn new(call: Call, limit: Duration) -> Self {
        // No limit is so far away that the clock would not reach it.
        Self { call, end: Instant::now() + limit, limit }
    }

    fn timeouts(&self) -> Timeouts {
        Timeouts { deadline: Deadline::after(self.end.saturating_duration_since(Instant::now())), cpu: None }
    }
}

/// A program in a process of its own; it is gone, with all that it started, when the value is dropped.
#[derive(Debug)]
pub struct Program {
    process: Process,
    limits: Limits,
    sandbox: Option<Sandbox>,
    kernel_kills: Option<u64>,
    /// What it has written beyond the last line that was read.
    unread: VecDeque<u8>,
    is_over: bool,
}

impl Program {
    /// Starts the process; the program runs from here on.
    ///
    /// # Errors
    /// When the process cannot be started.
    pub fn start(parent: &Arc<ForkServer>, config: &ProgramConfig) -> Result<Self, HostError> {
        let orders = orders(config)?;
        let set_up = SetUp::encode(&orders, CsMatI::zero((0, 0)).view(), [&[], &[]]);
        let bounds = Bounds { memory: config.limits.memory, threads: FAMILY_LIMIT, scope: Scope::Session };
        let process = Process::start(parent, set_up, config.limits.log, bounds)?;
        process.show_log(config.printed.as_ref())?;
        Ok(Self {
            process,
            limits: config.limits.clone(),
            sandbox: None,
            kernel_kills: parent.kernel_kills(),
            unread: VecDeque::new(),
            is_over: false,
        })
    }

    /// Waits until the process is locked down; what goes wrong before that is not the program's doing.
    ///
    /// # Errors
    /// When the process cannot be set up.
    pub fn await_set_up(&mut self) -> Result<(), HostError> {
        // The set-up may be longer than what a pipe holds.
        let reply = self.process.send(&[], Timeouts::wall(START_LIMIT));
        let reply = reply.and_then(|()| self.process.receive(Timeouts::wall(START_LIMIT)));
        match reply {
            Ok(Reply { outcome: Outcome::Ready, text, .. }) => {
                self.sandbox = serde_json::from_slice(&text).ok();
                Ok(())
            }
            Ok(Reply { outcome: Outcome::Refused, text, .. }) => Err(HostError::Sandbox(printable(&text))),
            Ok(reply) => Err(HostError::SetUp(printable(&reply.text))),
            Err(NoReply::Host(error)) => Err(error),
            Err(silence) => Err(HostError::SetUp(format!("{silence:?}: {}", printable(&self.process.log())))),
        }
    }

    /// Sends a line.
    ///
    /// # Errors
    /// When the program does not read it in time, or the host fails; that it is gone is for [`Program::line`] to say.
    pub fn send(&mut self, line: &str, wait: Wait) -> Result<(), CallError> {
        let sent = self.process.send(format!("{line}\n").as_bytes(), wait.timeouts());
        sent.map_err(|silence| self.verdict(wait, silence))
    }

    /// Lets the program see the end of its input.
    pub fn close_input(&mut self) {
        self.process.close_requests();
    }

    /// Waits for a line, and answers it without its end; `None` when the program has closed its output in good order.
    ///
    /// # Errors
    /// When the program fails, or writes no line in time, or the host fails.
    pub fn line(&mut self, wait: Wait) -> Result<Option<String>, CallError> {
        loop {
            // What is there is read even when it comes late; but a program must not go on writing for ever.
            if Instant::now() > wait.end + OVERTIME {
                return Err(self.verdict(wait, NoReply::Late));
            }
            if let Some(end) = self.unread.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.unread.drain(..=end).collect();
                return Ok(Some(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned()));
            }
            if self.unread.len() > LINE_MAX {
                let detail = format!("wrote a line of more than {} KiB", LINE_MAX >> 10);
                return Err(self.charge(fault(Termination::ProtocolError, wait.call, detail)));
            }
            if self.is_over {
                return Ok(None);
            }
            match self.process.receive_bytes(wait.timeouts()) {
                Ok(bytes) if bytes.is_empty() => {
                    self.is_over = true;
                    let rest = Vec::from(std::mem::take(&mut self.unread));
                    if !rest.is_empty() {
                        return Ok(Some(String::from_utf8_lossy(&rest).into_owned()));
                    }
                }
                Ok(bytes) => {
                    self.unread.extend(bytes);
                    self.check_start(wait)?;
                }
                Err(silence) => return Err(self.verdict(wait, silence)),
            }
        }
    }

    /// Finds the one frame that comes from our own code, when the program could not be started.
    fn check_start(&mut self, wait: Wait) -> Result<(), CallError> {
        let Some(frame) = self.unread.make_contiguous().first_chunk::<REPLY_LEN>() else { return Ok(()) };
        match Reply::decode(frame) {
            Ok(reply) if reply.topic == Topic::Call(Call::Load) && reply.outcome == Outcome::Failed => {
                let text = printable(&reply.text);
                Err(self.charge(fault(Termination::LoadError, wait.call, text)))
            }
            _ => Ok(()),
        }
    }

    /// What the end of the output means where more was expected: how the program ended, or that it goes on without.
    pub fn silence(&mut self, call: Call) -> CallError {
        match self.process.has_ended_within(ENDING) {
            Ok(true) => self.ended(call),
            Ok(false) => self.charge(verdict::disconnected(call)),
            Err(error) => error.into(),
        }
    }

    /// Waits for the program to end by itself; answers whether it did.
    ///
    /// # Errors
    /// When the host fails.
    pub fn ends_by(&self, end: Instant) -> Result<bool, HostError> {
        self.process.has_ended_within(end.saturating_duration_since(Instant::now()))
    }

    /// Stops the program, and all that it started, until it is asked again.
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

    /// Says how the program is confined, once it is set up.
    #[must_use]
    pub const fn sandbox(&self) -> Option<Sandbox> {
        self.sandbox
    }

    /// Reads what the program wrote to its standard error.
    #[must_use]
    pub fn log(&self) -> Vec<u8> {
        self.process.log()
    }

    /// Ends the program and says what it is charged with for having ended by itself.
    fn ended(&mut self, call: Call) -> CallError {
        // ProcessEnd the process forgets this.
        if let Some(overrun) = self.process.overrun() {
            return self.over(call, overrun);
        }
        let ending = match self.process.end() {
            Ok(ending) => ending,
            Err(error) => return error.into(),
        };
        let filtered = self.sandbox.is_some_and(|sandbox| sandbox.seccomp);
        let charged = match ending {
            ProcessEnd::Known(Reaped::Killed { signal: libc::SIGKILL, .. })
                if memory::kernel_kills() > self.kernel_kills =>
            {
                return HostError::MachineMemory.into();
            }
            ProcessEnd::Known(Reaped::Killed { signal, .. }) => {
                let is_violation = signal == libc::SIGSYS && filtered;
                let termination = if is_violation { Termination::Violation } else { Termination::Crash };
                let detail = format!("killed by {}", signal_name(signal));
                Fault { signal: Some(signal), ..fault(termination, call, detail) }
            }
            ProcessEnd::Known(Reaped::Exited { status, .. }) => {
                let detail = format!("ended its process with status {status}");
                Fault { exit_code: Some(status), ..fault(Termination::Exit, call, detail) }
            }
            ProcessEnd::Unknown => fault(Termination::ProtocolError, call, "ended for an unknown reason".to_owned()),
        };
        CallError::Fault(charged)
    }

    fn verdict(&mut self, wait: Wait, silence: NoReply) -> CallError {
        let call = wait.call;
        match silence {
            NoReply::Host(error) => error.into(),
            NoReply::Ended => self.ended(call),
            NoReply::Disconnected => self.charge(verdict::disconnected(call)),
            NoReply::Broken(error) => self.charge(verdict::broken(call, &error)),
            NoReply::Over(overrun) => self.over(call, overrun),
            NoReply::Late | NoReply::Exhausted => {
                let detail = format!("{call} did not end within {:?} on the clock", wait.limit);
                self.charge(fault(Termination::Timeout, call, detail))
            }
        }
    }

    fn over(&mut self, call: Call, overrun: Overrun) -> CallError {
        self.charge(match overrun {
            Overrun::Threads(count) => {
                let detail = format!("has {count} threads and processes: at most {FAMILY_LIMIT}");
                fault(Termination::Violation, call, detail)
            }
            overrun => verdict::over(call, overrun, &self.limits),
        })
    }

    /// Ends the program, which has failed.
    fn charge(&mut self, fault: Fault) -> CallError {
        // The fault is known; how the process ends does not change it.
        let _ = self.process.end();
        CallError::Fault(fault)
    }
}

/// Writes down what the process is to become.
fn orders(config: &ProgramConfig) -> Result<ProcessSpec, HostError> {
    let limits = &config.limits;
    let environment = [("AMAZONS_THREADS", limits.threads.to_string()), ("AMAZONS_SEED", config.seed.to_string())];
    Ok(ProcessSpec {
        path: absolute(&config.path)?,
        task: Task::Run(config.arguments.clone()),
        abi_id: 0,
        seed: config.seed,
        environment: environment.into_iter().map(|(name, value)| format!("{name}={value}").into()).collect(),
        sandbox: config.sandbox,
        allow_read: config.readable.iter().map(|path| absolute(path)).collect::<Result<_, _>>()?,
        threads: limits.threads.get(),
        log_limit: limits.log,
        data_limit: limits.memory.saturating_mul(MAPPED_FACTOR).max(MAPPED_AT_LEAST),
    })
}
