//! One client's connection.

use std::io;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use cluedo::line::inbox::Inbox;
use rustix::io::Errno;
use tokio::net::{TcpStream, UnixStream};

/// The most bytes that may wait for a client.
pub(super) const MAX_QUEUED: usize = 64 * 1024;

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

/// The way to a client.
#[derive(Debug)]
pub(super) enum Stream {
    /// Over the network.
    Tcp(TcpStream),
    /// To a program that this server started.
    Own(UnixStream),
}

impl Stream {
    pub(super) fn try_read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.try_read(buffer),
            Self::Own(stream) => stream.try_read(buffer),
        }
    }

    /// Reads what the kernel has, even if the event loop has not heard of it yet.
    pub(super) fn read_arrived(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match self {
            Self::Tcp(stream) => rustix::io::read(stream, buffer),
            Self::Own(stream) => rustix::io::read(stream, buffer),
        };
        match read {
            Err(Errno::AGAIN | Errno::INTR) => Ok(0),
            read => Ok(read?),
        }
    }

    /// Returns the address of a client of the network, without its port.
    pub(super) fn address(&self) -> Option<String> {
        match self {
            Self::Tcp(stream) => stream.peer_addr().ok().map(|address| address.ip().to_string()),
            Self::Own(_) => None,
        }
    }

    fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.try_write(bytes),
            Self::Own(stream) => stream.try_write(bytes),
        }
    }

    pub(super) fn poll_read_ready(&self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self {
            Self::Tcp(stream) => stream.poll_read_ready(context),
            Self::Own(stream) => stream.poll_read_ready(context),
        }
    }

    pub(super) fn poll_write_ready(&self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self {
            Self::Tcp(stream) => stream.poll_write_ready(context),
            Self::Own(stream) => stream.poll_write_ready(context),
        }
    }
}

#[derive(Debug)]
pub(super) struct Connection {
    pub(super) stream: Rc<Stream>,
    pub(super) place: Place,
    pub(super) out: Vec<u8>,
    /// Whether a request waits among these bytes: what arrives before it is sent cannot answer it.
    pub(super) is_asked: bool,
    /// Since when bytes wait for the client.
    pub(super) waits_since: Option<u64>,
    /// Whether it is closed when its bytes are sent.
    pub(super) is_closing: bool,
    /// Whether the client sends no more.
    pub(super) is_ended: bool,
    pub(super) waker: Option<Waker>,
}

impl Connection {
    pub(super) const fn new(stream: Rc<Stream>, place: Place) -> Self {
        Self {
            stream,
            place,
            out: Vec::new(),
            is_asked: false,
            waits_since: None,
            is_closing: false,
            is_ended: false,
            waker: None,
        }
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
