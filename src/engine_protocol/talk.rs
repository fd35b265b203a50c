use std::io::{self, BufRead, Write};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use amazons_protocol::{Command, Dialect, Go, Lines, VERSION};
use amazons_rules::{Color, Position};

use super::{Session, Time, Trouble};
use crate::game::GameConfig;
use crate::host::{GameTime, Launcher};
use crate::referee::PlayerNumber;
use crate::text::{error_chain, visible};

const THREADS: &str = "Threads";
const THREADS_MAX: u32 = 1024;
const OVERHEAD: &str = "Move Overhead";
const OVERHEAD_MAX: u32 = 5000;
const VARIANT: &str = "UCI_Variant";

/// How long `quit` waits for a move, unless a longer time was given for it.
const QUIT_WAIT: Duration = Duration::from_secs(10);

/// How often to check whether questions before `quit` are answered.
const QUIT_PAUSE: Duration = Duration::from_millis(1);

/// Minimum time announced to a player.
const MIN: Duration = Duration::from_millis(1);

/// Answers lines with moves of a configuration's player 1 until the input ends or a line says `quit`.
///
/// Questions before the end of the input are answered; `quit` does not wait for a move that may take long, and ends the
/// player's process.
pub fn talk(launcher: Launcher, config: GameConfig, input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let start = config.position.clone();
    let out = Out {
        to: Mutex::new(output),
        failure: Mutex::new(None),
        is_thinking: AtomicBool::new(false),
        asked: Mutex::new(None),
        is_quitting: AtomicBool::new(false),
    };
    let (jobs, work) = channel();
    thread::scope(|scope| {
        let worker = scope.spawn(|| Worker::new(launcher, config, &out).run(work));
        let reader = Reader {
            out: &out,
            jobs,
            position: Ok(start.clone()),
            start,
            dialect: Dialect::Aep,
            overhead: Duration::ZERO,
        };
        let ended = reader.run(input);
        if matches!(ended, Ok(Ended::Quit)) {
            out.is_quitting.store(true, Ordering::SeqCst);
            while !worker.is_finished() {
                if out.asked().is_some_and(|wanted_until| wanted_until <= Instant::now()) {
                    // The move is no longer wanted, and the player's process ends with this one.
                    std::process::exit(0);
                }
                thread::sleep(QUIT_PAUSE);
            }
        }
        // The channel's sender is gone, so the worker ends when its work is done.
        let _ = worker.join();
        ended.map(|_| ())
    })?;
    match out.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// The output, used by two threads.
struct Out<W> {
    to: Mutex<W>,
    failure: Mutex<Option<io::Error>>,
    /// Set from `go` to its `bestmove`.
    is_thinking: AtomicBool,
    /// Set while the player is asked for a move: until when `quit` waits for it.
    asked: Mutex<Option<Instant>>,
    /// Set when no more moves are wanted.
    is_quitting: AtomicBool,
}

impl<W: Write> Out<W> {
    fn say(&self, line: &str) {
        let mut to = self.to.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = writeln!(to, "{line}").and_then(|()| to.flush()) {
            self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    /// Writes an error in a form that programs of either dialect can skip; it may quote what was read.
    fn complain(&self, dialect: Dialect, reason: &str) {
        let reason = visible(reason);
        match dialect {
            Dialect::Aep => self.say(&format!("error {reason}")),
            Dialect::Uci => self.say(&format!("info string error: {reason}")),
        }
    }

    fn asked(&self) -> MutexGuard<'_, Option<Instant>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_failed(&self) -> bool {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

/// The worker's tasks, in order.
enum Job {
    Hello(Dialect),
    Ready,
    NewGame,
    Threads(NonZeroU32),
    Think(Box<Position>, Time),
}

enum Ended {
    Quit,
    NoMoreLines,
}

/// Reads lines and passes on slow tasks.
struct Reader<'a, W> {
    out: &'a Out<W>,
    jobs: Sender<Job>,
    start: Position,
    /// The position for `go`; an error if the last `position` was invalid.
    position: Result<Position, ()>,
    dialect: Dialect,
    overhead: Duration,
}

impl<W: Write> Reader<'_, W> {
    fn run(mut self, input: impl BufRead) -> io::Result<Ended> {
        let mut lines = Lines::new(input);
        while let Some(line) = lines.read()? {
            let command = match line {
                Ok(line) => Command::parse(&line).map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            };
            match command {
                Ok(Command::Quit) => return Ok(Ended::Quit),
                Ok(command) => {
                    if let Err(reason) = self.obey(command) {
                        self.out.complain(self.dialect, &reason);
                    }
                }
                Err(reason) => {
                    // The sender does not expect a move in the previous position.
                    if reason.starts_with("position") {
                        self.position = Err(());
                    }
                    self.out.complain(self.dialect, &reason);
                }
            }
            if self.out.has_failed() {
                break;
            }
        }
        Ok(Ended::NoMoreLines)
    }

    fn obey(&mut self, command: Command) -> Result<(), String> {
        let is_thinking = self.out.is_thinking.load(Ordering::SeqCst);
        let idle = |name: &str| {
            if is_thinking { Err(format!("{name}: wait for bestmove, or send stop first")) } else { Ok(()) }
        };
        match command {
            Command::Hello(dialect, _) => {
                idle("hello")?;
                self.dialect = dialect;
                if dialect == Dialect::Uci {
                    self.start = Position::standard();
                    self.position = Ok(self.start.clone());
                }
                self.order(Job::Hello(dialect));
            }
            Command::IsReady if is_thinking => self.out.say("readyok"),
            Command::IsReady => self.order(Job::Ready),
            Command::NewGame => {
                idle("newgame")?;
                self.order(Job::NewGame);
            }
            Command::SetOption { name, value } => {
                idle("setoption")?;
                self.set_option(&name, &value)?;
            }
            Command::Position { start, moves } => {
                let start = start.unwrap_or_else(|| self.start.clone());
                let played = Command::played(start, &moves);
                self.position = played.as_ref().map(Position::clone).map_err(|_| ());
                played.map_err(|error| error.to_string())?;
            }
            Command::Go(go) => {
                idle("go")?;
                let position = self.position.clone().map_err(|()| "go: the last position was none".to_owned())?;
                let time = time(&go, position.side_to_move(), self.overhead);
                self.out.is_thinking.store(true, Ordering::SeqCst);
                self.order(Job::Think(Box::new(position), time));
            }
            // A player cannot be interrupted: its move comes when its time is over, or before.
            Command::Stop | Command::Quit | Command::Nothing => {}
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = |most: u32| {
            let number = value.parse::<u32>().ok().filter(|&number| number <= most);
            number.ok_or_else(|| format!("setoption {name}: expected a whole number up to {most}, found '{value}'"))
        };
        if name.eq_ignore_ascii_case(THREADS) {
            let threads = NonZeroU32::new(number(THREADS_MAX)?);
            let threads = threads.ok_or_else(|| format!("setoption {name}: expected a whole number from 1"))?;
            self.order(Job::Threads(threads));
        } else if name.eq_ignore_ascii_case(OVERHEAD) {
            self.overhead = Duration::from_millis(number(OVERHEAD_MAX)?.into());
        } else if name.eq_ignore_ascii_case(VARIANT) {
            if value != "amazons" {
                return Err(format!("setoption {name}: only amazons is played here, found '{value}'"));
            }
        } else if self.dialect == Dialect::Aep {
            // GUIs of the other dialect set options without asking.
            return Err(format!("setoption: unknown option '{name}'"));
        }
        Ok(())
    }

    fn order(&self, job: Job) {
        // The worker lives as long as this channel.
        let _ = self.jobs.send(job);
    }
}

/// The player's time: for the move, by its colour's clock, or as the command line says.
fn time(go: &Go, side: Color, overhead: Duration) -> Time {
    let index = match side {
        Color::White => 0,
        Color::Black => 1,
    };
    let less = |time: Duration| time.saturating_sub(overhead).max(MIN);
    if let Some(movetime) = go.movetime {
        return Time::Move(less(movetime));
    }
    let increment = go.increment.get(index).copied().flatten().unwrap_or_default();
    match go.left.get(index).copied().flatten() {
        Some(left) => Time::Game(GameTime { bank: less(left), increment }),
        None => Time::Default,
    }
}

/// Runs the player.
struct Worker<'a, W> {
    session: Session,
    out: &'a Out<W>,
    /// The name of a player that has no other.
    file: String,
    threads: NonZeroU32,
    dialect: Dialect,
}

impl<'a, W: Write> Worker<'a, W> {
    fn new(launcher: Launcher, config: GameConfig, out: &'a Out<W>) -> Self {
        let file = config.players[PlayerNumber::One].typed().file_stem().unwrap_or_default();
        let file = visible(&file.to_string_lossy());
        let threads = config.limits.threads;
        Self { session: Session::new(launcher, config), out, file, threads, dialect: Dialect::Aep }
    }

    fn run(mut self, work: Receiver<Job>) {
        for job in work {
            match job {
                Job::Hello(dialect) => self.hello(dialect),
                Job::Ready => self.out.say("readyok"),
                Job::NewGame => self.session.end_game(),
                Job::Threads(threads) => self.session.set_threads(threads),
                Job::Think(position, time) => self.think(&position, time),
            }
        }
        self.session.end_game();
    }

    fn hello(&mut self, dialect: Dialect) {
        self.dialect = dialect;
        let file = self.file.clone();
        let name = self.session.name().unwrap_or_else(|trouble| {
            self.trouble(&trouble);
            None
        });
        self.out.say(&format!("id name {}", name.filter(|name| !name.trim().is_empty()).unwrap_or(file)));
        self.out.say(concat!("id author player of the amazons server ", env!("CARGO_PKG_VERSION")));
        self.out.say(&format!("option name {THREADS} type spin default {} min 1 max {THREADS_MAX}", self.threads));
        self.out.say(&format!("option name {OVERHEAD} type spin default 0 min 0 max {OVERHEAD_MAX}"));
        match dialect {
            Dialect::Aep => self.out.say(&format!("aepok {VERSION}")),
            Dialect::Uci => {
                self.out.say(&format!("option name {VARIANT} type combo default amazons var amazons"));
                self.out.say("uciok");
            }
        }
    }

    fn think(&mut self, position: &Position, time: Time) {
        let is_long = match time {
            Time::Default => false,
            Time::Move(time) | Time::Game(GameTime { bank: time, .. }) => time > QUIT_WAIT,
        };
        let begun = Instant::now();
        *self.out.asked() = Some(if is_long { begun } else { begun + QUIT_WAIT });
        if is_long && self.out.is_quitting.load(Ordering::SeqCst) {
            *self.out.asked() = None;
            return;
        }
        let reply = self.session.play(position, time);
        *self.out.asked() = None;
        let mv = match reply {
            Ok(reply) => {
                for line in &reply.printed {
                    self.out.say(&format!("info string {line}"));
                }
                let (value, comment) = reply.opinion.checked();
                if let Some(comment) = comment {
                    self.out.say(&format!("info string {comment}"));
                }
                let value = value.map(|value| self.dialect.value_words(f64::midpoint(1.0, value.into())));
                let value = value.map_or_else(String::new, |words| format!(" {words}"));
                let (wall, cpu) = (reply.usage.wall.as_millis(), reply.usage.cpu.as_millis());
                match self.dialect {
                    Dialect::Aep => self.out.say(&format!("info time {wall} cpu {cpu}{value}")),
                    Dialect::Uci => self.out.say(&format!("info time {wall}{value}")),
                }
                reply.mv
            }
            Err(trouble) => {
                self.trouble(&trouble);
                None
            }
        };
        let text = match (mv, self.dialect) {
            (Some(mv), dialect) => dialect.move_text(position.board(), mv),
            (None, Dialect::Aep) => "none".to_owned(),
            (None, Dialect::Uci) => "(none)".to_owned(),
        };
        // The reader of the move may ask again at once.
        self.out.is_thinking.store(false, Ordering::SeqCst);
        self.out.say(&format!("bestmove {text}"));
    }

    fn trouble(&self, trouble: &Trouble) {
        self.out.complain(self.dialect, &error_chain(trouble));
    }
}
