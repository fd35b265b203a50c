//! All tables and connections, between events.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap, VecDeque};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use cluedo::line::guest::Status;
use cluedo::line::inbox::{Inbox, MAX_UNASKED, Received};
use cluedo::line::message::Answer;
use cluedo::line::record::{Client, Entry};
use cluedo::line::table::{Effect, Ending, Table};

use super::Server;
use super::connection::{Connection, MAX_QUEUED, Place, Stream};
use crate::web::LiveTables;

/// How long lines may wait for more, for a client that is asked nothing: they mostly go with the next request.
const GATHERING: u64 = 1_000;

/// The most clients that may ask for a seat which they had.
pub(super) const MAX_ASKING: usize = 64;

/// Something that is due at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    Lazy,
    Table(usize),
    Connection(u64),
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counters {
    pub(super) connections: u64,
    pub(super) surplus: u64,
    pub(super) slow: u64,
    pub(super) faults: u64,
    pub(super) games: u64,
}

pub(super) struct Hub {
    pub(super) tables: Vec<Table>,
    /// The connection at each seat.
    seated: Vec<Vec<Option<u64>>>,
    pub(super) connections: HashMap<u64, Connection>,
    next: u64,
    free: BTreeSet<(usize, usize)>,
    /// Connections that may say who they were, the oldest first.
    asking: VecDeque<u64>,
    due: BinaryHeap<Reverse<(u64, Due)>>,
    armed: Vec<u64>,
    /// Connections with bytes to be sent before the next wait.
    dirty: Vec<u64>,
    /// Connections with bytes that may wait for more.
    lazy: Vec<u64>,
    record: Option<BufWriter<File>>,
    /// For those who look on.
    watched: Option<Arc<LiveTables>>,
    pub(super) begun: Instant,
    timeout: u64,
    rejoin: u64,
    is_quiet: bool,
    pub(super) unfinished: usize,
    pub(super) counters: Counters,
    pub(super) failure: Option<String>,
}

impl Hub {
    pub(super) fn new(server: &Server, record: Option<File>, watched: Option<Arc<LiveTables>>) -> Self {
        let players = server.options.players;
        let tables = (0..server.tables).map(|table| Table::new(server.options.clone(), table as u64, 0)).collect();
        let mut hub = Self {
            tables,
            seated: vec![vec![None; players]; server.tables],
            connections: HashMap::new(),
            next: 0,
            free: (0..server.tables).flat_map(|table| (0..players).map(move |seat| (table, seat))).collect(),
            asking: VecDeque::new(),
            due: BinaryHeap::new(),
            armed: vec![u64::MAX; server.tables],
            dirty: Vec::new(),
            lazy: Vec::new(),
            record: record.map(BufWriter::new),
            watched,
            begun: Instant::now(),
            timeout: server.options.timeout,
            rejoin: server.options.rejoin,
            is_quiet: server.quiet,
            unfinished: server.tables,
            counters: Counters::default(),
            failure: None,
        };
        for table in 0..server.tables {
            hub.arm(table);
        }
        hub
    }

    pub(super) fn now(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// A client connects; returns its number, unless there is no place for it.
    pub(super) fn connect(&mut self, stream: Rc<Stream>) -> Option<u64> {
        let id = self.next;
        self.next += 1;
        self.counters.connections += 1;
        let now = self.now();
        if let Some((table, seat)) = self.free.pop_first() {
            let client = client_of(&stream);
            self.sit(id, stream, table, seat, client);
            return Some(id);
        }
        if self.rejoin == 0 {
            self.counters.surplus += 1;
            return None;
        }
        if self.asking.len() >= MAX_ASKING {
            // Those that say nothing shut nobody out: who wants its seat back says so at once.
            self.counters.surplus += 1;
            self.asking.front().copied().into_iter().for_each(|oldest| self.drop_connection(oldest));
        }
        self.asking.push_back(id);
        let deadline = now + if self.timeout > 0 { self.timeout } else { 10_000_000 };
        self.due.push(Reverse((deadline, Due::Connection(id))));
        let place = Place::Asking { inbox: Inbox::default(), deadline };
        self.connections.insert(id, Connection::new(stream, place));
        Some(id)
    }

    /// A program that the server started takes a free seat; returns its number.
    pub(super) fn seat(&mut self, stream: Rc<Stream>, table: usize, seat: usize, client: Client) -> u64 {
        let id = self.next;
        self.next += 1;
        self.free.remove(&(table, seat));
        self.sit(id, stream, table, seat, client);
        id
    }

    fn sit(&mut self, id: u64, stream: Rc<Stream>, table: usize, seat: usize, client: Client) {
        let now = self.now();
        self.connections.insert(id, Connection::new(stream, Place::Seat { table, seat }));
        self.seated[table][seat] = Some(id);
        self.tables[table].introduce(seat, client);
        self.tables[table].connect(seat, now);
        self.after(table);
    }

    /// Bytes from a client.
    pub(super) fn receive(&mut self, id: u64, bytes: &[u8]) {
        let now = self.now();
        let Some(connection) = self.connections.get_mut(&id) else { return };
        match &mut connection.place {
            &mut Place::Seat { table, seat } => {
                let is_asked = connection.is_asked;
                if let Some(place) = self.away_seat(table, seat, bytes) {
                    self.tables[table].vacate(seat);
                    self.after(table);
                    return self.seat_again(id, place);
                }
                if is_asked {
                    self.tables[table].receive_early(seat, bytes, now);
                } else {
                    self.tables[table].receive(seat, bytes, now);
                }
                self.after(table);
            }
            Place::Asking { inbox, .. } => match inbox.asked(bytes, now) {
                Received::Nothing => {}
                Received::Line(line, _) => match self.seat_of(&line) {
                    Some(place) => {
                        self.asking.retain(|&one| one != id);
                        self.seat_again(id, place);
                    }
                    None => self.drop_connection(id),
                },
                Received::TooMuch(_) => self.drop_connection(id),
            },
            Place::Nowhere => {}
        }
    }

    /// Returns the seat that waits for the client that says this hello.
    fn seat_of(&self, line: &[u8]) -> Option<(usize, usize)> {
        let Some(Answer::Hello(login)) = Answer::parse(line) else { return None };
        self.tables.iter().enumerate().find_map(|(place, table)| Some((place, table.seat_of(&login)?)))
    }

    /// Returns the seat that a client had at another table, if it says so at the one where it has been seated.
    fn away_seat(&self, table: usize, seat: usize, bytes: &[u8]) -> Option<(usize, usize)> {
        let guest = &self.tables[table].guests()[seat];
        if self.rejoin == 0 || !matches!(guest.status, Status::Hello { .. }) {
            return None;
        }
        match guest.inbox.clone().asked(bytes, 0) {
            Received::Line(line, _) => self.seat_of(&line),
            Received::Nothing | Received::TooMuch(_) => None,
        }
    }

    /// A client gets its seat back.
    fn seat_again(&mut self, id: u64, (table, seat): (usize, usize)) {
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.place = Place::Seat { table, seat };
            self.tables[table].introduce(seat, client_of(&connection.stream));
        }
        self.seated[table][seat] = Some(id);
        let now = self.now();
        self.tables[table].rejoin(seat, now);
        self.after(table);
    }

    /// The client sends no more; `is_broken` if it cannot read any more either.
    pub(super) fn ended(&mut self, id: u64, is_broken: bool) {
        let now = self.now();
        let Some(connection) = self.connections.get_mut(&id) else { return };
        connection.is_ended = true;
        if let Place::Seat { table, seat } = connection.place {
            self.tables[table].closed(seat, now);
            let is_gone = matches!(self.tables[table].guests()[seat].status, Status::Gone);
            self.after(table);
            // Who only sends no more still hears of the fault, or of the game until then.
            let hears = is_gone || self.connections.get(&id).is_some_and(|connection| connection.is_closing);
            if is_broken || !hears {
                self.drop_connection(id);
            }
        } else {
            self.drop_connection(id);
        }
    }

    fn drop_connection(&mut self, id: u64) {
        let Some(connection) = self.connections.get_mut(&id) else { return };
        match connection.place {
            Place::Seat { table, seat } if self.seated[table][seat] == Some(id) => self.seated[table][seat] = None,
            Place::Asking { .. } => self.asking.retain(|&one| one != id),
            Place::Seat { .. } | Place::Nowhere => {}
        }
        connection.place = Place::Nowhere;
        connection.is_closing = true;
        connection.out.clear();
        connection.wake();
    }

    /// Does what a table wants after an event.
    fn after(&mut self, table: usize) {
        let mut bytes = Vec::new();
        self.tables[table].take_bytes(|seat, out| bytes.push((seat, std::mem::take(out))));
        for (seat, bytes) in bytes {
            self.queue(table, seat, bytes);
        }
        for effect in self.tables[table].take_effects() {
            match effect {
                Effect::Close(seat) => self.close(table, seat),
                Effect::Free(seat) => {
                    if let Some(id) = self.seated[table][seat].take()
                        && let Some(connection) = self.connections.get_mut(&id)
                    {
                        connection.place = Place::Nowhere;
                    }
                    self.free.insert((table, seat));
                }
                Effect::Log(seat, what) => self.log(table, seat, &what),
                Effect::Record(entry) => {
                    self.counters.games += u64::from(matches!(*entry, Entry::End { .. }));
                    self.write_record(&entry);
                }
                Effect::Finished(_) => {
                    self.unfinished -= 1;
                    self.free.retain(|&(one, _)| one != table);
                    for seat in 0..self.seated[table].len() {
                        self.close(table, seat);
                    }
                }
            }
        }
        self.arm(table);
    }

    /// Queues bytes for a seat's client.
    fn queue(&mut self, table: usize, seat: usize, bytes: Vec<u8>) {
        let now = self.now();
        let Some(id) = self.seated[table][seat] else { return };
        let Some(connection) = self.connections.get_mut(&id) else { return };
        let is_new = connection.out.is_empty();
        if is_new {
            connection.out = bytes;
        } else {
            connection.out.extend_from_slice(&bytes);
        }
        let asked = self.tables[table].waits_for().map(|(asked, _)| asked);
        connection.is_asked |= asked == Some(seat);
        if asked.is_none_or(|asked| asked == seat) {
            self.dirty.push(id);
        } else if is_new {
            if self.lazy.is_empty() {
                self.due.push(Reverse((now + GATHERING, Due::Lazy)));
            }
            self.lazy.push(id);
        }
        if connection.out.len() > MAX_QUEUED {
            self.due.push(Reverse((now, Due::Connection(id))));
        }
    }

    /// Closes a seat's connection when its bytes are sent.
    fn close(&mut self, table: usize, seat: usize) {
        if let Some(id) = self.seated[table][seat].take()
            && let Some(connection) = self.connections.get_mut(&id)
        {
            connection.place = Place::Nowhere;
            connection.is_closing = true;
            self.dirty.push(id);
        }
    }

    fn arm(&mut self, table: usize) {
        if let Some(deadline) = self.tables[table].deadline()
            && deadline < self.armed[table]
        {
            self.armed[table] = deadline;
            self.due.push(Reverse((deadline, Due::Table(table))));
        }
    }

    fn write_record(&mut self, entry: &Entry) {
        if let Some(watched) = &self.watched {
            watched.push(entry);
        }
        if let Some(record) = &mut self.record
            && let Err(error) = writeln!(record, "{}", entry.line())
        {
            self.failure.get_or_insert(format!("cannot write the record: {error}"));
        }
    }

    /// Writes out what is kept in memory.
    pub(super) fn flush_record(&mut self) {
        if let Some(Err(error)) = self.record.as_mut().map(BufWriter::flush) {
            self.failure.get_or_insert(format!("cannot write the record: {error}"));
        }
    }

    pub(super) fn is_dirty(&self) -> bool {
        !self.dirty.is_empty()
    }

    /// Sends what is queued.
    pub(super) fn flush(&mut self) {
        let now = self.now();
        while let Some(id) = self.dirty.pop() {
            self.drop_early(id);
            let Some(connection) = self.connections.get_mut(&id) else { continue };
            if connection.flush(now).is_err() {
                self.ended(id, true);
                continue;
            }
            if connection.is_closing {
                connection.wake();
            }
            if connection.waits_since == Some(now) {
                let timeout = if self.timeout > 0 { self.timeout } else { 10_000_000 };
                self.due.push(Reverse((now + timeout, Due::Connection(id))));
            }
        }
    }

    /// Reads what has arrived before a request that is about to be sent.
    fn drop_early(&mut self, id: u64) {
        let Some(connection) = self.connections.get_mut(&id).filter(|connection| connection.is_asked) else { return };
        // More than this is a flood, and a fault.
        let mut buffer = [0; 2 * MAX_UNASKED];
        let read = connection.stream.read_arrived(&mut buffer);
        match read {
            Ok(0) => {}
            Ok(count) => self.receive(id, &buffer[..count]),
            Err(_) => self.ended(id, true),
        }
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.is_asked = false;
        }
    }

    /// Returns when something is due.
    pub(super) fn deadline(&self) -> Option<u64> {
        self.due.peek().map(|Reverse((at, _))| *at)
    }

    /// Does what is due.
    pub(super) fn tick(&mut self) {
        let now = self.now();
        while let Some(&Reverse((at, due))) = self.due.peek().filter(|Reverse((at, _))| *at <= now) {
            self.due.pop();
            match due {
                Due::Table(table) => {
                    if self.armed[table] == at {
                        self.armed[table] = u64::MAX;
                    }
                    if self.tables[table].deadline().is_some_and(|deadline| deadline <= now) {
                        // What has arrived by now was in time.
                        for seat in 0..self.seated[table].len() {
                            self.pull(table, seat);
                        }
                        self.tables[table].tick(now);
                    }
                    self.after(table);
                }
                Due::Connection(id) => self.check_connection(id, now),
                Due::Lazy => self.dirty.append(&mut self.lazy),
            }
        }
    }

    /// Reads what a client has sent already.
    fn pull(&mut self, table: usize, seat: usize) {
        let Some(id) = self.seated[table][seat] else { return };
        let Some(stream) = self.connections.get(&id).map(|connection| Rc::clone(&connection.stream)) else { return };
        let mut buffer = [0; 1024];
        // This process may have slept: its event loop has not heard of it yet.
        if let Ok(count @ 1..) = stream.read_arrived(&mut buffer) {
            self.receive(id, &buffer[..count]);
        }
    }

    /// Closes a connection that reads too slowly, or did not say who it is.
    fn check_connection(&mut self, id: u64, now: u64) {
        let timeout = if self.timeout > 0 { self.timeout } else { 10_000_000 };
        let Some(connection) = self.connections.get_mut(&id) else { return };
        let is_slow = connection.waits_since.is_some_and(|since| since + timeout <= now);
        let is_late = matches!(connection.place, Place::Asking { deadline, .. } if deadline <= now);
        if is_late {
            self.drop_connection(id);
        } else if is_slow || connection.out.len() > MAX_QUEUED {
            self.counters.slow += 1;
            self.ended(id, true);
        }
    }

    fn log(&mut self, table: usize, seat: Option<usize>, what: &str) {
        let is_fault = what.starts_with("fault");
        self.counters.faults += u64::from(is_fault);
        if is_fault || !self.is_quiet {
            let time = self.begun.elapsed().as_secs_f64();
            let name = |seat: usize| self.tables[table].guests()[seat].name();
            let who = seat.map_or(String::new(), |seat| format!(" seat {seat} {}", name(seat)));
            // A log that cannot be written changes no game.
            let line = format!("{time:10.3} table {table}{who}: {what}\n");
            let _ = std::io::stderr().write_all(line.as_bytes());
        }
    }

    /// Begins no further games; the second time it ends those that run.
    pub(super) fn stop(&mut self, is_first: bool) {
        let now = self.now();
        for table in 0..self.tables.len() {
            if is_first {
                self.tables[table].stop_gently();
            } else {
                self.tables[table].stop_now(now);
            }
            self.after(table);
        }
    }

    /// Returns whether all tables ended as they should.
    pub(super) fn is_complete(&self) -> bool {
        self.tables.iter().all(|table| table.ending() == Some(Ending::Complete))
    }
}

/// Returns what the record says of a client of the network.
fn client_of(stream: &Stream) -> Client {
    Client { address: stream.address().unwrap_or_default(), ..Client::default() }
}
