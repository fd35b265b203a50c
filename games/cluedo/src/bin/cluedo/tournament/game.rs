//! One game: a table of the server, with bots of this process and programs at its seats.

use std::sync::Arc;
use std::time::{Duration, Instant};

use amazons_program::Exit;
use cluedo::bots::Kind;
use cluedo::bots::play::{SeatedBot, seat_bot};
use cluedo::deal::Deal;
use cluedo::knowledge::facts::Facts;
use cluedo::line::guest::Status;
use cluedo::line::message::{Answer, Line};
use cluedo::line::options::{OnError, Options};
use cluedo::line::record::Entry;
use cluedo::line::seat::Seat;
use cluedo::line::table::{Effect, Table};
use cluedo::tournament::{FaultNote, GameResult, Observer};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::seats::{FLOOD, Heard, Link};

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

pub(super) struct Seating {
    pub(super) programs: Vec<usize>,
    pub(super) names: Vec<String>,
    pub(super) deal: Deal,
    pub(super) timeout: u64,
    pub(super) seed: u64,
}

pub(super) enum Sitter {
    Bot(Box<SeatedBot>),
    Program(Box<dyn Link>),
    Gone,
}

impl Sitter {
    pub(super) fn bot(kind: Kind, seat: usize, players: usize, rng: Xoshiro256PlusPlus) -> Self {
        Self::Bot(Box::new(seat_bot(kind, seat, players, rng)))
    }
}

struct Host {
    table: Table,
    sitters: Vec<Sitter>,
    /// Lines that a seat has not got yet: it gets them with the next request.
    waiting: Vec<Vec<u8>>,
    views: Vec<Seat>,
    observer: Observer,
    faults: Vec<FaultNote>,
    times: Vec<Vec<u64>>,
    /// Why a seat says no more.
    reasons: Vec<String>,
    /// Seats without a hello: their error is known.
    is_absent: Vec<bool>,
    timeout: Duration,
    begun: Instant,
    /// The table's time when the clock began to run.
    base: u64,
}

pub(super) fn play(seating: &Seating, sitters: Vec<Sitter>) -> Result<GameResult, Exit> {
    let players = sitters.len();
    let mut options = Options::new(players, 1);
    options.timeout = seating.timeout;
    options.wait = 0;
    options.seed = seating.seed;
    options.on_error = OnError::Forfeit;
    options.deals = [seating.deal].into();
    let timeout = if seating.timeout == 0 { PATIENCE } else { Duration::from_micros(seating.timeout) };
    let mut host = Host {
        table: Table::new(Arc::new(options), 0, 0),
        sitters,
        waiting: vec![Vec::new(); players],
        views: (0..players).map(|seat| Seat::new(seat, players)).collect(),
        observer: Observer::new(seating.programs.clone()),
        faults: Vec::new(),
        times: vec![Vec::new(); players],
        reasons: vec![String::new(); players],
        is_absent: vec![false; players],
        timeout,
        begun: Instant::now(),
        base: 0,
    };
    for seat in 0..players {
        host.greet(seat, &seating.names[seat]);
    }
    host.begun = Instant::now();
    host.gather();
    for seat in 0..players {
        if host.is_absent[seat] {
            host.table.closed(seat, host.now());
        }
    }
    host.run()?;
    let mut result = host.observer.finish();
    result.faults = host.faults;
    if host.times.iter().any(|times| !times.is_empty()) {
        result.times = host.times;
    }
    Ok(result)
}

impl Host {
    fn now(&self) -> u64 {
        self.base + u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// Seats a client, which must say hello; another name stands for one that does not.
    fn greet(&mut self, seat: usize, name: &str) {
        let hello = format!("B {name}\n");
        self.table.connect(seat, 0);
        self.gather();
        if let Sitter::Program(link) = &mut self.sitters[seat] {
            let end = Instant::now() + self.timeout.max(STARTING);
            let welcome = std::mem::take(&mut self.waiting[seat]);
            let mut heard = Vec::new();
            let mut reason = link.send(&welcome, end).err();
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
                        self.base = u64::try_from(SILENCE.as_micros()).unwrap_or(0);
                        self.table.tick(self.base);
                    }
                    Heard::Nothing => {}
                    Heard::Gone(why) => reason = Some(why),
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
            self.sitters[seat] = Sitter::Gone;
            self.is_absent[seat] = true;
            // The error is noted; the table only has to begin.
            self.table.closed(seat, 0);
            self.table.connect(seat, 0);
            self.gather();
        }
        self.table.receive(seat, hello.as_bytes(), 0);
    }

    /// Takes what the table has for others: lines, errors, the record.
    fn gather(&mut self) {
        let waiting = &mut self.waiting;
        self.table.take_bytes(|seat, bytes| waiting[seat].append(bytes));
        for effect in self.table.take_effects() {
            match effect {
                Effect::Record(entry) => self.take_entry(&entry),
                Effect::Close(seat) => self.close(seat),
                Effect::Free(_) | Effect::Log(..) | Effect::Finished(_) => {}
            }
        }
    }

    fn take_entry(&mut self, entry: &Entry) {
        let seat = match entry {
            Entry::Hypothesis { seat, .. } | Entry::Accuse { seat, .. } => *seat,
            Entry::Fault { seat, code, line, open, .. } => {
                if !self.is_absent[*seat] {
                    let (seat, code, sent, asked) = (*seat, *code, line.clone(), open.clone());
                    self.faults.push(FaultNote { seat, code, sent, asked, why: String::new() });
                }
                return;
            }
            _ => 0,
        };
        let announced = match &self.sitters[seat] {
            Sitter::Bot(player) => player.player.policy.announced(),
            Sitter::Program(_) | Sitter::Gone => None,
        };
        self.observer.entry(entry, facts(&self.sitters, &self.views, seat), announced);
        if let Entry::Hypothesis { cards, .. } = entry {
            self.views[seat].says(&Answer::Hypothesis(*cards));
        }
    }

    /// Ends a program after an error, and notes why.
    fn close(&mut self, seat: usize) {
        let lines = std::mem::take(&mut self.waiting[seat]);
        let sitter = std::mem::replace(&mut self.sitters[seat], Sitter::Gone);
        let mut why = std::mem::take(&mut self.reasons[seat]);
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
            let lines = std::mem::take(&mut self.waiting[seat]);
            match &mut self.sitters[seat] {
                Sitter::Bot(player) => {
                    let mut answer = None;
                    for line in lines.split(|&byte| byte == b'\n').filter_map(Line::parse) {
                        if line == Line::Turn {
                            self.observer.turn(seat, &player.facts);
                        }
                        answer = player.answer(line);
                    }
                    let now = self.base;
                    match answer {
                        Some(answer) => self.table.receive(seat, format!("{answer}\n").as_bytes(), now),
                        None => {
                            self.reasons[seat] = "no answer".to_owned();
                            self.table.closed(seat, now);
                        }
                    }
                }
                Sitter::Program(_) => self.ask(seat, &lines),
                Sitter::Gone => self.table.closed(seat, self.now()),
            }
        }
        for (sitter, lines) in self.sitters.iter_mut().zip(&self.waiting) {
            if let Sitter::Program(link) = sitter {
                // It may be gone, or not read.
                let _ = link.send(lines, Instant::now() + LAST_LINES);
            }
        }
        Ok(())
    }

    /// Sends a program its lines, the last of which is a request, and waits for the answer.
    fn ask(&mut self, seat: usize, lines: &[u8]) {
        for line in lines.split(|&byte| byte == b'\n').filter_map(Line::parse) {
            if line == Line::Turn {
                self.observer.turn(seat, &self.views[seat].facts);
            }
            self.views[seat].hear(line);
        }
        let Sitter::Program(link) = &mut self.sitters[seat] else { return };
        self.reasons[seat].clear();
        // Earlier lines do not answer the request.
        let (count, first) = link.drain();
        let (begun, timeout) = (Instant::now(), self.timeout);
        if let Err(why) = link.send(lines, begun + timeout) {
            self.reasons[seat] = why;
            return self.table.closed(seat, self.now());
        }
        if count > FLOOD {
            self.reasons[seat] = "a flood of lines that nobody asked for".to_owned();
            return self.table.receive(seat, &first, self.now());
        }
        let request = self.table.waits_for();
        let mut is_silent = false;
        while self.waiting[seat].is_empty() && self.table.waits_for() == request && self.table.ending().is_none() {
            let Sitter::Program(link) = &mut self.sitters[seat] else { return };
            let now = self.base + u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX);
            let left = self.table.deadline().map_or(PATIENCE, |at| Duration::from_micros(at.saturating_sub(now)));
            match link.receive(Instant::now() + left) {
                Heard::Bytes(bytes) => self.table.receive(seat, &bytes, self.now()),
                Heard::Nothing => {
                    // A tick before the deadline only means that a line without its end is complete.
                    let now = self.now();
                    let limit = u64::try_from(timeout.as_micros()).unwrap_or(u64::MAX);
                    is_silent = request.is_some_and(|(_, since)| since.saturating_add(limit) <= now);
                    if is_silent {
                        self.reasons[seat] = format!("no answer in {} ms", timeout.as_millis());
                    }
                    self.table.tick(now);
                }
                Heard::Gone(why) => {
                    self.reasons[seat] = why;
                    self.table.closed(seat, self.now());
                }
            }
            let waiting = &mut self.waiting;
            self.table.take_bytes(|seat, bytes| waiting[seat].append(bytes));
        }
        if !is_silent && self.reasons[seat].is_empty() {
            self.times[seat].push(u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX));
        }
    }
}

fn facts<'a>(sitters: &'a [Sitter], views: &'a [Seat], seat: usize) -> &'a Facts {
    match &sitters[seat] {
        Sitter::Bot(player) => &player.facts,
        Sitter::Program(_) | Sitter::Gone => &views[seat].facts,
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
