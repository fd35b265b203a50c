use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use amazons_rules::{Board, Move, Position, Shape};
use amazons_sandbox::{Error, Program, ProgramConfig};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::engine::{late, protocol_error, used};
use super::hint::hinted;
use super::time_left::{GRACE, TimeLeft};
use crate::host::{ForkServer, Limits, Wait};
use crate::participant::BotzoneForm;
use crate::referee::{Answer, Call, CallError, Fault, HostFailure, Sandbox, Seat};

/// The size of Botzone's only board.
const SIZE: u32 = 8;

/// The line after its answer with which a bot asks to keep its process for the next turn.
const KEEP_RUNNING: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// The time that a bot has after its answer to write that line or to end.
const AFTERWARDS: Duration = Duration::from_millis(500);

/// A Botzone bot: one process per turn, or one for all turns if the bot asks for that.
#[derive(Debug)]
pub struct BotzoneSeat {
    parent: Arc<ForkServer>,
    config: ProgramConfig,
    form: BotzoneForm,
    time: TimeLeft,
    /// The opponent's move before each turn.
    requests: Vec<Option<Move>>,
    /// The bot's answers.
    responses: Vec<Move>,
    /// The data that the bot wants back with its next request.
    data: Option<Box<RawValue>>,
    running: Option<Program>,
    sandbox: Option<Sandbox>,
    /// The standard error of its processes, except the running one.
    log: Vec<u8>,
    fault: Option<Fault>,
}

/// A move in Botzone's notation: columns from the left, rows from the top, -1 for no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Point6 {
    x0: i64,
    y0: i64,
    x1: i64,
    y1: i64,
    x2: i64,
    y2: i64,
}

/// The input of a new bot process.
#[derive(Debug, Serialize)]
struct Request<'a> {
    requests: Vec<Point6>,
    responses: Vec<Point6>,
    data: Option<&'a RawValue>,
    globaldata: &'a str,
    time_limit: String,
    memory_limit: String,
}

/// The answer of a bot.
#[derive(Debug, Deserialize)]
struct Response {
    response: Point6,
    data: Option<Box<RawValue>>,
}

impl Point6 {
    fn new(mv: Option<Move>) -> Self {
        let point = |vertex: u32| (i64::from(vertex % SIZE), i64::from(vertex / SIZE));
        let none = (-1, -1);
        let [(x0, y0), (x1, y1), (x2, y2)] = mv.map_or([none; 3], |mv| [mv.from, mv.to, mv.arrow].map(point));
        Self { x0, y0, x1, y1, x2, y2 }
    }

    fn numbers(self) -> [i64; 6] {
        [self.x0, self.y0, self.x1, self.y1, self.x2, self.y2]
    }

    fn read(text: &str) -> Option<Self> {
        let numbers: Vec<i64> = text.split_ascii_whitespace().map_while(|word| word.parse().ok()).collect();
        let &[x0, y0, x1, y1, x2, y2] = numbers.get(..6)? else { return None };
        Some(Self { x0, y0, x1, y1, x2, y2 })
    }

    /// Returns the move; bots resign with six times -1.
    fn to_move(self) -> Option<Move> {
        if self.numbers() == [-1; 6] {
            return Some(Move { from: u32::MAX, to: u32::MAX, arrow: u32::MAX });
        }
        let vertex = |x: i64, y: i64| {
            let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
            (x < SIZE && y < SIZE).then_some(y * SIZE + x)
        };
        Some(Move { from: vertex(self.x0, self.y0)?, to: vertex(self.x1, self.y1)?, arrow: vertex(self.x2, self.y2)? })
    }
}

impl BotzoneSeat {
    /// Returns whether Botzone's game starts in this position.
    pub fn is_its_start(position: &Position) -> bool {
        let start = Board::new(Shape::Square, SIZE).map(|board| Position::start(Arc::new(board)).to_string());
        start.is_ok_and(|start| start == position.to_string())
    }

    /// Prepares; the bot's first process starts with its first turn.
    pub fn new(parent: &Arc<ForkServer>, config: ProgramConfig, limits: &Limits, form: BotzoneForm) -> Self {
        Self {
            parent: Arc::clone(parent),
            time: TimeLeft::new(limits),
            config,
            form,
            requests: Vec::new(),
            responses: Vec::new(),
            data: None,
            running: None,
            sandbox: None,
            log: Vec::new(),
            fault: None,
        }
    }

    /// Runs a turn, from the request to the answer.
    fn turn(&mut self) -> Result<Answer<Move>, CallError> {
        let (mut program, text) = match self.running.take() {
            Some(program) => (program, self.latest()),
            None => {
                let mut program = Program::start(&self.parent, &self.config)?;
                self.sandbox = Some(program.await_ready()?);
                (program, self.everything()?)
            }
        };
        program.begin_call(self.time.is_backstop());
        program.resume();
        let limit = self.time.limit();
        let wait = self.time.wait_for_move(&mut program);
        let result = self.exchange(&mut program, &text, wait);
        let answer = match result {
            Ok(answer) => answer,
            Err(error) => {
                program.terminate()?;
                self.keep_log(&program);
                return Err(hinted(error, &program, "", &self.config.readable));
            }
        };
        let answered = used(&program);
        let is_kept = keeps_running(&mut program);
        // Until it asked for that, it could go on thinking and keep the results.
        let usage = if is_kept { used(&program) } else { answered };
        let cost = self.time.cost(usage);
        let late = (cost > limit + GRACE).then(|| late(cost, limit, &program));
        if is_kept {
            program.pause();
            self.running = Some(program);
        } else {
            program.terminate()?;
            self.keep_log(&program);
        }
        if let Some(fault) = late {
            return Err(CallError::Fault(fault));
        }
        let value = self.read(&answer).ok_or_else(|| {
            let answer: String = answer.chars().take(120).collect();
            CallError::Fault(protocol_error(Call::Play, format!("its answer '{answer}' is not a move on the board")))
        })?;
        self.responses.push(value);
        let left = self.time.charge(usage);
        Ok(Answer { value, usage, left })
    }

    fn exchange(&self, program: &mut Program, text: &str, wait: Wait) -> Result<String, CallError> {
        program.send(text, wait.end).map_err(|error| wait.verdict(error))?;
        loop {
            match program.line(wait.end).map_err(|error| wait.verdict(error))? {
                Some(line) if line.trim().is_empty() => {}
                Some(line) => return Ok(line),
                None => return Err(wait.verdict(program.silence())),
            }
        }
    }

    fn read(&mut self, answer: &str) -> Option<Move> {
        match self.form {
            BotzoneForm::Json => {
                let response: Response = serde_json::from_str(answer).ok()?;
                self.data = response.data;
                response.response.to_move()
            }
            BotzoneForm::Text => Point6::read(answer)?.to_move(),
        }
    }

    /// Returns the input of a new process.
    fn everything(&self) -> Result<String, CallError> {
        let requests = self.requests.iter().map(|&mv| Point6::new(mv));
        let responses = self.responses.iter().map(|&mv| Point6::new(Some(mv)));
        match self.form {
            BotzoneForm::Json => {
                let seconds = |time: Duration| format!("{:.3}", time.as_secs_f64());
                let request = Request {
                    requests: requests.collect(),
                    responses: responses.collect(),
                    data: self.data.as_deref(),
                    globaldata: "",
                    time_limit: seconds(self.time.limit()),
                    memory_limit: (self.config.memory >> 20).to_string(),
                };
                let text = serde_json::to_string(&request).map_err(|error| Error::SetUp(error.to_string()))?;
                Ok(text)
            }
            BotzoneForm::Text => {
                let mut text = self.requests.len().to_string();
                let mut responses = responses;
                for request in requests {
                    push_line(&mut text, request);
                    if let Some(response) = responses.next() {
                        push_line(&mut text, response);
                    }
                }
                Ok(text)
            }
        }
    }

    /// Returns the input of a kept process.
    fn latest(&self) -> String {
        let request = Point6::new(self.requests.last().copied().flatten());
        match self.form {
            BotzoneForm::Json => serde_json::to_string(&request).unwrap_or_default(),
            BotzoneForm::Text => {
                let mut text = String::new();
                push_line(&mut text, request);
                text.trim_start().to_owned()
            }
        }
    }

    fn keep_log(&mut self, program: &Program) {
        let most = usize::try_from(self.config.log).unwrap_or(usize::MAX);
        let room = most.saturating_sub(self.log.len());
        self.log.extend(program.log().into_iter().take(room));
    }
}

fn push_line(text: &mut String, point: Point6) {
    text.push('\n');
    let [x0, y0, x1, y1, x2, y2] = point.numbers();
    // Writing to a string cannot fail.
    let _ = write!(text, "{x0} {y0} {x1} {y1} {x2} {y2}");
}

/// Waits until a bot ends or asks to be kept, and returns whether it asked.
fn keeps_running(program: &mut Program) -> bool {
    program.resume();
    let end = Instant::now() + AFTERWARDS;
    loop {
        match program.line(end) {
            Ok(Some(line)) if line.trim() == KEEP_RUNNING => return true,
            Ok(Some(_)) => {}
            // Whatever it does now, it has answered.
            Ok(None) | Err(_) => return false,
        }
    }
}

impl Seat for BotzoneSeat {
    fn load(&mut self) -> Result<(), CallError> {
        // The bot starts with its first request; until then, another process shows the confinement.
        let silent = ProgramConfig { path: "/bin/true".into(), arguments: vec!["true".into()], ..self.config.clone() };
        let mut program = Program::start(&self.parent, &silent)?;
        self.sandbox = Some(program.await_ready()?);
        Ok(program.terminate()?)
    }

    fn name(&mut self) -> Result<Answer<Option<Vec<u8>>>, CallError> {
        Ok(Answer::free(None))
    }

    fn play(&mut self, previous: Option<Move>) -> Result<Answer<Move>, CallError> {
        CallError::repeated(self.fault.as_ref())?;
        self.requests.push(previous);
        let result = self.turn();
        if let Err(CallError::Fault(fault)) = &result {
            self.fault = Some(fault.clone());
        }
        result
    }

    fn finalize(&mut self) -> Result<Answer<()>, CallError> {
        CallError::repeated(self.fault.as_ref())?;
        // Botzone ends its bots' processes without notice.
        if let Some(mut program) = self.running.take() {
            program.terminate()?;
            self.keep_log(&program);
        }
        Ok(Answer::free(()))
    }

    fn end(&mut self) -> Result<(), HostFailure> {
        let running = self.running.as_mut();
        Ok(running.map_or(Ok(()), Program::terminate)?)
    }

    fn sandbox(&self) -> Option<Sandbox> {
        self.sandbox
    }

    fn log(&self) -> Vec<u8> {
        let mut log = self.log.clone();
        log.extend(self.running.iter().flat_map(Program::log));
        log
    }
}
