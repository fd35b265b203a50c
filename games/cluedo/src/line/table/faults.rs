//! Faults of clients, those who leave, and early ends.

use super::{Effect, Ending, Round, Table};
use crate::line::guest::Status;
use crate::line::message::{Codes, Fault, Line};
use crate::line::options::OnError;
use crate::line::record::{By, Entry};

impl Table {
    /// A seat's client has left, or reads too slowly.
    pub fn closed(&mut self, seat: usize, now: u64) {
        if self.ending.is_some() {
            return;
        }
        let rejoin = self.options.rejoin;
        let guest = &mut self.guests[seat];
        match guest.status {
            Status::Empty | Status::Ghost | Status::Gone | Status::Away { .. } => {}
            // A client that only sends no more can still hear this.
            Status::Hello { .. } => self.fault_once(seat, Fault::Hello, b"", now),
            Status::Ready if self.game.is_none() => self.free(seat),
            Status::Ready if rejoin > 0 && guest.has_secret() => {
                let mut deadline = None;
                if let Some(open) = self.open.as_mut().filter(|open| open.seat == seat) {
                    // It stands still while the client is away, but only the first time.
                    open.deadline = open.deadline.filter(|_| open.is_renewed);
                    deadline = open.deadline;
                }
                let until = now + rejoin;
                guest.status = Status::Away { until: deadline.map_or(until, |deadline| deadline.min(until)) };
                self.log(seat, "left, may come back");
            }
            Status::Ready => self.leave(seat, now),
        }
    }

    /// A client that has not said hello moves to another seat.
    pub fn vacate(&mut self, seat: usize) {
        if matches!(self.guests[seat].status, Status::Hello { .. }) {
            self.free(seat);
        }
    }

    pub fn stop_gently(&mut self) {
        self.stops = true;
        if self.game.is_none() && self.ending.is_none() {
            self.finish(Ending::Stopped);
        }
    }

    /// Ends the game that runs, and the match.
    pub fn stop_now(&mut self, now: u64) {
        if self.ending.is_none() {
            self.record_end(None, None, now);
            self.send_all(Line::Error(Fault::Limit.code(self.options.codes, true)));
            self.finish(Ending::Stopped);
        }
    }

    /// The fault of a client that sends too much: that of the request that is open, or of the next one.
    pub(super) fn fault_of_flood(&mut self, seat: usize, line: &[u8], now: u64) {
        let is_hello = matches!(self.guests[seat].status, Status::Hello { .. }) || self.game.is_none();
        let fault = match (is_hello, self.is_turn()) {
            (true, _) => Fault::Hello,
            (false, true) => Fault::Action,
            (false, false) => Fault::Card,
        };
        self.fault(seat, fault, line, now);
    }

    pub(super) fn fault(&mut self, seat: usize, fault: Fault, line: &[u8], now: u64) {
        self.fault_once(seat, fault, line, now);
        self.go_on(now);
    }

    pub(super) fn fault_once(&mut self, seat: usize, fault: Fault, line: &[u8], now: u64) {
        let letter = line.first().is_some_and(|letter| b"HAMB".contains(letter));
        let code = fault.code(self.options.codes, letter || self.options.codes == Codes::Subject);
        let line = without_secret(line);
        self.effects.push(Effect::Fault(seat, format!("fault {code}: \"{line}\"")));
        if self.game.is_none() {
            self.send(seat, Line::Error(code));
            self.effects.push(Effect::Close(seat));
            self.free(seat);
            return;
        }
        let open = match (self.is_asked(seat), self.is_turn()) {
            (false, _) => "",
            (true, true) => "T",
            (true, false) => "C",
        };
        self.record(Entry::Fault { by: By { at: self.moment(now), seat }, code, line, open: open.to_owned() });
        self.guests[seat].gain -= 1;
        self.guests[seat].faults += 1;
        match self.options.on_error {
            OnError::Abort => {
                self.send_all(Line::Error(code));
                if let Some(Round { game, .. }) = &mut self.game {
                    game.stop();
                }
                self.over(None, Some(code), now);
            }
            OnError::Forfeit => {
                self.send(seat, Line::Error(code));
                self.effects.push(Effect::Close(seat));
                self.guests[seat].status = Status::Ghost;
                if self.is_asked(seat) {
                    self.open = None;
                }
                if let Some(Round { game, .. }) = &mut self.game {
                    game.forfeit(seat);
                }
            }
        }
    }

    /// A seat's client is gone for good.
    pub(super) fn leave(&mut self, seat: usize, now: u64) {
        self.guests[seat].status = Status::Gone;
        self.log(seat, "gone");
        if self.is_asked(seat) {
            self.fault(seat, self.no_answer(), b"", now);
        }
    }

    pub(super) fn free(&mut self, seat: usize) {
        self.log(seat, "gone");
        self.guests[seat].status = Status::Empty;
        self.effects.push(Effect::Free(seat));
    }
}

/// Escapes a line; what follows `#` may be the secret part of a login.
fn without_secret(line: &[u8]) -> String {
    match line.iter().position(|&byte| byte == b'#') {
        Some(place) => format!("{}...", line[..=place].escape_ascii()),
        None => line.escape_ascii().to_string(),
    }
}
