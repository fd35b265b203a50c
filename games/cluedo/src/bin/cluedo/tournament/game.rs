//! A block as a job for any rank. Each of its games is a table of the server, with bots and programs at its seats.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use amazons_program::Exit;
use cluedo::bots::play::{SeatedBot, seat_bot};
use cluedo::deal::{Deal, stream};
use cluedo::knowledge::facts::Facts;
use cluedo::line::guest::Status;
use cluedo::line::inbox::MAX_UNASKED;
use cluedo::line::message::{Answer, Line};
use cluedo::line::options::{OnError, Options};
use cluedo::line::record::Entry;
use cluedo::line::seat::Seat;
use cluedo::line::table::{Effect, Table};
use cluedo::tournament::{Block, BlockResult, BotPlan, FaultNote, GameResult, Observer, Plan, Run};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::seats::{CommandError, Connected, Heard, Link, Sandboxed, command};

/// A program may take this long to start and say hello, if the time for an answer is shorter.
const STARTING: Duration = Duration::from_secs(10);

/// A program that ends no lines has said hello when it is silent for so long.
const SILENCE: Duration = Duration::from_millis(250);

/// How long a program may take to read the last lines.
const LAST_LINES: Duration = Duration::from_millis(100);

/// How much of its standard error is quoted.
const QUOTED: usize = 200;

/// Without a time-out, a program is looked at as often as this.
const PATIENCE: Duration = Duration::from_secs(60);

/// A block, and everything that a rank needs to play it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Job {
    pub(super) block: Block,
    pub(super) plan: Plan,
    /// The plan's folder.
    pub(super) folder: PathBuf,
    /// Files that no program may read.
    pub(super) hidden: Vec<PathBuf>,
}

impl Job {
    pub(super) fn play(&self) -> Result<BlockResult, Exit> {
        let Block { matchup, block, games, .. } = self.block;
        let &Plan { n, seed, .. } = &self.plan;
        let deal = Deal::course(n, &mut stream(seed, matchup, block, "deal"));
        let mut results = Vec::new();
        for game in 0..games {
            let programs = self.block.seating(game);
            let number = block * n as u64 + game as u64;
            let sitter = |(seat, &program): (usize, &usize)| {
                self.start(&self.plan.bots[program], seat, stream(seed, matchup, number, &format!("seat {seat}")))
            };
            let sitters = programs.iter().enumerate().map(sitter).collect::<Result<Vec<_>, Exit>>()?;
            results.push(play(&self.plan, programs, deal, sitters)?);
        }
        Ok(BlockResult { matchup, block, games: results })
    }

    fn start(&self, bot: &BotPlan, seat: usize, rng: Xoshiro256PlusPlus) -> Result<Sitter, Exit> {
        let wrong = |error: CommandError| Exit::Usage(format!("{}: {error}", bot.name));
        Ok(match &bot.run {
            Run::Tcp(words) => {
                let command = command(words, &self.folder, &[]).map_err(wrong)?;
                Sitter::Program(Box::new(Connected::start(&command, &self.folder)?))
            }
            Run::Stdio(words) => {
                let command = command(words, &self.folder, &self.hidden).map_err(wrong)?;
                Sitter::Program(Box::new(Sandboxed::start(&command, self.plan.sandbox)?))
            }
            Run::Builtin(kind) => Sitter::Bot(Box::new(seat_bot(*kind, seat, self.plan.n, rng))),
        })
    }
}

enum Sitter {
    Bot(Box<SeatedBot>),
    Program(Box<dyn Link>),
    Gone,
}

/// A seat of the table, and its occupant.
struct Sitting {
    sitter: Sitter,
    /// Lines that it has not got yet: it gets them with the next request.
    waiting: Vec<u8>,
    /// A program's seat as it sees the game.
    view: Seat,
    times: Vec<u64>,
    /// Why it says no more.
    reason: String,
    /// Whether it said no hello: its error is known.
    is_absent: bool,
}

impl Sitting {
    fn facts(&self) -> &Facts {
        match &self.sitter {
            Sitter::Bot(player) => &player.seat.facts,
            Sitter::Program(_) | Sitter::Gone => &self.view.facts,
        }
    }

    /// Takes a line in; returns the answer of a bot.
    fn hear(&mut self, line: Line) -> Option<Answer> {
        if let Sitter::Bot(player) = &mut self.sitter {
            return player.answer(line);
        }
        self.view.hear(line);
        None
    }
}

struct Host {
    table: Table,
    seats: Vec<Sitting>,
    observer: Observer,
    faults: Vec<FaultNote>,
    timeout: Duration,
    begun: Instant,
    /// The table's time when the clock began to run.
    base: u64,
}

/// Plays a game of these programs of the plan.
fn play(plan: &Plan, programs: Vec<usize>, deal: Deal, sitters: Vec<Sitter>) -> Result<GameResult, Exit> {
    let &Plan { n, timeout, seed, ref bots, .. } = plan;
    let (on_error, deals) = (OnError::Forfeit, [deal].into());
    let options = Options { timeout, wait: 0, seed, on_error, deals, ..Options::new(n, 1) };
    let sitting = |(seat, sitter)| {
        let (waiting, times, reason) = (Vec::new(), Vec::new(), String::new());
        Sitting { sitter, waiting, view: Seat::new(seat, n), times, reason, is_absent: false }
    };
    let mut host = Host {
        table: Table::new(Arc::new(options), 0, 0),
        seats: sitters.into_iter().enumerate().map(sitting).collect(),
        observer: Observer::new(programs.clone()),
        faults: Vec::new(),
        timeout: if timeout == 0 { PATIENCE } else { Duration::from_micros(timeout) },
        begun: Instant::now(),
        base: 0,
    };
    for (seat, &program) in programs.iter().enumerate() {
        host.greet(seat, &bots[program].name);
    }
    host.begun = Instant::now();
    host.gather();
    for seat in 0..n {
        if host.seats[seat].is_absent {
            host.table.closed(seat, host.now());
        }
    }
    host.run()?;
    let mut times: Vec<_> = host.seats.into_iter().map(|one| one.times).collect();
    if times.iter().all(Vec::is_empty) {
        times.clear();
    }
    Ok(GameResult { faults: host.faults, times, ..host.observer.result })
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

impl Host {
    fn now(&self) -> u64 {
        self.base + micros(self.begun.elapsed())
    }

    /// Seats a client, which must say hello; another name stands for one that does not.
    fn greet(&mut self, seat: usize, name: &str) {
        self.table.connect(seat, 0);
        self.gather();
        let Sitting { sitter, waiting, .. } = &mut self.seats[seat];
        if let Sitter::Program(link) = sitter {
            let end = Instant::now() + self.timeout.max(STARTING);
            let welcome = std::mem::take(waiting);
            let mut heard = Vec::new();
            let mut reason = link.send(&welcome, end).err().map(|gone| gone.to_string());
            while reason.is_none() && self.table.guests()[seat].status != Status::Ready {
                let silence = if heard.is_empty() { end } else { end.min(Instant::now() + SILENCE) };
                match link.receive(silence) {
                    Heard::Bytes(bytes) => {
                        heard.extend_from_slice(&bytes);
                        self.table.receive(seat, &bytes, 0);
                    }
                    Heard::Nothing if heard.is_empty() || Instant::now() >= end => {
                        reason = Some("no hello in time".to_owned());
                    }
                    // Time of the table, in which no other seat is late.
                    Heard::Nothing if matches!(Answer::parse(heard.trim_ascii()), Some(Answer::Hello(_))) => {
                        self.base = micros(SILENCE);
                        self.table.tick(self.base);
                    }
                    Heard::Nothing => {}
                    Heard::Gone(why) => reason = Some(why.to_string()),
                }
                if self.table.guests()[seat].status == Status::Empty {
                    reason = Some("a wrong hello".to_owned());
                }
            }
            let Some(why) = reason else { return };
            let why = with_printed(why, link.as_ref());
            let sent = heard.split(|&byte| byte == b'\n').next().unwrap_or_default();
            let sent = sent[..sent.len().min(80)].escape_ascii().to_string();
            self.faults.push(FaultNote { seat, code: 101, sent, asked: "B".to_owned(), why });
            (self.seats[seat].sitter, self.seats[seat].is_absent) = (Sitter::Gone, true);
            // The error is noted; the table only has to begin.
            self.table.closed(seat, 0);
            self.table.connect(seat, 0);
            self.gather();
        }
        self.table.receive(seat, format!("B {name}\n").as_bytes(), 0);
    }

    fn take_bytes(&mut self) {
        self.table.take_bytes(|seat, bytes| self.seats[seat].waiting.append(bytes));
    }

    /// Takes what the table has for others: lines, errors, the record.
    fn gather(&mut self) {
        self.take_bytes();
        for effect in self.table.take_effects() {
            match effect {
                Effect::Record(entry) => self.take_entry(&entry),
                Effect::Close(seat) => self.close(seat),
                Effect::Free(_) | Effect::Log(..) | Effect::Fault(..) | Effect::Finished(_) => {}
            }
        }
    }

    fn take_entry(&mut self, entry: &Entry) {
        let seat = match entry {
            Entry::Hypothesis { by, .. } | Entry::Accuse(by) => by.seat,
            Entry::Fault { by, code, line, open } => {
                if !self.seats[by.seat].is_absent {
                    let (seat, code, sent, asked) = (by.seat, *code, line.clone(), open.clone());
                    self.faults.push(FaultNote { seat, code, sent, asked, why: String::new() });
                }
                return;
            }
            _ => 0,
        };
        let one = &mut self.seats[seat];
        let announced = match &one.sitter {
            Sitter::Bot(player) => player.policy.announced(),
            Sitter::Program(_) | Sitter::Gone => None,
        };
        self.observer.entry(entry, one.facts(), announced);
        if let Entry::Hypothesis { cards, .. } = entry {
            one.view.says(&Answer::Hypothesis(*cards));
        }
    }

    /// Ends a program after an error, and notes why.
    fn close(&mut self, seat: usize) {
        let one = &mut self.seats[seat];
        let (lines, mut why) = (std::mem::take(&mut one.waiting), std::mem::take(&mut one.reason));
        let sitter = std::mem::replace(&mut one.sitter, Sitter::Gone);
        if let Sitter::Program(mut link) = sitter {
            if why.is_empty() {
                // It may be gone, or not read.
                let _ = link.send(&lines, Instant::now() + LAST_LINES);
            }
            why = with_printed(why, link.as_ref());
        }
        if let Some(note) = self.faults.iter_mut().rfind(|note| note.seat == seat && note.why.is_empty()) {
            note.why = why;
        }
    }

    fn run(&mut self) -> Result<(), Exit> {
        loop {
            self.gather();
            if self.table.ending().is_some() {
                break;
            }
            let Some((seat, _)) = self.table.waits_for() else {
                return Err(Exit::Failure("a table waits for nothing".to_owned()));
            };
            let one = &mut self.seats[seat];
            if matches!(one.sitter, Sitter::Gone) {
                self.table.closed(seat, self.base + micros(self.begun.elapsed()));
                continue;
            }
            let (lines, mut answer) = (std::mem::take(&mut one.waiting), None);
            for line in lines.split(|&byte| byte == b'\n').filter_map(Line::parse) {
                if line == Line::Turn {
                    self.observer.turn(seat, one.facts());
                }
                answer = one.hear(line);
            }
            match (&one.sitter, answer) {
                (Sitter::Bot(_), Some(answer)) => {
                    self.table.receive(seat, format!("{answer}\n").as_bytes(), self.base);
                }
                (Sitter::Bot(_), None) => {
                    one.reason = "no answer".to_owned();
                    self.table.closed(seat, self.base);
                }
                _ => self.ask(seat, &lines),
            }
        }
        for one in &mut self.seats {
            if let Sitter::Program(link) = &mut one.sitter {
                // It may be gone, or not read.
                let _ = link.send(&one.waiting, Instant::now() + LAST_LINES);
            }
        }
        Ok(())
    }

    /// Sends a program its lines, the last of which is a request, and waits for the answer.
    fn ask(&mut self, seat: usize, lines: &[u8]) {
        let Sitter::Program(link) = &mut self.seats[seat].sitter else { return };
        // Earlier lines do not answer the request.
        let (count, first) = link.drain();
        let (begun, timeout) = (Instant::now(), self.timeout);
        if let Err(why) = link.send(lines, begun + timeout) {
            self.seats[seat].reason = why.to_string();
            return self.table.closed(seat, self.now());
        }
        if count > MAX_UNASKED {
            self.seats[seat].reason = "a flood of lines that nobody asked for".to_owned();
            return self.table.receive(seat, &first, self.now());
        }
        let request = self.table.waits_for();
        let mut is_silent = false;
        while self.seats[seat].waiting.is_empty() && self.table.waits_for() == request && self.table.ending().is_none()
        {
            let now = self.now();
            let left = self.table.deadline().map_or(PATIENCE, |at| Duration::from_micros(at.saturating_sub(now)));
            let Sitter::Program(link) = &mut self.seats[seat].sitter else { return };
            match link.receive(Instant::now() + left) {
                Heard::Bytes(bytes) => self.table.receive(seat, &bytes, self.now()),
                Heard::Nothing => {
                    // A tick before the deadline only means that a line without its end is complete.
                    let now = self.now();
                    let limit = micros(timeout);
                    is_silent = request.is_some_and(|(_, since)| since.saturating_add(limit) <= now);
                    if is_silent {
                        self.seats[seat].reason = format!("no answer in {} ms", timeout.as_millis());
                    }
                    self.table.tick(now);
                }
                Heard::Gone(why) => {
                    self.seats[seat].reason = why.to_string();
                    self.table.closed(seat, self.now());
                }
            }
            self.take_bytes();
        }
        if !is_silent && self.seats[seat].reason.is_empty() {
            self.seats[seat].times.push(micros(begun.elapsed()));
        }
    }
}

/// Adds the last line that a program printed to standard error.
fn with_printed(why: String, link: &dyn Link) -> String {
    let printed = link.printed();
    let last = printed.trim_ascii_end().rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let last = last[..last.len().min(QUOTED)].escape_ascii().to_string();
    match (why.is_empty(), last.is_empty()) {
        (_, true) => why,
        (true, false) => format!("it printed: {last}"),
        (false, false) => format!("{why}; it printed: {last}"),
    }
}
