use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use amazons_protocol::{Dialect, EngineMessage, VERSION};
use amazons_rules::{Color, Move, Position};
use amazons_sandbox::{Program, ProgramConfig};

use super::clock::{GRACE, TimeLeft};
use super::hint::hinted;
use crate::host::{ForkServer, HostError, Limits, Wait, beside};
use crate::referee::{Answer, Call, CallError, Fault, HostFailure, Opinion, Sandbox, Seat, Termination, Usage};

/// The option for the number of threads that a program may run.
const THREADS: &str = "Threads";

/// Maximum number of option names to keep, more than any program has.
const OPTIONS_MAX: usize = 256;

/// A program that speaks the engine protocol, or UCI.
#[derive(Debug)]
pub struct EngineSeat {
    program: Program,
    dialect: Dialect,
    limits: Limits,
    time: TimeLeft,
    /// The words after `position` that describe the start.
    start: String,
    position: Position,
    /// The moves since the start.
    moves: Vec<String>,
    name: Option<String>,
    options: Vec<String>,
    value: Option<f64>,
    fault: Option<Fault>,
    readable: Vec<PathBuf>,
}

impl EngineSeat {
    /// Starts the program.
    pub fn start(
        parent: &Arc<ForkServer>,
        program: &ProgramConfig,
        limits: Limits,
        dialect: Dialect,
        position: Position,
    ) -> Result<Self, HostError> {
        Ok(Self {
            program: Program::start(parent, program)?,
            dialect,
            time: TimeLeft::new(&limits),
            limits,
            start: format!("fen {position}"),
            position,
            moves: Vec::new(),
            name: None,
            options: Vec::new(),
            value: None,
            fault: None,
            readable: program.readable.clone(),
        })
    }

    /// Returns the program's options.
    pub fn options(&self) -> &[String] {
        &self.options
    }

    /// Returns the program, to send it other lines.
    pub const fn program(&mut self) -> &mut Program {
        &mut self.program
    }

    /// Makes a call unless an earlier one failed, and remembers failures.
    fn guarded<T>(&mut self, call: impl FnOnce(&mut Self) -> Result<T, CallError>) -> Result<T, CallError> {
        if let Some(fault) = &self.fault {
            return Err(CallError::Fault(fault.clone()));
        }
        self.program.begin_call(self.time.is_backstop());
        self.program.resume();
        let result = call(self);
        self.program.pause();
        let result = result.map_err(|error| hinted(error, &self.program, &self.readable));
        if let Err(CallError::Fault(fault)) = &result {
            self.fault = Some(fault.clone());
        }
        result
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str, wait: Wait) -> Result<(), CallError> {
        self.program.send(line, wait.end).map_err(|error| wait.verdict(error))
    }

    /// Reads up to the wanted report, and keeps earlier ones.
    fn await_report<T>(&mut self, wait: Wait, wanted: impl Fn(&EngineMessage) -> Option<T>) -> Result<T, CallError> {
        loop {
            let line = self.program.line(wait.end).map_err(|error| wait.verdict(error))?;
            let Some(line) = line else { return Err(wait.verdict(self.program.silence())) };
            let report = EngineMessage::parse(&line);
            if let Some(found) = wanted(&report) {
                return Ok(found);
            }
            match report {
                EngineMessage::Name(name) => self.name = Some(name),
                EngineMessage::Option(name) if self.options.len() < OPTIONS_MAX => self.options.push(name),
                EngineMessage::Info(Some(value)) => self.value = Some(value),
                _ => {}
            }
        }
    }

    fn greet(&mut self) -> Result<(), CallError> {
        self.program.await_ready()?;
        let wait = Wait::new(Call::Load, self.limits.load);
        let hello = match self.dialect {
            Dialect::Aep => format!("aep {VERSION}"),
            Dialect::Uci => "uci".to_owned(),
        };
        self.send(&hello, wait)?;
        let version = self
            .await_report(wait, |report| if let EngineMessage::Ok(version) = report { Some(*version) } else { None })?;
        if self.dialect == Dialect::Aep && version != VERSION {
            let detail = format!("speaks version {version} of the protocol, which was offered {VERSION}");
            return Err(CallError::Fault(protocol_error(Call::Load, detail)));
        }
        Ok(())
    }

    fn prepare(&mut self) -> Result<Answer<()>, CallError> {
        let clock = Instant::now();
        let wait = Wait::new(Call::Initialize, self.limits.initialize);
        let newgame = match self.dialect {
            Dialect::Aep => "newgame",
            Dialect::Uci => {
                self.send("setoption name UCI_Variant value amazons", wait)?;
                "ucinewgame"
            }
        };
        if self.options.iter().any(|name| name == THREADS) {
            self.send(&format!("setoption name {THREADS} value {}", self.limits.threads), wait)?;
        }
        self.send(newgame, wait)?;
        self.send("isready", wait)?;
        self.await_report(wait, |report| (*report == EngineMessage::Ready).then_some(()))?;
        let wall = clock.elapsed();
        let left = self.limits.initialize.saturating_sub(wall);
        let usage = Usage { wall, cpu: self.program.computed(), ..Usage::default() };
        Ok(Answer { value: (), usage, left })
    }

    fn move_in_time(&mut self) -> Result<Answer<Move>, CallError> {
        let limit = self.time.limit();
        let wait = Wait::new(Call::Play, self.time.timeout());
        let moves = if self.moves.is_empty() { String::new() } else { format!(" moves {}", self.moves.join(" ")) };
        self.send(&format!("position {}{moves}", self.start), wait)?;
        let color = match self.position.side_to_move() {
            Color::White => 0,
            Color::Black => 1,
        };
        self.send(&format!("go{}", self.time.go(color).words()), wait)?;
        let best =
            |report: &EngineMessage| if let EngineMessage::BestMove(best) = report { Some(best.clone()) } else { None };
        let best = self.await_report(wait, best)?;
        self.program.pause();
        let usage = used(&self.program);
        let cost = self.time.cost(usage);
        if cost > limit + GRACE {
            return Err(CallError::Fault(late(cost, limit, &self.program)));
        }
        let value = match best {
            // Players resign with this move.
            None => Move { from: u32::MAX, to: u32::MAX, arrow: u32::MAX },
            Some(text) => self.position.parse_move(&text).map_err(|error| {
                let text: String = text.chars().take(80).collect();
                CallError::Fault(protocol_error(Call::Play, format!("bestmove '{text}': {error}")))
            })?,
        };
        self.take_in(value);
        let left = self.time.charge(cost);
        Ok(Answer { value, usage, left })
    }

    /// Notes a legal move; an illegal one ends the game anyway.
    fn take_in(&mut self, mv: Move) {
        if self.position.try_play(mv).is_ok() {
            self.moves.push(self.dialect.move_text(self.position.board(), mv));
        }
    }

    fn say_goodbye(&mut self) -> Result<Answer<()>, CallError> {
        let clock = Instant::now();
        let wait = Wait::new(Call::Finalize, self.limits.finalize);
        self.send("quit", wait)?;
        self.program.close_input();
        if !self.program.ends_by(wait.end)? {
            let detail = format!("did not end within {:?} of quit", self.limits.finalize);
            return Err(CallError::Fault(Fault::new(Termination::Timeout, Call::Finalize, detail)));
        }
        let wall = clock.elapsed();
        let left = self.limits.finalize.saturating_sub(wall);
        Ok(Answer { value: (), usage: Usage { wall, ..Usage::default() }, left })
    }
}

pub(super) const fn protocol_error(call: Call, detail: String) -> Fault {
    Fault::new(Termination::ProtocolError, call, detail)
}

/// The time that a program has taken for a move; between its moves it is stopped.
pub(super) fn used(program: &Program) -> Usage {
    Usage { wall: program.charged_wall(), cpu: program.computed(), idle_cpu: Duration::ZERO }
}

/// Judges a move that came too late.
pub(super) fn late(cost: Duration, limit: Duration, program: &Program) -> Fault {
    let interference = program.interference();
    let fault = Fault::new(Termination::Timeout, Call::Play, format!("play took {cost:.1?}, of {limit:?}"));
    beside(fault, interference, cost.saturating_sub(limit + GRACE) <= interference.excuse())
}

impl Seat for EngineSeat {
    fn load(&mut self) -> Result<(), CallError> {
        self.guarded(Self::greet)
    }

    fn initialize(&mut self) -> Result<Answer<()>, CallError> {
        self.guarded(Self::prepare)
    }

    fn name(&mut self) -> Result<Answer<Option<Vec<u8>>>, CallError> {
        let name = self.name.as_ref().map(|name| name.bytes().take(crate::host::NAME_MAX).collect());
        Ok(Answer::free(name))
    }

    fn play(&mut self, previous: Option<Move>) -> Result<Answer<Move>, CallError> {
        if let Some(previous) = previous {
            self.take_in(previous);
        }
        self.value = None;
        self.guarded(Self::move_in_time)
    }

    fn finalize(&mut self) -> Result<Answer<()>, CallError> {
        self.guarded(Self::say_goodbye)
    }

    fn end(&mut self) -> Result<(), HostFailure> {
        Ok(self.program.terminate()?)
    }

    fn sandbox(&self) -> Option<Sandbox> {
        self.program.sandbox()
    }

    fn log(&self) -> Vec<u8> {
        self.program.log()
    }

    fn opinion(&self) -> Opinion {
        self.value.map_or_else(Opinion::default, Opinion::of_chance)
    }
}
