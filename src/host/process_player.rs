use std::time::{Duration, Instant};

use amazons_rules::Move;

use super::clock::Deadline;
use super::config::{Limits, SeatConfig};
use super::error::HostError;
use super::frame::{FrameError, Outcome, Reply, Request, Topic};
use super::process::{Process, Silence};
use super::stage::Stage;
use super::verdict;
use crate::referee::{Answer, Call, CallError, Fault, Seat};

/// How long a process may take from its start until it is ready to load its player: longer is the machine's fault.
const START_LIMIT: Duration = Duration::from_secs(20);

/// A player in a process of its own.
///
/// The process starts with [`ProcessPlayer::start`] and is gone when the value is dropped. It also ends with the thread
/// that started it, so that thread must live as long as the game.
#[derive(Debug)]
pub struct ProcessPlayer {
    process: Process,
    limits: Limits,
    stage: Stage,
    load_deadline: Option<Deadline>,
    sequence: u64,
    fault: Option<Fault>,
}

impl ProcessPlayer {
    /// Starts the process; the player's library is not opened yet.
    ///
    /// # Errors
    /// When the process cannot be started.
    pub fn start(config: &SeatConfig<'_>) -> Result<Self, HostError> {
        Ok(Self {
            process: Process::start(config)?,
            limits: config.limits.clone(),
            stage: Stage::Started,
            load_deadline: None,
            sequence: 0,
            fault: None,
        })
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
        let sent = self.process.send(&request.encode(), Deadline::after(START_LIMIT));
        sent.map_err(|silence| self.not_set_up(silence))?;
        let deadline = Deadline::after(self.limits.load);
        self.load_deadline = Some(deadline);
        Ok(deadline)
    }

    /// Waits until the process is ready to run the player's code; what goes wrong before that is not the player's doing.
    fn await_set_up(&mut self) -> Result<(), HostError> {
        let reply = self.process.receive(Deadline::after(START_LIMIT)).and_then(|reply| {
            reply.check(0, Topic::SetUp).map_err(Silence::Broken)?;
            Ok(reply)
        });
        match reply {
            Ok(reply) if reply.outcome == Outcome::Done => Ok(()),
            Ok(reply) => {
                self.process.end()?;
                Err(HostError::SetUp(String::from_utf8_lossy(&reply.text).into_owned()))
            }
            Err(silence) => Err(self.not_set_up(silence)),
        }
    }

    fn not_set_up(&mut self, silence: Silence) -> HostError {
        let ending = self.process.end();
        let reason = match silence {
            Silence::Host(error) => return error,
            Silence::Late => format!("not ready within {START_LIMIT:?}"),
            Silence::Disconnected => "it closed its pipe".to_owned(),
            Silence::Broken(error) => error.to_string(),
            Silence::Ended => match ending {
                Ok(ending) => format!("{ending:?}: {}", String::from_utf8_lossy(&self.process.log()).trim()),
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
        self.stage = self.stage.after(call)?;
        self.sequence += 1;
        let request = Request { sequence: self.sequence, call, previous };
        let deadline = Deadline::after(self.limit(call));
        let (clock, cpu_before) = (Instant::now(), self.process.cpu_time());
        let sent = self.process.send(&request.encode(), deadline);
        let reply = sent.and_then(|()| self.process.receive(deadline));
        let wall = clock.elapsed();
        let value = self.checked(call, reply)?;
        Ok(Answer { value, wall, cpu: self.process.cpu_time().saturating_sub(cpu_before) })
    }

    /// Checks that the reply is the one to the last request; anything else ends the process.
    fn checked(&mut self, call: Call, reply: Result<Reply, Silence>) -> Result<Reply, CallError> {
        let silence = match reply {
            Ok(reply) => match reply.check(self.sequence, Topic::Call(call)) {
                Ok(()) => return Ok(reply),
                Err(error) => Silence::Broken(error),
            },
            Err(silence) => silence,
        };
        match self.verdict(call, silence) {
            Ok(fault) => Err(self.charge(fault)),
            Err(error) => {
                self.stage = Stage::Over;
                Err(error.into())
            }
        }
    }

    /// What the player is charged with, if it is the player's doing.
    fn verdict(&mut self, call: Call, silence: Silence) -> Result<Fault, HostError> {
        let ending = self.process.end();
        Ok(match silence {
            Silence::Late => verdict::late(call, self.limit(call)),
            Silence::Ended => verdict::ended(call, ending?),
            Silence::Disconnected => verdict::disconnected(call),
            Silence::Broken(error) => verdict::broken(call, &error),
            Silence::Host(error) => return Err(error),
        })
    }

    fn charge(&mut self, fault: Fault) -> CallError {
        // The fault is known; how the process ends does not change it.
        let _ = self.process.end();
        self.fault = Some(fault.clone());
        CallError::Fault(fault)
    }

    const fn limit(&self, call: Call) -> Duration {
        match call {
            Call::Load => self.limits.load,
            Call::Initialize => self.limits.initialize,
            Call::Name => self.limits.name,
            Call::Play => self.limits.play,
            Call::Finalize => self.limits.finalize,
        }
    }
}

impl Seat for ProcessPlayer {
    fn load(&mut self) -> Result<(), CallError> {
        if let Some(fault) = &self.fault {
            return Err(CallError::Fault(fault.clone()));
        }
        self.stage = self.stage.after(Call::Load)?;
        let ready = self.send_load().and_then(|deadline| self.await_set_up().map(|()| deadline));
        let deadline = match ready {
            Ok(deadline) => deadline,
            Err(error) => {
                self.stage = Stage::Over;
                return Err(error.into());
            }
        };
        let reply = self.process.receive(deadline);
        let reply = self.checked(Call::Load, reply)?;
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
        Ok(self.call(Call::Finalize, None)?.map(|_| ()))
    }

    fn log(&self) -> Vec<u8> {
        self.process.log()
    }
}
