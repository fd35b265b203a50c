//! Checks a program: does it follow the engine protocol?

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use amazons_protocol::Dialect;
use amazons_rules::{Board, Position, Shape};
use anyhow::Context;

use super::WRITE;
use super::finding::{Finding, Label, Status};
use super::report::CheckReport;
use crate::bridge::{EngineSeat, Language, ProgramCommand};
use crate::game::{GameConfig, program_config};
use crate::host::{ForkServer, GameTime, HostError, Limits, Wait};
use crate::referee::{Call, CallError, Fault, HostFailure, Seat};
use crate::text::{gist, telling_lines, visible};

/// The time per move in the check.
const MOVE_TIME: Duration = Duration::from_millis(500);

/// The clock of the check's timed game.
const CLOCK: GameTime = GameTime { bank: Duration::from_secs(2), increment: Duration::from_millis(50) };

/// The time of a search that is stopped at once, and the limit for stopping.
const LONG: Duration = Duration::from_secs(20);
const STOPPED_WITHIN: Duration = Duration::from_secs(2);

/// The number of moves requested on each board.
const MOVES: usize = 3;

/// Lines that no program understands.
const GARBAGE: [&str; 5] = ["", "hello?", "position", "go go go", "\u{1}\u{7f} \u{202e} position fen"];

#[derive(Clone, Copy, Debug)]
enum Question {
    Hello,
    Ready,
    Shapes,
    Clocks,
    Stop,
    Blocked,
    Garbage,
    Quit,
    EndOfInput,
}

/// The questions in order, each with its name, its title, and whether it is optional.
const QUESTIONS: [(Question, &str, &str, bool); 9] = [
    (Question::Hello, "hello", "it identifies itself", false),
    (Question::Ready, "ready", "it is ready for a game", false),
    (Question::Shapes, "shapes", "legal moves in time, on every shape", false),
    (Question::Clocks, "clocks", "legal moves in time, by the clock", false),
    (Question::Stop, "stop", "stop brings its move", true),
    (Question::Blocked, "blocked", "bestmove none where there is no move", true),
    (Question::Garbage, "garbage", "unknown lines do no harm", false),
    (Question::Quit, "quit", "quit ends it", false),
    (Question::EndOfInput, "end_of_input", "the end of its input ends it", false),
];

/// Checks a program with a configuration's limits on boards of its size, and returns whether it passes.
pub fn run_program(
    parent: &Arc<ForkServer>,
    command: &ProgramCommand,
    dialect: Dialect,
    config: &GameConfig,
    mut report: CheckReport<impl Write>,
) -> anyhow::Result<bool> {
    let check = ProgramCheck { parent, command, dialect, config };
    let mut is_greeted = true;
    for (number, (question, name, title, is_optional)) in (1..).zip(QUESTIONS) {
        let finding = if is_greeted { check.ask(question)? } else { Finding::skipped("it does not say hello") };
        is_greeted &= number > 1 || finding.status != Status::Failed;
        report.add(Label { number, name, title, is_optional }, finding).context(WRITE)?;
    }
    report.finish(None).context(WRITE)
}

struct ProgramCheck<'a> {
    parent: &'a Arc<ForkServer>,
    command: &'a ProgramCommand,
    dialect: Dialect,
    config: &'a GameConfig,
}

impl ProgramCheck<'_> {
    fn ask(&self, question: Question) -> anyhow::Result<Finding> {
        let found = match question {
            Question::Hello => self.hello(),
            Question::Ready => self.ready(),
            Question::Shapes => self.shapes(),
            Question::Clocks => {
                let limits = Limits { game: Some(CLOCK), play: LONG, ..self.config.limits.clone() };
                self.moves(self.config.position.clone(), limits).map(|()| "2 s and 50 ms for each move".to_owned())
            }
            Question::Stop => self.stop(),
            Question::Blocked => self.blocked(),
            Question::Garbage => self.garbage(),
            Question::Quit => self.quit(),
            Question::EndOfInput => self.end_of_input(),
        };
        match found {
            Ok(detail) => Ok(Finding::passed(detail)),
            Err(Failure::Wrong(detail)) => Ok(Finding::failed(detail, "see docs/protocol.md")),
            Err(Failure::Void(error)) => Err(error.into()),
        }
    }

    fn seat(&self, position: &Position, limits: &Limits) -> Result<EngineSeat, Failure> {
        let program = program_config(self.config, self.command, limits, self.config.seed);
        let language = Language::Engine(self.dialect, Vec::new());
        Ok(EngineSeat::start(self.parent, &program, limits.clone(), language, position.clone())?)
    }

    /// Returns a program that has said hello and is ready.
    fn prepared(&self, position: &Position, limits: &Limits) -> Result<EngineSeat, Failure> {
        let mut seat = self.seat(position, limits)?;
        told(seat.load(), &seat)?;
        told(seat.initialize(), &seat)?;
        Ok(seat)
    }

    fn hello(&self) -> Result<String, Failure> {
        let mut seat = self.seat(&self.config.position, &self.config.limits)?;
        told(seat.load(), &seat)?;
        let name = told(seat.name(), &seat)?.value.unwrap_or_default();
        if name.is_empty() {
            return Err(Failure::Wrong("it does not send 'id name ...' before aepok or uciok".to_owned()));
        }
        let options = match &seat.options[..] {
            [] => "no options".to_owned(),
            options => format!("options: {}", options.join(", ")),
        };
        Ok(visible(&format!("{}, {options}", String::from_utf8_lossy(&name))))
    }

    fn ready(&self) -> Result<String, Failure> {
        let mut seat = self.seat(&self.config.position, &self.config.limits)?;
        told(seat.load(), &seat)?;
        let answer = told(seat.initialize(), &seat)?;
        Ok(format!("in {:.1?}", answer.usage.wall))
    }

    fn shapes(&self) -> Result<String, Failure> {
        let limits = Limits { play: MOVE_TIME, game: None, ..self.config.limits.clone() };
        let size = self.config.position.board().columns();
        let positions = match self.dialect {
            Dialect::Uci => vec![Position::standard()],
            Dialect::Aep => {
                let shapes = [Shape::Square, Shape::Donut, Shape::Clover, Shape::FigureEight];
                let boards = shapes.into_iter().filter_map(|shape| Board::new(shape, size).ok());
                boards.map(|board| Position::start(Arc::new(board))).chain([Position::standard()]).collect()
            }
        };
        let count = positions.len();
        for position in positions {
            let name = position.board().shape().map_or("rectangle", Shape::name);
            let named = |failure| match failure {
                Failure::Wrong(detail) => Failure::Wrong(format!("on the {name}: {detail}")),
                Failure::Void(error) => Failure::Void(error),
            };
            self.moves(position, limits.clone()).map_err(named)?;
        }
        Ok(format!("{count} boards, {MOVES} moves each, {MOVE_TIME:?} for each"))
    }

    /// Lets the program play against an opponent that always plays the first move.
    fn moves(&self, mut position: Position, limits: Limits) -> Result<(), Failure> {
        let mut seat = self.prepared(&position, &limits)?;
        let mut previous = None;
        for _ in 0..MOVES {
            if !position.has_moves() {
                break;
            }
            let mv = told(seat.play(previous), &seat)?.value;
            let board = Arc::clone(position.board());
            if let Err(reason) = position.try_play(mv) {
                return Err(Failure::Wrong(match mv.from {
                    u32::MAX => "bestmove none, although there are moves".to_owned(),
                    _ => format!("illegal move {}: {}", board.move_text(mv), reason.describe(&board)),
                }));
            }
            let mut moves = amazons_rules::MoveList::new();
            position.legal_moves(&mut moves);
            previous = moves.first().copied();
            if let Some(reply) = previous {
                position.play_unchecked(reply);
            }
        }
        told(seat.finalize(), &seat).map(|_| ())
    }

    fn stop(&self) -> Result<String, Failure> {
        let mut seat = self.prepared(&self.config.position, &self.config.limits)?;
        let wait = Wait::new(Call::Play, STOPPED_WITHIN);
        let position = match self.dialect {
            Dialect::Aep => format!("position fen {}", self.config.position),
            Dialect::Uci => "position startpos".to_owned(),
        };
        for line in [&position, &format!("go movetime {}", LONG.as_millis()), "stop"] {
            seat.program.resume();
            told(seat.send(line, wait), &seat)?;
        }
        self.hear(&mut seat, wait, |report| matches!(report, amazons_protocol::EngineMessage::BestMove(_)))?;
        Ok(format!("within {STOPPED_WITHIN:?}"))
    }

    fn blocked(&self) -> Result<String, Failure> {
        let mut seat = self.prepared(&self.config.position, &self.config.limits)?;
        let wait = Wait::new(Call::Play, MOVE_TIME + STOPPED_WITHIN);
        let position = match self.dialect {
            Dialect::Aep => "Q*3/**3/5/5/4q w",
            Dialect::Uci => "Q*8/**8/10/10/10/10/10/10/10/9q w",
        };
        seat.program.resume();
        for line in [&format!("position fen {position} - - 0 1"), "go movetime 500"] {
            told(seat.send(line, wait), &seat)?;
        }
        self.hear(&mut seat, wait, |report| *report == amazons_protocol::EngineMessage::BestMove(None))?;
        Ok("it is".to_owned())
    }

    fn garbage(&self) -> Result<String, Failure> {
        let mut seat = self.prepared(&self.config.position, &self.config.limits)?;
        let wait = Wait::new(Call::Initialize, self.config.limits.initialize);
        seat.program.resume();
        for line in GARBAGE.into_iter().chain(["isready"]) {
            told(seat.send(line, wait), &seat)?;
        }
        self.hear(&mut seat, wait, |report| *report == amazons_protocol::EngineMessage::Ready)?;
        Ok(format!("{} lines, then readyok", GARBAGE.len()))
    }

    fn quit(&self) -> Result<String, Failure> {
        let mut seat = self.prepared(&self.config.position, &self.config.limits)?;
        let answer = told(seat.finalize(), &seat)?;
        Ok(format!("in {:.1?}", answer.usage.wall))
    }

    fn end_of_input(&self) -> Result<String, Failure> {
        let mut seat = self.prepared(&self.config.position, &self.config.limits)?;
        let limit = self.config.limits.finalize;
        seat.program.resume();
        seat.program.close_input();
        if seat.program.ends_by(Instant::now() + limit).map_err(HostError::from)? {
            return Ok("it does".to_owned());
        }
        Err(Failure::Wrong(format!("it is still running {limit:?} later")))
    }

    /// Reads lines up to a report.
    fn hear(
        &self,
        seat: &mut EngineSeat,
        wait: Wait,
        wanted: impl Fn(&amazons_protocol::EngineMessage) -> bool,
    ) -> Result<(), Failure> {
        loop {
            match seat.program.line(wait.end) {
                Ok(Some(line)) if wanted(&amazons_protocol::EngineMessage::parse(&line)) => return Ok(()),
                Ok(Some(_)) => {}
                Ok(None) => return Err(Failure::Wrong("it has closed its output".to_owned())),
                Err(error) => return Err(failure(wait.verdict(error), seat)),
            }
        }
    }
}

/// Why a question has no good answer.
enum Failure {
    /// The program's fault.
    Wrong(String),
    Void(HostFailure),
}

impl From<HostError> for Failure {
    fn from(error: HostError) -> Self {
        Self::Void(error.into())
    }
}

/// Adds the last lines of the program's standard error to a failure.
fn told<T>(result: Result<T, CallError>, seat: &EngineSeat) -> Result<T, Failure> {
    result.map_err(|error| failure(error, seat))
}

fn failure(error: CallError, seat: &EngineSeat) -> Failure {
    const LINES: usize = 3;
    match error.fault() {
        Ok(Fault { termination, detail, .. }) => {
            let printed = telling_lines(&seat.log());
            let printed = gist(&printed, LINES);
            let printed =
                if printed.is_empty() { String::new() } else { format!("; it printed '{}'", printed.join(" | ")) };
            Failure::Wrong(format!("{termination}: {detail}{printed}"))
        }
        Err(error) => Failure::Void(error),
    }
}
