//! A table without sockets: clients are strings.

use std::sync::Arc;

use cluedo::bots::Kind;
use cluedo::bots::play::{SeatedBot, seat_bot};
use cluedo::deal::{Deal, stream};
use cluedo::line::message::Line;
use cluedo::line::options::Options;
use cluedo::line::record::Entry;
use cluedo::line::table::{Effect, Ending, Table};

/// The deals of the session that the specification shows.
pub(super) const SESSION_DEALS: [&str; 2] = ["2 5 10 | 0 4 8 | 1 6 9 | 3 7 11", "3 7 11 | 2 6 10 | 0 4 8 | 1 5 9"];

/// What each client must hear and say, in order; `<` marks what it says.
pub(super) const SESSION: [&str; 3] = [
    "B 0 3;<B ada;C 0 4 8;T;<H 1 6 10;M 1 1;H 2 7 8;M 2;T;<H 2 5 11;P 1;M 2 11;H 2 5 10;P 2;P 0;M;T;<H 3 5 10;P 1;\
     M 2 3;F 1;C 2 6 10;T;<H 1 2 9;E 201",
    "B 1 3;<B bob;C 1 6 9;H 1 6 10;C;<M 1;M 1;T;<H 2 7 8;M 2 7;H 2 5 11;P 1;M 2;T;<H 2 5 10;P 2;P 0;M;H 3 5 10;P 1;\
     M 2;T;<A 2 5 10;F 1;C 0 4 8;E 201",
    "B 2 3;<B cleo;C 3 7 11;H 1 6 10;M 1;H 2 7 8;C;<M 7;M 2;T;<A 2 5 9;H 2 5 11;P 1;C;<M 11;M 2;H 2 5 10;P 2;P 0;M;\
     H 3 5 10;P 1;C;<M 3;M 2;F 1;C 1 5 9;E 201",
];

pub(super) fn session_options() -> Options {
    let mut options = Options::new(3, 2);
    options.deals = SESSION_DEALS.map(|deal| Deal::parse(deal, 3).expect("a deal")).into();
    options
}

/// A table and what its clients have received.
pub(super) struct Net {
    pub(super) table: Table,
    pub(super) now: u64,
    pub(super) heard: Vec<String>,
    pub(super) closed: Vec<bool>,
    pub(super) entries: Vec<Entry>,
    pub(super) ending: Option<Ending>,
}

impl Net {
    pub(super) fn new(options: Options) -> Self {
        let players = options.players;
        let table = Table::new(Arc::new(options), 0, 0);
        let (heard, closed) = (vec![String::new(); players], vec![false; players]);
        Self { table, now: 0, heard, closed, entries: Vec::new(), ending: None }
    }

    /// Seats clients who say hello.
    pub(super) fn seated(options: Options) -> Self {
        let mut net = Self::new(options);
        for seat in 0..net.heard.len() {
            net.connect(seat);
            net.send(seat, format!("B p{seat}\n").as_bytes());
        }
        net
    }

    pub(super) fn connect(&mut self, seat: usize) {
        self.closed[seat] = false;
        self.table.connect(seat, self.now);
        self.after();
    }

    pub(super) fn send(&mut self, seat: usize, bytes: &[u8]) {
        self.table.receive(seat, bytes, self.now);
        self.after();
    }

    pub(super) fn close(&mut self, seat: usize) {
        self.table.closed(seat, self.now);
        self.after();
    }

    /// Lets time pass.
    pub(super) fn wait(&mut self, microseconds: u64) {
        let end = self.now + microseconds;
        while let Some(at) = self.table.deadline().filter(|&at| at <= end) {
            self.now = self.now.max(at);
            self.table.tick(self.now);
            self.after();
        }
        self.now = end;
    }

    pub(super) fn after(&mut self) {
        for effect in self.table.take_effects() {
            match effect {
                Effect::Close(seat) => self.closed[seat] = true,
                Effect::Record(entry) => self.entries.push(*entry),
                Effect::Finished(ending) => self.ending = Some(ending),
                Effect::Free(_) | Effect::Log(..) | Effect::Fault(..) => {}
            }
        }
        let heard = &mut self.heard;
        self.table.take_bytes(|seat, bytes| {
            heard[seat].push_str(std::str::from_utf8(bytes).expect("ASCII"));
            bytes.clear();
        });
    }

    /// Takes what a client has heard, with `;` for ends of lines.
    pub(super) fn take(&mut self, seat: usize) -> String {
        std::mem::take(&mut self.heard[seat]).trim_end().replace('\n', ";")
    }
}

/// Clients that are bots, each with its lines so far.
pub(super) struct Bots {
    pub(super) players: Vec<SeatedBot>,
}

impl Bots {
    pub(super) fn new(kinds: &[Kind], seed: u64) -> Self {
        let player = |(seat, kind): (usize, &Kind)| {
            seat_bot(*kind, seat, kinds.len(), stream(seed, 0, 0, &format!("seat {seat}")))
        };
        Self { players: kinds.iter().enumerate().map(player).collect() }
    }

    /// Lets bots answer what they have heard, until nothing is asked of them. `speaks` may change or keep an answer.
    pub(super) fn play(&mut self, net: &mut Net, mut speaks: impl FnMut(&mut Net, usize, &str) -> Option<Vec<u8>>) {
        loop {
            let mut is_idle = true;
            for seat in 0..self.players.len() {
                let heard = std::mem::take(&mut net.heard[seat]);
                for line in heard.lines() {
                    let line = Line::parse(line.as_bytes()).expect("a server's line");
                    if let Some(answer) = self.players[seat].answer(line) {
                        is_idle = false;
                        if let Some(bytes) = speaks(net, seat, &answer.to_string()) {
                            net.send(seat, &bytes);
                        }
                    }
                }
            }
            if is_idle {
                return;
            }
        }
    }
}

/// An honest answer's bytes.
pub(super) fn honest(answer: &str) -> Option<Vec<u8>> {
    Some(format!("{answer}\n").into_bytes())
}
