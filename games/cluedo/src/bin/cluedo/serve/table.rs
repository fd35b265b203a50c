//! One table as a task that owns its clients' connections.

use std::cell::RefMut;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use cluedo::line::guest::Status;
use cluedo::line::inbox::{MAX_UNASKED, Received};
use cluedo::line::table::{Effect, Table};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Instant, Sleep};

use super::connection::Connection;
use super::shared::{Arrival, Place, Shared};

/// How long lines may wait for more, for a client that is asked nothing: they mostly go with the next request.
const COALESCE_DELAY: u64 = 1_000;

/// Maximum number of bytes queued for a client.
const MAX_QUEUED: usize = 64 * 1024;

struct Seats {
    shared: Rc<Shared>,
    number: usize,
    connections: Vec<Option<Connection>>,
    timer: Pin<Box<Sleep>>,
    /// When the timer wakes the task; nothing if it need not.
    armed: Option<u64>,
}

/// Plays at a table until its match is over; connections come through the door.
pub(super) async fn play(shared: Rc<Shared>, number: usize, mut door: UnboundedReceiver<Arrival>) {
    let connections = shared.tables[number].borrow().guests().iter().map(|_| None).collect();
    let timer = Box::pin(tokio::time::sleep(Duration::ZERO));
    let mut seats = Seats { shared, number, connections, timer, armed: None };
    poll_fn(|context| seats.poll(&mut door, context)).await;
}

impl Seats {
    fn table(&self) -> RefMut<'_, Table> {
        self.shared.tables[self.number].borrow_mut()
    }

    fn poll(&mut self, door: &mut UnboundedReceiver<Arrival>, context: &mut Context<'_>) -> Poll<()> {
        loop {
            let mut is_idle = true;
            if self.arrive(door, context) {
                self.settle();
                is_idle = false;
            }
            // The seat that is asked comes last: its answer may begin a game, and those who have left are not in that.
            let asked = self.table().waits_for().map(|(asked, _)| asked);
            for seat in (0..self.connections.len()).filter(|&seat| Some(seat) != asked) {
                while self.read(seat, context) {
                    is_idle = false;
                }
            }
            is_idle &= !asked.is_some_and(|asked| self.read(asked, context));
            let now = self.shared.now();
            let deadline = self.table().deadline();
            if deadline.is_some_and(|deadline| deadline <= now) {
                // What has arrived by now was in time.
                for seat in 0..self.connections.len() {
                    self.read_arrived(seat, &mut [0; 1024]);
                }
                self.table().tick(now);
                self.settle();
                is_idle = false;
            }
            for seat in 0..self.connections.len() {
                is_idle &= !self.write(seat, now, context);
            }
            if self.table().ending().is_some() {
                return Poll::Ready(());
            }
            if is_idle && self.poll_timer(context).is_pending() {
                return Poll::Pending;
            }
        }
    }

    /// Takes in all connections that wait at the door; returns whether something has changed.
    fn arrive(&mut self, door: &mut UnboundedReceiver<Arrival>, context: &mut Context<'_>) -> bool {
        // All at once: lines for a seat whose connection has not come in would be lost.
        let mut arrivals: Vec<Arrival> = std::iter::from_fn(|| door.try_recv().ok()).collect();
        if let Poll::Ready(Some(arrival)) = door.poll_recv(context) {
            arrivals.push(arrival);
        }
        let has_changed = !arrivals.is_empty();
        for (seat, connection) in arrivals.into_iter().flatten() {
            self.connections[seat] = Some(connection);
        }
        has_changed
    }

    fn poll_timer(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let of_connection = |connection: &Connection| {
            let slow = connection.waits_since.map(|since| since + self.shared.patience());
            connection.due.into_iter().chain(slow).min()
        };
        let deadline = self.connections.iter().flatten().filter_map(of_connection).chain(self.table().deadline()).min();
        let Some(deadline) = deadline else { return Poll::Pending };
        // Most deadlines move on before they come: a timer that is early is cheaper than one that is set for each.
        if self.armed.is_none_or(|armed| deadline < armed) {
            self.armed = Some(deadline);
            let wait = Duration::from_micros(deadline.saturating_sub(self.shared.now()));
            self.timer.as_mut().reset(Instant::now() + wait);
        }
        let woken = self.timer.as_mut().poll(context);
        if woken.is_ready() {
            self.armed = None;
        }
        woken
    }

    /// Reads from a seat's client once, if it has sent something.
    fn read(&mut self, seat: usize, context: &mut Context<'_>) -> bool {
        let Some(connection) = self.connections[seat].as_mut().filter(|connection| !connection.is_ended) else {
            return false;
        };
        // Not kept while the client is waited for: there may be thousands.
        let mut buffer = [0; 2048];
        match connection.poll_read(&mut buffer, context) {
            Poll::Ready(Ok([])) => self.ended(seat, false),
            Poll::Ready(Ok(bytes)) => self.receive(seat, bytes),
            Poll::Ready(Err(_)) => self.ended(seat, true),
            Poll::Pending => return false,
        }
        true
    }

    /// Reads what a client has sent already: the event loop may not have heard of it yet.
    fn read_arrived(&mut self, seat: usize, buffer: &mut [u8]) {
        let Some(connection) = &self.connections[seat] else { return };
        match connection.read_arrived(buffer) {
            Ok(0) => {}
            Ok(count) => self.receive(seat, &buffer[..count]),
            Err(_) => self.ended(seat, true),
        }
    }

    /// Sends what is due to a seat's client, and closes a connection that is too slow.
    fn write(&mut self, seat: usize, now: u64, context: &mut Context<'_>) -> bool {
        let is_due = |connection: &Connection| connection.due.is_some_and(|due| due <= now);
        let requests = self.connections[seat].as_ref().is_some_and(|one| one.is_asked && is_due(one));
        if requests {
            // More than this is a flood, and a fault.
            self.read_arrived(seat, &mut [0; 2 * MAX_UNASKED]);
        }
        let connection = self.connections[seat].as_mut();
        let Some(connection) = connection.filter(|one| is_due(one) || one.waits_since.is_some()) else {
            return requests;
        };
        let is_due = is_due(connection);
        connection.is_asked &= !is_due;
        let is_slow = |connection: &Connection| {
            connection.waits_since.is_some_and(|since| since + self.shared.patience() <= now)
                || connection.out.len() > MAX_QUEUED
        };
        match connection.poll_flush(now, context) {
            Poll::Ready(Ok(())) => return true,
            Poll::Ready(Err(_)) => {}
            Poll::Pending if is_slow(connection) => self.shared.counters.borrow_mut().slow += 1,
            Poll::Pending => return is_due,
        }
        self.ended(seat, true);
        true
    }

    fn receive(&mut self, seat: usize, bytes: &[u8]) {
        if let Some(place) = self.seat_elsewhere(seat, bytes)
            && let Some(connection) = self.connections[seat].take()
        {
            self.table().vacate(seat);
            self.settle();
            return self.shared.sit_again(place, connection);
        }
        if self.connections[seat].as_ref().is_some_and(|connection| connection.is_asked) {
            self.table().receive_early(seat, bytes, self.shared.now());
        } else {
            self.table().receive(seat, bytes, self.shared.now());
        }
        self.settle();
    }

    /// Returns the seat that a client had at another table, if it says so at the one where it has been seated.
    fn seat_elsewhere(&self, seat: usize, bytes: &[u8]) -> Option<Place> {
        let received = {
            let table = self.table();
            let guest = &table.guests()[seat];
            if self.shared.server.options.rejoin == 0 || !matches!(guest.status, Status::Hello { .. }) {
                return None;
            }
            guest.inbox.clone().asked(bytes, 0)
        };
        if let Received::Line(line, _) = received { self.shared.seat_of(&line) } else { None }
    }

    /// The client sends no more; `is_broken` if it cannot read any more either.
    fn ended(&mut self, seat: usize, is_broken: bool) {
        if let Some(connection) = &mut self.connections[seat] {
            connection.is_ended = true;
        }
        self.table().closed(seat, self.shared.now());
        self.settle();
        // A client that only sends no more still hears of the game until its fault.
        if is_broken || self.table().guests()[seat].status != Status::Gone {
            self.connections[seat] = None;
        }
    }

    /// Does what the table wants after an event.
    fn settle(&mut self) {
        let (shared, connections) = (&self.shared, &mut self.connections);
        let mut table = shared.tables[self.number].borrow_mut();
        let now = shared.now();
        let asked = table.waits_for().map(|(asked, _)| asked);
        table.take_bytes(|seat, bytes| {
            let Some(connection) = &mut connections[seat] else { return bytes.clear() };
            connection.is_asked |= asked == Some(seat);
            let is_urgent = asked.is_none_or(|asked| asked == seat) || connection.out.len() + bytes.len() > MAX_QUEUED;
            connection.queue(bytes, if is_urgent { now } else { now + COALESCE_DELAY });
        });
        for effect in table.take_effects() {
            match effect {
                Effect::Close(seat) => {
                    if let Some(connection) = connections[seat].take() {
                        shared.close(connection);
                    }
                }
                Effect::Free(seat) => {
                    connections[seat] = None;
                    shared.free.borrow_mut().insert((self.number, seat));
                }
                Effect::Log(seat, what) => {
                    let name = seat.map_or("", |seat| table.guests()[seat].name());
                    shared.log(self.number, seat, name, &what, false);
                }
                Effect::Fault(seat, what) => {
                    shared.log(self.number, Some(seat), table.guests()[seat].name(), &what, true);
                }
                Effect::Record(entry) => shared.record(&entry),
                Effect::Finished(_) => {
                    shared.free.borrow_mut().retain(|&(table, _)| table != self.number);
                    for connection in connections.iter_mut().filter_map(Option::take) {
                        shared.close(connection);
                    }
                }
            }
        }
    }
}
