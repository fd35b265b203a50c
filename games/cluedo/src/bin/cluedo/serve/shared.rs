//! The state shared by tables: their clock, free seats, log, record and counters.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use amazons_program::Exit;
use cluedo::line::message::Answer;
use cluedo::line::record::{Client, Entry};
use cluedo::line::table::{Ending, Table};
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinSet;

use super::Server;
use super::connection::{Connection, Stream};
use crate::web::LiveTables;

#[derive(Default)]
pub(super) struct Counters {
    pub(super) connections: u64,
    pub(super) surplus: u64,
    pub(super) slow: u64,
    pub(super) faults: u64,
    pub(super) games: u64,
}

/// A table and a seat.
pub(super) type Place = (usize, usize);

/// A connection that takes a seat; nothing if the table was only changed.
pub(super) type Arrival = Option<(usize, Connection)>;

pub(super) struct Shared {
    pub(super) tables: Vec<RefCell<Table>>,
    /// The ways of connections to the tasks that play at the tables.
    doors: Vec<UnboundedSender<Arrival>>,
    pub(super) server: Server,
    pub(super) begun: Instant,
    /// Tables and seats without a client; the first is taken next.
    pub(super) free: RefCell<BTreeSet<Place>>,
    pub(super) counters: RefCell<Counters>,
    /// The record, or why it could not be written.
    record: RefCell<io::Result<Option<BufWriter<File>>>>,
    watched: Option<Arc<LiveTables>>,
    /// Each connection has a clone.
    open: Rc<()>,
    /// Those that are sent their last lines.
    pub(super) closing: RefCell<JoinSet<()>>,
}

impl Shared {
    pub(super) fn new(
        server: Server,
        doors: Vec<UnboundedSender<Arrival>>,
        record: Option<File>,
        watched: Option<Arc<LiveTables>>,
    ) -> Self {
        let players = server.options.players;
        let table = |number| RefCell::new(Table::new(Arc::clone(&server.options), number as u64, 0));
        Self {
            tables: (0..server.tables).map(table).collect(),
            doors,
            begun: Instant::now(),
            free: RefCell::new(
                (0..server.tables).flat_map(|table| (0..players).map(move |seat| (table, seat))).collect(),
            ),
            counters: RefCell::default(),
            record: RefCell::new(Ok(record.map(BufWriter::new))),
            watched,
            open: Rc::default(),
            closing: RefCell::default(),
            server,
        }
    }

    /// Returns the microseconds since the server began.
    pub(super) fn now(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// Returns how many microseconds a client may leave bytes unread, or not say who it is.
    pub(super) fn patience(&self) -> u64 {
        if self.server.options.timeout > 0 { self.server.options.timeout } else { 10_000_000 }
    }

    pub(super) fn connections(&self) -> usize {
        Rc::strong_count(&self.open) - 1
    }

    pub(super) fn connection(&self, stream: impl Stream + 'static, client: Client) -> Connection {
        Connection::new(stream, client, Rc::clone(&self.open))
    }

    pub(super) fn sit(&self, place: Place, connection: Connection) {
        self.free.borrow_mut().remove(&place);
        self.seat(place, connection, Table::connect);
    }

    pub(super) fn sit_again(&self, place: Place, connection: Connection) {
        self.seat(place, connection, Table::rejoin);
    }

    fn seat(&self, (number, seat): Place, connection: Connection, sit: impl FnOnce(&mut Table, usize, u64)) {
        let mut table = self.tables[number].borrow_mut();
        table.introduce(seat, connection.client.clone());
        sit(&mut table, seat, self.now());
        // A table that has finished closes it.
        let _ = self.doors[number].send(Some((seat, connection)));
    }

    /// Returns the seat that waits for the client that says this hello.
    pub(super) fn seat_of(&self, line: &[u8]) -> Option<Place> {
        let Some(Answer::Hello(login)) = Answer::parse(line) else { return None };
        let tables = self.tables.iter().map(RefCell::borrow).enumerate();
        let mut running = tables.filter(|(_, table)| table.ending().is_none());
        running.find_map(|(number, table)| Some((number, table.seat_of(&login)?)))
    }

    /// Closes a connection when its bytes are sent.
    pub(super) fn close(self: &Rc<Self>, connection: Connection) {
        let shared = Rc::clone(self);
        let mut closing = self.closing.borrow_mut();
        while closing.try_join_next().is_some() {}
        closing.spawn_local(async move {
            let is_slow = connection.close(Duration::from_micros(shared.patience())).await;
            shared.counters.borrow_mut().slow += u64::from(is_slow);
        });
    }

    pub(super) fn log(&self, table: usize, seat: Option<usize>, name: &str, what: &str, is_fault: bool) {
        self.counters.borrow_mut().faults += u64::from(is_fault);
        if is_fault || !self.server.args.quiet {
            let time = self.begun.elapsed().as_secs_f64();
            let who = seat.map_or(String::new(), |seat| format!(" seat {seat} {name}"));
            // A log that cannot be written changes no game.
            let line = format!("{time:10.3} table {table}{who}: {what}\n");
            let _ = io::stderr().write_all(line.as_bytes());
        }
    }

    pub(super) fn record(&self, entry: &Entry) {
        self.counters.borrow_mut().games += u64::from(matches!(entry, Entry::End { .. }));
        if let Some(watched) = &self.watched {
            watched.push(entry);
        }
        let mut record = self.record.borrow_mut();
        if let Ok(Some(file)) = &mut *record
            && let Err(error) = writeln!(file, "{}", entry.line())
        {
            *record = Err(error);
        }
    }

    /// Writes out what is kept in memory; fails if any of the record could not be written.
    pub(super) fn finish_record(&self) -> Result<(), Exit> {
        let record = self.record.replace(Ok(None));
        let written = record.and_then(|file| file.map_or(Ok(()), |mut file| file.flush()));
        written.map_err(|error| Exit::failure(format!("cannot write the record: {error}")))
    }

    /// Begins no further games; the second time, ends those that run.
    pub(super) fn stop(&self, is_first: bool) {
        for (table, door) in self.tables.iter().zip(&self.doors) {
            if is_first {
                table.borrow_mut().stop_gently();
            } else {
                table.borrow_mut().stop_now(self.now());
            }
            let _ = door.send(None);
        }
    }

    /// Returns whether all tables ended as they should.
    pub(super) fn is_complete(&self) -> bool {
        self.tables.iter().all(|table| table.borrow().ending() == Some(Ending::Complete))
    }
}
