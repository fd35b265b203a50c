use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use amazons_rules::Move;

use super::call_order::CallOrder;
use super::clock::Deadline;
use super::config::{Clock, Limits, Pondering, SeatConfig};
use super::environment::environment_of;
use super::error::HostError;
use super::fork_server::{ForkServer, Reaped};
use super::frame::{FrameError, Outcome, Reply, Request, Topic};
use super::process::{CpuLimit, NoReply, Process, ProcessEnd, Timeouts, absolute};
use super::resource_watch::{Bounds, Scope};
use super::setup::{ProcessSpec, SetUp, Task};
use super::time_account::{TimeAccount, Usage};
use super::trace::Tracer;
use super::verdict::{self, Evidence};
use crate::referee::{Answer, Call, CallError, Fault, Sandbox, Seat};
use crate::text::printable;

/// How long a process may take from its start until it is ready to load its player: longer is the machine's fault.
pub(super) const START_LIMIT: Duration = Duration::from_secs(20);

/// How much memory a player may map beyond what it may keep: some reserve gigabytes and use a few pages of them.
pub(super) const MAPPED_FACTOR: u64 = 4;
pub(super) const MAPPED_AT_LEAST: u64 = 16 << 30;

/// What a process may compute between its freezing and the next call, in one thread: it takes a moment to stop.
const FROZEN_MAX: Duration = Duration::from_millis(10);

/// A player in a process of its own.
///
/// The process starts with [`ProcessPlayer::start`] and is gone when the value is dropped.
#[derive(Debug)]
pub struct ProcessPlayer {
    process: Process,
    parent: Arc<ForkServer>,
    limits: Limits,
    account: TimeAccount,
    orders: ProcessSpec,
    call_order: CallOrder,
    sandbox: Option<Sandbox>,
    load_deadline: Option<Deadline>,
    /// What the process's own clock showed when its last call had returned.
    cpu_mark: Duration,
    sequence: u64,
    kept_bytes: Option<u32>,
    fault: Option<Fault>,
}

impl ProcessPlayer {
    /// Starts the process; the player's library is not opened yet.
    ///
    /// # Errors
    /// When the process cannot be started.
    pub fn start(parent: &Arc<ForkServer>, config: &SeatConfig<'_>) -> Result<Self, HostError> {
        let orders = orders(config)?;
        let set_up = SetUp::encode(&orders, config.matrix, config.queens);
        let process = Process::start(parent, set_up, config.limits.log, bounds(&config.limits))?;
        process.show_log(config.printed.as_ref())?;
        Ok(Self {
            process,
            parent: Arc::clone(parent),
            account: TimeAccount::new(&config.limits),
            limits: config.limits.clone(),
            orders,
            call_order: CallOrder::Started,
            sandbox: None,
            load_deadline: None,
            cpu_mark: Duration::ZERO,
            sequence: 0,
            kept_bytes: None,
            fault: None,
        })
    }

    /// Ends the process and tells how much memory it kept at its peak; `None` when the kernel does not tell us.
    pub fn peak_memory(&mut self) -> Option<u64> {
        match self.process.end() {
            Ok(ProcessEnd::Known(Reaped::Exited { peak_bytes, .. } | Reaped::Killed { peak_bytes, .. })) => {
                Some(peak_bytes)
            }
            Ok(ProcessEnd::Unknown) | Err(_) => None,
        }
    }

    /// Returns how many bytes of memory the player had not freed when `finalize` returned, as its process says; less than
    /// nothing where it freed more than it was given.
    #[must_use]
    pub const fn kept_memory(&self) -> Option<i32> {
        match self.kept_bytes {
            Some(bytes) => Some(bytes.cast_signed()),
            None => None,
        }
    }

    /// Asks for the library to be loaded without waiting for it, so that two players can load at the same time.
    ///
    /// # Errors
    /// When the request cannot be sent.
    pub fn begin_load(&mut self) -> Result<(), HostError> {
        self.send_load().map(|_| ())
    }

    /// Answers when the load must be over. The clock starts here: the opponent's load may be waited for first.
    fn send_load(&mut self) -> Result<Deadline, HostError> {
        if let Some(deadline) = self.load_deadline {
            return Ok(deadline);
        }
        self.sequence += 1;
        let request = Request { sequence: self.sequence, call: Call::Load, previous: None };
        let sent = self.process.send(&request.encode(), Timeouts::wall(START_LIMIT));
        sent.map_err(|silence| self.not_set_up(silence))?;
        let deadline = Deadline::after(self.account.allowance(Call::Load).wall);
        self.load_deadline = Some(deadline);
        Ok(deadline)
    }

    /// Waits until the process is ready to run the player's code; what goes wrong before that is not the player's doing.
    fn await_set_up(&mut self) -> Result<(), HostError> {
        let reply = self.process.receive(Timeouts::wall(START_LIMIT)).and_then(|reply| {
            reply.check(0, Topic::SetUp).map_err(NoReply::Broken)?;
            Ok(reply)
        });
        match reply {
            Ok(reply) if reply.outcome == Outcome::Ready => {
                self.sandbox = serde_json::from_slice(&reply.text).ok();
                Ok(())
            }
            Ok(reply) => {
                self.process.end()?;
                let reason = String::from_utf8_lossy(&reply.text).into_owned();
                let is_refused = reply.outcome == Outcome::Refused;
                Err(if is_refused { HostError::Sandbox(reason) } else { HostError::SetUp(reason) })
            }
            Err(silence) => Err(self.not_set_up(silence)),
        }
    }

    /// Waits until the process is ready, without a player, and says how it is confined.
    pub(super) fn prepare(&mut self) -> Result<Sandbox, HostError> {
        self.await_set_up()?;
        self.sandbox.ok_or_else(|| HostError::SetUp("it does not say how it is confined".to_owned()))
    }

    /// Says whether the kernel tells when the process ends, and how long it computes.
    pub(super) fn conveniences(&self) -> (bool, bool) {
        (self.process.has_pidfd(), self.process.cpu_time() > Duration::ZERO)
    }

    fn not_set_up(&mut self, silence: NoReply) -> HostError {
        let ending = self.process.end();
        let reason = match silence {
            NoReply::Host(error) => return error,
            NoReply::Late | NoReply::Exhausted => format!("not ready within {START_LIMIT:?}"),
            NoReply::Over(_) => return HostError::TooLarge,
            NoReply::Disconnected => "it closed its pipe".to_owned(),
            NoReply::Broken(error) => error.to_string(),
            NoReply::Ended => match ending {
                Ok(ending) => format!("{ending}: {}", printable(self.process.log().trim_ascii())),
                Err(error) => return error,
            },
        };
        HostError::SetUp(reason)
    }

    /// Makes one call and waits for its end.
    fn call(&mut self, call: Call, previous: Option<Move>) -> Result<Answer<Reply>, CallError> {
        if let Some(fault) = &self.fault {
            return Err(CallError::Fault(fault.clone()));
        }
        self.call_order = self.call_order.after(call)?;
        self.sequence += 1;
        let request = Request { sequence: self.sequence, call, previous };
        let cpu_before = self.process.cpu_time();
        let idle_cpu = cpu_before.saturating_sub(self.cpu_mark);
        self.process.end_rest();
        let clock = Instant::now();
        let timeouts = self.timeouts(call, cpu_before, idle_cpu);
        let reply = self.exchange(&request, timeouts);
        let wall = clock.elapsed();
        let reply = self.checked(call, reply)?;
        self.cpu_mark = self.process.cpu_time();
        let usage = Usage { wall, cpu: self.cpu_mark.saturating_sub(cpu_before), idle_cpu };
        let left = self.settle(call, usage)?;
        if self.limits.pondering == Pondering::Frozen && call != Call::Finalize {
            self.process.freeze()?;
        }
        self.begin_rest();
        Ok(Answer { value: reply, wall, cpu: usage.cpu, idle_cpu, left })
    }

    /// How long a call may take; what was computed while nothing was asked counts as if it were part of it.
    fn timeouts(&self, call: Call, cpu_before: Duration, idle_cpu: Duration) -> Timeouts {
        let allowance = self.account.allowance(call);
        let cpu = self.account.cpu_for(allowance.judged).map(|limit| {
            let left = limit.saturating_sub(idle_cpu);
            CpuLimit { end: cpu_before.saturating_add(left), left: left / self.limits.threads.get() }
        });
        Timeouts { deadline: Deadline::after(allowance.wall), cpu }
    }

    /// What the player computes from here on is in its opponent's time.
    fn begin_rest(&self) {
        let allowance = self.account.allowance(Call::Play).judged;
        let limit = match self.limits.pondering {
            Pondering::Frozen => FROZEN_MAX.min(allowance),
            Pondering::Charged => allowance,
        };
        self.process.begin_rest(self.cpu_mark, limit.saturating_mul(self.limits.threads.get()));
    }

    fn exchange(&mut self, request: &Request, timeouts: Timeouts) -> Result<Reply, NoReply> {
        if self.limits.pondering == Pondering::Frozen && request.call != Call::Initialize {
            self.process.thaw()?;
        }
        self.process.begin_call();
        self.process.send(&request.encode(), timeouts)?;
        self.process.receive(timeouts)
    }

    /// Charges the player's clock with an answer that came, and answers what is left to it.
    fn settle(&mut self, call: Call, mut usage: Usage) -> Result<Duration, CallError> {
        let allowance = self.account.allowance(call);
        if self.account.clock() == Clock::Wall || usage.wall > allowance.wall {
            usage.wall = usage.wall.saturating_sub(self.process.disturbance());
        }
        if self.account.clock() == Clock::Cpu && usage.wall > allowance.wall {
            usage.wall = usage.wall.saturating_sub(self.process.queued());
        }
        let cost = self.account.cost(usage);
        if cost > allowance.judged || usage.wall > allowance.wall {
            let fault = verdict::late(call, &self.account, usage);
            return Err(self.charge(fault));
        }
        Ok(self.account.charge(call, cost, usage.wall))
    }

    /// Checks that the reply is the one to the last request; anything else ends the process.
    fn checked(&mut self, call: Call, reply: Result<Reply, NoReply>) -> Result<Reply, CallError> {
        let silence = match reply {
            Ok(reply) => match reply.check(self.sequence, Topic::Call(call)) {
                Ok(()) => return Ok(reply),
                Err(error) => NoReply::Broken(error),
            },
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

    /// What the player is charged with, if it is the player's doing.
    fn verdict(&mut self, call: Call, silence: NoReply) -> Result<Fault, HostError> {
        // ProcessEnd the process forgets this.
        let overrun = self.process.overrun();
        if matches!(silence, NoReply::Late | NoReply::Exhausted) && overrun.is_none() {
            self.process.ask_where();
        }
        let ending = self.process.end();
        if let Some(overrun) = overrun {
            return Ok(verdict::over(call, overrun, &self.limits));
        }
        let report = self.process.report();
        let tracer = Tracer { parent: &self.parent, orders: &self.orders };
        Ok(match silence {
            NoReply::Late => verdict::located(verdict::silent(call, &self.account), report, &tracer),
            NoReply::Exhausted => verdict::located(verdict::exhausted(call, &self.account), report, &tracer),
            NoReply::Over(overrun) => verdict::over(call, overrun, &self.limits),
            NoReply::Ended => {
                let evidence = Evidence {
                    ending: ending?,
                    report,
                    is_filtered: self.sandbox.is_some_and(|sandbox| sandbox.seccomp),
                    kernel_kills: self.parent.kernel_kills(),
                };
                verdict::ended(call, &evidence, &tracer)?
            }
            NoReply::Disconnected => verdict::disconnected(call),
            NoReply::Broken(error) => verdict::broken(call, &error),
            NoReply::Host(error) => return Err(error),
        })
    }

    fn charge(&mut self, fault: Fault) -> CallError {
        // The fault is known; how the process ends does not change it.
        let _ = self.process.end();
        self.fault = Some(fault.clone());
        CallError::Fault(fault)
    }
}

fn bounds(limits: &Limits) -> Bounds {
    Bounds { memory: limits.memory, threads: limits.threads.get(), scope: Scope::Process }
}

/// Writes down what the player's process is to do.
fn orders(config: &SeatConfig<'_>) -> Result<ProcessSpec, HostError> {
    let limits = &config.limits;
    let environment =
        environment_of(config).into_iter().map(|(name, value)| format!("{name}={value}").into()).collect();
    let allow_read = config.allow_read.iter().map(|path| absolute(path)).collect::<Result<Vec<PathBuf>, _>>()?;
    Ok(ProcessSpec {
        path: absolute(&config.path)?,
        task: config.foreign.map_or(Task::Play, Task::PlayForeign),
        abi_id: config.abi_id,
        seed: config.seed,
        environment,
        sandbox: config.sandbox,
        allow_read,
        threads: limits.threads.get(),
        log_limit: limits.log,
        data_limit: limits.memory.saturating_mul(MAPPED_FACTOR).max(MAPPED_AT_LEAST),
    })
}

impl Seat for ProcessPlayer {
    fn load(&mut self) -> Result<(), CallError> {
        if let Some(fault) = &self.fault {
            return Err(CallError::Fault(fault.clone()));
        }
        self.call_order = self.call_order.after(Call::Load)?;
        let ready = self.send_load().and_then(|deadline| self.await_set_up().map(|()| deadline));
        let deadline = match ready {
            Ok(deadline) => deadline,
            Err(error) => {
                self.call_order = CallOrder::Over;
                return Err(error.into());
            }
        };
        let clock = Instant::now();
        let allowance = self.account.allowance(Call::Load);
        // The moment that it took to become ready counts as well: the player may have begun before we asked.
        let cpu = self.account.cpu_for(allowance.judged).map(|left| CpuLimit { end: left, left });
        let reply = self.process.receive(Timeouts { deadline, cpu });
        let reply = self.checked(Call::Load, reply)?;
        self.cpu_mark = self.process.cpu_time();
        self.settle(Call::Load, Usage { wall: clock.elapsed(), cpu: self.cpu_mark, idle_cpu: Duration::ZERO })?;
        self.begin_rest();
        match reply.outcome {
            Outcome::Done => Ok(()),
            _ => Err(self.charge(verdict::not_loaded(&reply.text))),
        }
    }

    fn initialize(&mut self) -> Result<Answer<()>, CallError> {
        Ok(self.call(Call::Initialize, None)?.map(|_| ()))
    }

    fn name(&mut self) -> Result<Answer<Option<Vec<u8>>>, CallError> {
        let answer = self.call(Call::Name, None)?;
        Ok(answer.map(|reply| (reply.outcome == Outcome::Named).then_some(reply.text)))
    }

    fn play(&mut self, previous: Option<Move>) -> Result<Answer<Move>, CallError> {
        let answer = self.call(Call::Play, previous)?;
        match answer.value.outcome {
            Outcome::Played(played) => Ok(answer.map(|_| played)),
            // Decoding refuses every other outcome of `play`.
            _ => Err(self.charge(verdict::broken(Call::Play, &FrameError::Stray))),
        }
    }

    fn finalize(&mut self) -> Result<Answer<()>, CallError> {
        let answer = self.call(Call::Finalize, None)?;
        if let Outcome::Finalized(kept) = answer.value.outcome {
            self.kept_bytes = Some(kept);
        }
        Ok(answer.map(|_| ()))
    }

    fn sandbox(&self) -> Option<Sandbox> {
        self.sandbox
    }

    fn log(&self) -> Vec<u8> {
        self.process.log()
    }
}
