use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use amazons_protocol::{Dialect, EngineMessage, VERSION, info_text, read_move};
use amazons_rules::{Color, Move, Position};
use amazons_sandbox::{Program, ProgramConfig};

use super::codingame;
use super::hint::hinted;
use super::options::EngineOption;
use super::time_left::{GRACE, TimeLeft};
use crate::host::{ForkServer, HostError, Limits, Wait, beside};
use crate::referee::{Answer, Call, CallError, Fault, HostFailure, Opinion, Sandbox, Seat, Termination, Usage};

/// The option for the number of threads that a program may run.
const THREADS: &str = "Threads";

/// Maximum number of option names to keep, more than any program has.
const OPTIONS_MAX: usize = 256;

/// How much a program's own lines on standard output are kept, and their mark in its log.
const STRAY_MAX: usize = 16 << 10;
const STRAY: &str = "[standard output] ";

/// The option for the variant of a game that UCI's engines play.
const VARIANT: &str = "UCI_Variant";

/// The language of a program that runs as long as its game.
#[derive(Clone, Debug)]
pub enum Language {
    /// The engine protocol or UCI, and the options to set.
    Engine(Dialect, Vec<EngineOption>),
    /// The lines of CodinGame.
    Codingame,
}

/// A program that speaks the engine protocol, UCI or as CodinGame's bots.
#[derive(Debug)]
pub struct EngineSeat {
    pub(crate) program: Program,
    language: Language,
    limits: Limits,
    time: TimeLeft,
    /// The words after `position` that describe the start.
    start: String,
    position: Position,
    /// The side that moved first.
    begins: Color,
    /// The moves since the start.
    moves: Vec<Move>,
    name: Option<String>,
    pub(crate) options: Vec<String>,
    opinion: Opinion,
    fault: Option<Fault>,
    readable: Vec<PathBuf>,
    /// Its lines in this call that are not of the protocol: some runtimes give their reasons there when they end.
    stray: String,
}

impl EngineSeat {
    /// Starts the program.
    pub fn start(
        parent: &Arc<ForkServer>,
        program: &ProgramConfig,
        limits: Limits,
        language: Language,
        position: Position,
    ) -> Result<Self, HostError> {
        Ok(Self {
            program: Program::start(parent, program)?,
            language,
            time: TimeLeft::new(&limits),
            limits,
            start: format!("fen {position}"),
            begins: position.side_to_move(),
            position,
            moves: Vec::new(),
            name: None,
            options: Vec::new(),
            opinion: Opinion::default(),
            fault: None,
            readable: program.readable.clone(),
            stray: String::new(),
        })
    }

    /// Makes a call unless an earlier one failed, and remembers failures.
    fn guarded<T>(&mut self, call: impl FnOnce(&mut Self) -> Result<T, CallError>) -> Result<T, CallError> {
        CallError::repeated(self.fault.as_ref())?;
        self.program.begin_call(self.time.is_backstop());
        self.program.resume();
        self.stray.clear();
        let result = call(self);
        self.program.pause();
        let result = result.map_err(|error| hinted(error, &self.program, &self.stray, &self.readable));
        if let Err(CallError::Fault(fault)) = &result {
            self.fault = Some(fault.clone());
        }
        result
    }

    pub fn send(&mut self, line: &str, wait: Wait) -> Result<(), CallError> {
        self.program.send(line, wait.end).map_err(|error| wait.verdict(error))
    }

    /// Reads up to the wanted report, and keeps earlier ones.
    fn await_report<T>(&mut self, wait: Wait, wanted: impl Fn(&EngineMessage) -> Option<T>) -> Result<T, CallError> {
        loop {
            let line = self.line(wait)?;
            let report = EngineMessage::parse(&line);
            if let Some(found) = wanted(&report) {
                return Ok(found);
            }
            match report {
                EngineMessage::Name(name) => self.name = Some(name),
                EngineMessage::Option(name) if self.options.len() < OPTIONS_MAX => self.options.push(name),
                EngineMessage::Info(value) => self.note(value, &line),
                EngineMessage::Other | EngineMessage::Error(_) if self.stray.len() + line.len() < STRAY_MAX => {
                    self.stray += &format!("{STRAY}{line}\n");
                }
                _ => {}
            }
        }
    }

    /// Keeps what it says about the position: its value, and the words of the last line that tells more.
    fn note(&mut self, value: Option<f64>, line: &str) {
        if let Some(value) = value {
            self.opinion.value = Opinion::of_chance(value).value;
        }
        if let Some(text) = info_text(line) {
            self.opinion.text = text.into_bytes();
        }
    }

    /// Drops everything written since its last answer: that answers no question. An engine may have been stopped while
    /// it wrote, so it is asked whether it is ready, and all that comes before its answer is dropped as well.
    fn discard(&mut self, wait: Wait) -> Result<(), CallError> {
        if let Language::Engine(..) = self.language {
            self.ask_whether_ready(wait)?;
            self.opinion = Opinion::default();
            return Ok(());
        }
        while let Ok(Some(bytes)) = self.program.output(Instant::now()) {
            if bytes.is_empty() {
                break;
            }
        }
        Ok(())
    }

    fn ask_whether_ready(&mut self, wait: Wait) -> Result<(), CallError> {
        self.send("isready", wait)?;
        self.await_report(wait, |report| (*report == EngineMessage::Ready).then_some(()))
    }

    fn line(&mut self, wait: Wait) -> Result<String, CallError> {
        let line = self.program.line(wait.end).map_err(|error| wait.verdict(error))?;
        line.ok_or_else(|| wait.verdict(self.program.silence()))
    }

    fn greet(&mut self) -> Result<(), CallError> {
        self.program.await_ready()?;
        let wait = self.time.wait_for(&mut self.program, Call::Load, self.limits.load);
        let Language::Engine(dialect, _) = self.language else { return Ok(()) };
        let hello = match dialect {
            Dialect::Aep => format!("aep {VERSION}"),
            Dialect::Uci => "uci".to_owned(),
        };
        self.send(&hello, wait)?;
        let version = self
            .await_report(wait, |report| if let EngineMessage::Ok(version) = report { Some(*version) } else { None })?;
        if dialect == Dialect::Aep && version != VERSION {
            let detail = format!("speaks version {version} of the protocol, which was offered {VERSION}");
            return Err(CallError::Fault(protocol_error(Call::Load, detail)));
        }
        Ok(())
    }

    fn prepare(&mut self) -> Result<Answer<()>, CallError> {
        let clock = Instant::now();
        let wait = self.time.wait_for(&mut self.program, Call::Initialize, self.limits.initialize);
        let Language::Engine(dialect, wanted) = self.language.clone() else { return Ok(Answer::free(())) };
        let usual = [(VARIANT, "amazons".to_owned()), ("Ponder", "false".to_owned())];
        let usual = if dialect == Dialect::Uci { &usual[..] } else { &[] };
        let threads = (THREADS, self.limits.threads.to_string());
        for (name, value) in usual.iter().chain([&threads]) {
            let is_listed = *name == VARIANT || self.options.iter().any(|listed| listed == name);
            if is_listed && !wanted.iter().any(|option| option.is(name)) {
                self.send(&format!("setoption name {name} value {value}"), wait)?;
            }
        }
        for option in &wanted {
            let listed = self.options.iter().find(|listed| option.is(listed)).ok_or_else(|| self.unknown(option))?;
            self.send(&option.line(&listed.clone()), wait)?;
        }
        self.send(if dialect == Dialect::Uci { "ucinewgame" } else { "newgame" }, wait)?;
        self.ask_whether_ready(wait)?;
        let wall = clock.elapsed();
        let left = self.limits.initialize.saturating_sub(wall);
        let usage = Usage { wall, cpu: self.program.computed(), ..Usage::default() };
        Ok(Answer { value: (), usage, left })
    }

    /// An option that it does not have: the mistake of whoever set it.
    fn unknown(&self, option: &EngineOption) -> HostError {
        let name = self.name.as_deref().unwrap_or("the program");
        HostError::Guest(format!(
            "options: {name} has no option '{}': it lists {}",
            option.name,
            self.options.join(", ")
        ))
    }

    /// Asks for a move; returns the answer.
    fn ask(&mut self, wait: Wait) -> Result<String, CallError> {
        let dialect = match self.language {
            Language::Engine(dialect, _) => dialect,
            Language::Codingame => {
                let size =
                    if self.moves.len() < 2 { format!("{}\n", self.position.board().rows()) } else { String::new() };
                let turn = codingame::turn(&self.position, self.moves.last().copied(), self.begins);
                self.send(&(size + &turn), wait)?;
                return self.line(wait);
            }
        };
        let board = self.position.board();
        let moves = self.moves.iter().map(|&mv| format!(" {}", dialect.move_text(board, mv))).collect::<String>();
        let moves = if moves.is_empty() { moves } else { format!(" moves{moves}") };
        self.send(&format!("position {}{moves}", self.start), wait)?;
        let color = match self.position.side_to_move() {
            Color::White => 0,
            Color::Black => 1,
        };
        self.send(&format!("go{}", self.time.go(color).words()), wait)?;
        let best =
            |report: &EngineMessage| if let EngineMessage::BestMove(best) = report { Some(best.clone()) } else { None };
        // Players resign with an empty answer.
        Ok(self.await_report(wait, best)?.unwrap_or_default())
    }

    /// Reads an answer; nothing but the text of a move is one.
    fn read(&mut self, answer: &str) -> Result<Move, CallError> {
        let quote: String = answer.chars().take(80).collect();
        let refused = |detail: String| CallError::Fault(protocol_error(Call::Play, detail));
        match self.language {
            Language::Codingame => {
                let read = codingame::read(&self.position, answer);
                let (mv, message) = read.ok_or_else(|| {
                    refused(format!("its answer '{quote}' is not a move such as d8d1d7, or d8d1d7 msg TEXT"))
                })?;
                self.opinion.text = message.into();
                Ok(mv)
            }
            Language::Engine(..) if answer.is_empty() => Ok(Move { from: u32::MAX, to: u32::MAX, arrow: u32::MAX }),
            Language::Engine(Dialect::Aep, _) => {
                let read = self.position.board().parse_move(answer);
                read.map_err(|error| refused(format!("bestmove '{quote}': {error}")))
            }
            Language::Engine(Dialect::Uci, _) => {
                let board = self.position.board();
                let read = read_move(&self.position, answer);
                let mv = read.map_err(|error| refused(format!("bestmove '{quote}': {error}")))?;
                let [from, to, arrow] = [mv.from, mv.to, mv.arrow].map(|vertex| board.square(vertex));
                let is_exact = answer == Dialect::Uci.move_text(board, mv) || answer == format!("{from}{to}p{arrow}");
                is_exact
                    .then_some(mv)
                    .ok_or_else(|| refused(format!("bestmove '{quote}': expected a move such as d1d7,d7g7 or d1d7pg7")))
            }
        }
    }

    fn move_in_time(&mut self) -> Result<Answer<Move>, CallError> {
        let limit = self.time.limit();
        let wait = self.time.wait_for_move(&mut self.program);
        if self.moves.len() > 1 {
            self.discard(wait)?;
        }
        let answer = self.ask(wait)?;
        self.program.pause();
        let usage = used(&self.program);
        let cost = self.time.cost(usage);
        if cost > limit + GRACE {
            return Err(CallError::Fault(late(cost, limit, &self.program)));
        }
        let value = self.read(&answer)?;
        self.take_in(value);
        let left = self.time.charge(usage);
        Ok(Answer { value, usage, left })
    }

    /// Notes a legal move; an illegal one ends the game anyway.
    fn take_in(&mut self, mv: Move) {
        if self.position.try_play(mv).is_ok() {
            self.moves.push(mv);
        }
    }

    fn say_goodbye(&mut self) -> Result<Answer<()>, CallError> {
        if matches!(self.language, Language::Codingame) {
            // Its bots wait for their next turn until they are ended.
            self.program.terminate()?;
            return Ok(Answer::free(()));
        }
        let clock = Instant::now();
        let wait = self.time.wait_for(&mut self.program, Call::Finalize, self.limits.finalize);
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
    beside(fault, interference, cost.saturating_sub(limit + GRACE))
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
        self.opinion = Opinion::default();
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
        let mut log = self.program.log();
        if self.fault.is_some() {
            log.extend(self.stray.bytes());
        }
        log
    }

    fn opinion(&self) -> Opinion {
        self.opinion.clone()
    }
}
