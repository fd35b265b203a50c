//! One client's connection.

use std::io;
use std::rc::Rc;
use std::task::Waker;

use cluedo::line::inbox::Inbox;
use tokio::net::TcpStream;

/// The most bytes that may wait for a client.
pub(super) const MOST_QUEUED: usize = 64 * 1024;

/// Where a client sits.
#[derive(Debug)]
pub(super) enum Place {
    /// At a table.
    Seat { table: usize, seat: usize },
    /// Nowhere yet: it may say who it was.
    Asking { inbox: Inbox, deadline: u64 },
    /// Nowhere any more.
    Nowhere,
}

#[derive(Debug)]
pub(super) struct Connection {
    pub(super) stream: Rc<TcpStream>,
    pub(super) place: Place,
    pub(super) out: Vec<u8>,
    /// Since when bytes wait for the client.
    pub(super) waits_since: Option<u64>,
    /// Whether it is closed when its bytes are sent.
    pub(super) is_closing: bool,
    /// Whether the client sends no more.
    pub(super) is_ended: bool,
    pub(super) waker: Option<Waker>,
}

impl Connection {
    pub(super) const fn new(stream: Rc<TcpStream>, place: Place) -> Self {
        Self { stream, place, out: Vec::new(), waits_since: None, is_closing: false, is_ended: false, waker: None }
    }

    /// Writes what can be written now.
    pub(super) fn flush(&mut self, now: u64) -> io::Result<()> {
        let mut sent = 0;
        while sent < self.out.len() {
            match self.stream.try_write(&self.out[sent..]) {
                Ok(count) => sent += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
        }
        self.out.drain(..sent);
        if self.out.is_empty() {
            self.waits_since = None;
            // A queue that was long does not stay so for ever.
            self.out.shrink_to(1024);
        } else if self.waits_since.is_none() {
            self.waits_since = Some(now);
            self.wake();
        }
        Ok(())
    }

    pub(super) fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}
