//! A table's reactions to time.

use super::{Ending, Table};
use crate::line::guest::Status;
use crate::line::inbox::Framing;
use crate::line::message::{Answer, Fault, Line};

/// How long a client without line ends must be silent.
const SILENCE: u64 = 50_000;
const SILENCE_AT_HELLO: u64 = 250_000;

impl Table {
    /// Returns when [`Table::tick`] must be called.
    pub fn deadline(&self) -> Option<u64> {
        if self.ending.is_some() {
            return None;
        }
        let guests = self.guests.iter().enumerate().filter_map(|(seat, guest)| {
            let silence = self.silence(seat);
            match guest.status {
                Status::Hello { deadline } => deadline.into_iter().chain(silence).min(),
                Status::Away { until } => Some(until),
                _ => silence,
            }
        });
        let open = self.open.and_then(|open| open.deadline);
        guests.chain(open).chain(self.wait_until).min()
    }

    pub fn tick(&mut self, now: u64) {
        if self.wait_until.is_some_and(|until| until <= now) && self.ending.is_none() {
            self.wait_until = None;
            let line = Line::Error(Fault::Hello.code(self.options.codes, true));
            self.send_all(line);
            self.finish(Ending::Lobby);
        }
        for seat in 0..self.guests.len() {
            if self.ending.is_some() {
                return;
            }
            match self.guests[seat].status {
                Status::Hello { deadline: Some(deadline) } if deadline <= now => {
                    self.fault(seat, Fault::Hello, b"", now);
                }
                Status::Away { until } if until <= now => self.leave(seat, now),
                _ if self.silence(seat).is_some_and(|at| at <= now) => self.take_unended(seat, now),
                _ => {}
            }
        }
        if let Some(open) = self.open.filter(|open| open.deadline.is_some_and(|deadline| deadline <= now)) {
            self.fault(open.seat, self.no_answer(), b"", now);
        }
    }

    /// Returns when a client that ends no lines is taken at its word.
    pub(super) fn silence(&self, seat: usize) -> Option<u64> {
        let guest = &self.guests[seat];
        let is_hello = matches!(guest.status, Status::Hello { .. });
        let is_asked = is_hello || self.is_asked(seat);
        if self.options.framing == Framing::Lines || !is_asked {
            return None;
        }
        let fits = match Answer::parse(guest.inbox.unended()?)? {
            Answer::Hello(_) => is_hello,
            Answer::Hypothesis(_) | Answer::Accusation(_) => !is_hello && self.is_turn(),
            Answer::Show(_) => !is_hello && !self.is_turn(),
        };
        fits.then(|| guest.inbox.last + if is_hello { SILENCE_AT_HELLO } else { SILENCE })
    }

    pub(super) fn take_unended(&mut self, seat: usize, now: u64) {
        let Some(line) = self.guests[seat].inbox.unended().map(<[u8]>::to_vec) else { return };
        if !std::mem::replace(&mut self.guests[seat].is_unended, true) {
            self.log(seat, "sends no line ends: a line is what comes before a silence");
        }
        self.guests[seat].inbox.open();
        self.answer(seat, &line, now);
    }
}
