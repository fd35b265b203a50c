use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use amazons_rules::Move;
use amazons_sandbox::{
    Cores, CpuLimit, Deadline, Error, ForkServer, NoReply, Process, ProcessEnd, ProcessSpec, ProcessTask, START_LIMIT,
    Sandbox, SandboxLevel, Timeouts, absolute, address_space_hint,
};

use super::call_order::CallOrder;
use super::config::{Limits, SeatConfig};
use super::environment::environment_of;
use super::error::HostError;
use super::frame::{CallOutcome, FrameError, Reply, Request};
use super::load_error;
use super::loaded_file::LoadedFile;
use super::setup::SetUp;
use super::time_account::TimeAccount;
use super::verdict;
use crate::referee::{
    Answer, Call, CallError, Clock, Fault, HostFailure, Opinion, Pondering, Seat, Termination, Usage,
};

/// Maximum processor time of one thread between freezing and the next call: stopping takes a moment.
const FROZEN_MAX: Duration = Duration::from_millis(10);

/// A player in its own process.
///
/// The process starts with [`ProcessPlayer::start`] and ends when the value is dropped.
#[derive(Debug)]
pub struct ProcessPlayer {
    process: Process,
    limits: Limits,
    account: TimeAccount,
    call_order: CallOrder,
    load_deadline: Option<Deadline>,
    /// The process's own clock when its last call returned.
    cpu_mark: Duration,
    sequence: u64,
    kept_bytes: Option<u32>,
    opinion: Opinion,
    fault: Option<Fault>,
    file: LoadedFile,
    /// How much the player had printed when its last call began.
    log_mark: u64,
}

/// The clocks of a call: begun before its request is sent, settled when its reply has come.
#[derive(Debug)]
struct Clocks {
    call: Call,
    /// The process's own clock at the beginning.
    cpu_before: Duration,
    /// The processor time since its last call returned.
    idle_cpu: Duration,
    timeouts: Timeouts,
}

impl ProcessPlayer {
    /// Starts the process; the player's library is not opened yet.
    pub fn start(parent: &Arc<ForkServer>, config: &SeatConfig<'_>) -> Result<Self, HostError> {
        let spec = spec(config)?;
        let file = LoadedFile::new(&spec.path, &config.path);
        let process = Process::start(parent, spec, cores(&config.limits), |message| SetUp::encode(config, message))?;
        process.show_log(config.printed.as_ref())?;
        Ok(Self {
            process,
            account: TimeAccount::new(&config.limits),
            limits: config.limits.clone(),
            call_order: CallOrder::Started,
            load_deadline: None,
            cpu_mark: Duration::ZERO,
            sequence: 0,
            kept_bytes: None,
            opinion: Opinion::default(),
            fault: None,
            file,
            log_mark: 0,
        })
    }

    /// Ends the process and returns its peak memory; `None` if the kernel does not report it.
    pub fn peak_memory(&mut self) -> Option<u64> {
        match self.process.end() {
            Ok(ProcessEnd::Exited { peak_bytes, .. } | ProcessEnd::Killed { peak_bytes, .. }) => Some(peak_bytes),
            Ok(ProcessEnd::Unknown) | Err(_) => None,
        }
    }

    /// Returns how many bytes the player had not freed when `finalize` returned, as its process reports; negative if it
    /// freed more than it was given.
    pub const fn kept_memory(&self) -> Option<i32> {
        match self.kept_bytes {
            Some(bytes) => Some(bytes.cast_signed()),
            None => None,
        }
    }

    /// Requests loading the library without waiting for it, so that two players can load at the same time.
    pub fn begin_load(&mut self) -> Result<(), HostError> {
        self.send_load().map(|_| ())
    }

    /// Returns the deadline of the load. The clock starts here: the opponent's load may be waited for first.
    fn send_load(&mut self) -> Result<Deadline, HostError> {
        if let Some(deadline) = self.load_deadline {
            return Ok(deadline);
        }
        self.sequence += 1;
        self.process.begin_call(self.is_backstop());
        let request = Request { sequence: self.sequence, call: Call::Load, previous: None };
        let sent = self.process.send(&request.encode(), Timeouts::wall(START_LIMIT));
        sent.map_err(|silence| self.process.not_ready(silence))?;
        let deadline = Deadline::after(self.account.allowance(Call::Load).wall);
        self.load_deadline = Some(deadline);
        Ok(deadline)
    }

    /// Makes one call and waits for its end.
    fn call(&mut self, call: Call, previous: Option<Move>) -> Result<Answer<Reply>, CallError> {
        CallError::repeated(self.fault.as_ref())?;
        self.call_order = self.call_order.after(call)?;
        self.sequence += 1;
        self.log_mark = self.process.log_len();
        let request = Request { sequence: self.sequence, call, previous };
        let clocks = self.begin(call);
        let reply = self.exchange(&request, clocks.timeouts);
        let reply = self.checked(call, reply)?;
        let (usage, left) = self.settle(clocks)?;
        if call == Call::Initialize {
            // Preparing for a large board takes longer than playing on it.
            self.process.expect_quick_calls();
        }
        let mut rest_mark = self.cpu_mark;
        if self.limits.pondering == Pondering::Frozen && call != Call::Finalize {
            self.process.freeze()?;
            // What it computed before the server came to freeze it is charged to its next move, and no more than that.
            rest_mark = self.process.cpu_time();
        }
        self.begin_rest(rest_mark);
        Ok(Answer { value: reply, usage, left })
    }

    /// Whether the wall clock only catches hangs.
    fn is_backstop(&self) -> bool {
        self.account.clock() == Clock::Cpu
    }

    /// Begins a call; processor time used while nothing was asked counts as part of it.
    fn begin(&self, call: Call) -> Clocks {
        self.process.end_rest();
        let now = self.process.begin_call(self.is_backstop());
        // The time that a player took to get ready to be loaded also counts: it may have begun before we asked.
        let cpu_before = if call == Call::Load { self.cpu_mark } else { now };
        let idle_cpu = cpu_before.saturating_sub(self.cpu_mark);
        let allowance = self.account.allowance(call);
        let cpu = self.account.cpu_for(allowance.judged).map(|limit| {
            let left = limit.saturating_sub(idle_cpu);
            CpuLimit { end: cpu_before.saturating_add(left), left: left / self.limits.threads.get() }
        });
        Clocks { call, cpu_before, idle_cpu, timeouts: Timeouts { deadline: Deadline::after(allowance.wall), cpu } }
    }

    /// From here on, the player computes in its opponent's time.
    fn begin_rest(&self, mark: Duration) {
        let allowance = self.account.allowance(Call::Play).judged;
        let limit = match self.limits.pondering {
            Pondering::Frozen => FROZEN_MAX.min(allowance),
            Pondering::Charged => allowance,
        };
        self.process.begin_rest(mark, limit.saturating_mul(self.limits.threads.get()));
    }

    fn exchange(&mut self, request: &Request, timeouts: Timeouts) -> Result<Vec<u8>, NoReply> {
        if self.limits.pondering == Pondering::Frozen && request.call != Call::Initialize {
            self.process.thaw()?;
        }
        self.process.send(&request.encode(), timeouts)?;
        self.process.receive(timeouts)
    }

    /// Ends a call whose answer came, charges the player with it, and returns the time taken and what is left.
    fn settle(&mut self, clocks: Clocks) -> Result<(Usage, Duration), CallError> {
        let Clocks { call, cpu_before, idle_cpu, .. } = clocks;
        self.cpu_mark = self.process.cpu_time();
        let wall = self.process.elapsed();
        let mut usage = Usage { wall, cpu: self.cpu_mark.saturating_sub(cpu_before), idle_cpu };
        let allowance = self.account.allowance(call);
        if self.account.counts_wall() || wall > allowance.wall {
            usage.wall = self.process.charged_wall();
        }
        let cost = self.account.cost(usage);
        let over = cost.saturating_sub(allowance.judged).max(usage.wall.saturating_sub(allowance.wall));
        if !over.is_zero() {
            let interference = self.process.interference();
            let fault = verdict::late(call, &self.account, usage);
            let fault = verdict::beside(fault, interference, over);
            return Err(self.charge(fault));
        }
        let left = self.account.charge(call, usage);
        Ok((if self.is_backstop() { Usage { wall, ..usage } } else { usage }, left))
    }

    /// Checks that the reply is that to the last request; any other ends the process.
    fn checked(&mut self, call: Call, frame: Result<Vec<u8>, NoReply>) -> Result<Reply, CallError> {
        let reply = frame.and_then(|frame| {
            let reply = Reply::decode(&frame).and_then(|reply| reply.check(self.sequence, call).map(|()| reply));
            reply.map_err(|error| NoReply::Broken(error.to_string()))
        });
        let silence = match reply {
            Ok(reply) => return Ok(reply),
            Err(silence) => silence,
        };
        match self.verdict(call, silence) {
            Ok(fault) => Err(self.charge(fault)),
            Err(error) => {
                self.call_order = CallOrder::Over;
                Err(error.into())
            }
        }
    }

    /// Returns the player's fault, if the failure is the player's doing.
    fn verdict(&mut self, call: Call, silence: NoReply) -> Result<Fault, HostError> {
        // Ending a process forgets this.
        let overrun = self.process.overrun();
        let mut interference = None;
        if matches!(silence, NoReply::Late | NoReply::Exhausted) && overrun.is_none() {
            interference = Some(self.process.interference());
            self.process.ask_where();
        }
        let ending = match self.process.end() {
            Err(error @ Error::Left { .. }) => return Err(error.into()),
            ending => ending,
        };
        if let Some(overrun) = overrun {
            return Ok(verdict::over(call, overrun));
        }
        let fault = match silence {
            NoReply::Late => verdict::located(verdict::silent(call, &self.account), &self.process),
            NoReply::Exhausted => verdict::located(verdict::exhausted(call, &self.account), &self.process),
            NoReply::Over(overrun) => verdict::over(call, overrun),
            NoReply::Ended => verdict::ended(call, ending?, &self.process, &self.printed_in_call())?,
            NoReply::Disconnected => verdict::disconnected(call),
            NoReply::Broken(what) => verdict::broken(call, &what),
            NoReply::Host(error) => return Err(error.into()),
        };
        // It got all the time that the machine can be blamed for, and has not answered.
        Ok(match interference {
            Some(interference) => verdict::beside(fault, interference, Duration::MAX),
            None => fault,
        })
    }

    fn printed_in_call(&self) -> Vec<u8> {
        let mut log = self.process.log();
        log.drain(..usize::try_from(self.log_mark).map_or(log.len(), |mark| mark.min(log.len())));
        log
    }

    fn charge(&mut self, fault: Fault) -> CallError {
        // The fault is known; how the process ends does not change it, as long as it ends.
        if let Err(error @ Error::Left { .. }) = self.process.end() {
            self.call_order = CallOrder::Over;
            return error.into();
        }
        // It may have been denied memory that it was promised.
        let is_failure = matches!(fault.termination, Termination::Crash | Termination::Exit | Termination::LoadError);
        let hint = is_failure.then(|| address_space_hint(self.limits.memory)).flatten().unwrap_or_default();
        let fault = Fault { detail: fault.detail + &hint, ..fault };
        self.fault = Some(fault.clone());
        match self.file.unchanged() {
            Ok(()) => CallError::Fault(fault),
            Err(error) => error.into(),
        }
    }
}

/// Returns the cores of a player: with one thread, only one of both players computes at a time. If the wall clock
/// judges, no player may wait for a core while others are free.
fn cores(limits: &Limits) -> Cores {
    match (limits.threads, limits.clock) {
        (NonZeroU32::MIN, Clock::Cpu) => Cores::One,
        _ => Cores::All,
    }
}

/// Describes the player's process.
fn spec(config: &SeatConfig<'_>) -> Result<ProcessSpec, HostError> {
    let limits = &config.limits;
    Ok(ProcessSpec {
        path: absolute(&config.path)?,
        task: ProcessTask::Serve,
        environment: environment_of(config).iter().map(|(name, value)| format!("{name}={value}").into()).collect(),
        sandbox: config.sandbox,
        allow_read: config.allow_read.iter().map(|path| absolute(path)).collect::<Result<_, _>>()?,
        threads: limits.threads.get(),
        log_limit: limits.log,
        memory: limits.memory,
    })
}

impl Seat for ProcessPlayer {
    fn load(&mut self) -> Result<(), CallError> {
        CallError::repeated(self.fault.as_ref())?;
        self.call_order = self.call_order.after(Call::Load)?;
        let ready = self.send_load().and_then(|deadline| Ok(self.process.await_ready().map(|_| deadline)?));
        let deadline = match ready {
            Ok(deadline) => deadline.later(self.process.lost()),
            Err(error) => {
                self.call_order = CallOrder::Over;
                return Err(error.into());
            }
        };
        let clocks = self.begin(Call::Load);
        let reply = self.process.receive(Timeouts { deadline, ..clocks.timeouts });
        let reply = self.checked(Call::Load, reply)?;
        self.settle(clocks)?;
        self.begin_rest(self.cpu_mark);
        match reply.outcome {
            CallOutcome::Done => Ok(()),
            outcome => {
                let is_confined = self.process.sandbox().is_some_and(|sandbox| sandbox.level != SandboxLevel::Off);
                let (file, reason) = (&self.process.spec().path, String::from_utf8_lossy(&reply.text));
                let reason = load_error::explain(file, &self.file.typed, &reason, is_confined);
                let missing = if let CallOutcome::Failed(missing) = outcome { missing } else { 0 };
                Err(self.charge(verdict::not_loaded(reason, missing)))
            }
        }
    }

    fn initialize(&mut self) -> Result<Answer<()>, CallError> {
        Ok(self.call(Call::Initialize, None)?.map(|_| ()))
    }

    fn name(&mut self) -> Result<Answer<Option<Vec<u8>>>, CallError> {
        let answer = self.call(Call::Name, None)?;
        Ok(answer.map(|reply| (reply.outcome == CallOutcome::Named).then_some(reply.text)))
    }

    fn play(&mut self, previous: Option<Move>) -> Result<Answer<Move>, CallError> {
        let answer = self.call(Call::Play, previous)?;
        match answer.value.outcome {
            CallOutcome::Played(played, value) => Ok(answer.map(|reply| {
                self.opinion = Opinion { value: f32::from_bits(value).into(), text: reply.text };
                played
            })),
            // Decoding refuses every other outcome of `play`.
            _ => Err(self.charge(verdict::broken(Call::Play, &FrameError::Stray.to_string()))),
        }
    }

    fn finalize(&mut self) -> Result<Answer<()>, CallError> {
        let answer = self.call(Call::Finalize, None)?;
        if let CallOutcome::Finalized(kept) = answer.value.outcome {
            self.kept_bytes = Some(kept);
        }
        Ok(answer.map(|_| ()))
    }

    fn end(&mut self) -> Result<(), HostFailure> {
        self.process.end()?;
        Ok(())
    }

    fn sandbox(&self) -> Option<Sandbox> {
        self.process.sandbox()
    }

    fn opinion(&self) -> Opinion {
        self.opinion.clone()
    }

    fn unchanged(&self) -> Result<(), HostFailure> {
        Ok(self.file.unchanged()?)
    }

    fn call_log(&self) -> Vec<u8> {
        let printed = self.printed_in_call();
        if printed.trim_ascii().is_empty() { self.log() } else { printed }
    }

    fn log(&self) -> Vec<u8> {
        self.process.log()
    }
}
