//! One client's connection.

use std::io;
use std::os::fd::AsFd;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use cluedo::line::record::Client;
use rustix::io::Errno;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// How many times what a client has sent is read before its connection is closed.
const MAX_READ_AT_END: usize = 100;

/// A socket of the network, or one to a program that this server started.
pub(super) trait Stream: AsyncRead + AsyncWrite + AsFd + Unpin {}

impl<S: AsyncRead + AsyncWrite + AsFd + Unpin> Stream for S {}

pub(super) struct Connection {
    stream: Box<dyn Stream>,
    pub(super) client: Client,
    /// The bytes that are queued.
    pub(super) out: Vec<u8>,
    /// Whether a request waits among these bytes: what arrives before it is sent cannot answer it.
    pub(super) is_asked: bool,
    /// When these bytes are to be sent.
    pub(super) due: Option<u64>,
    /// Since when the client leaves bytes unread.
    pub(super) waits_since: Option<u64>,
    /// Whether the client sends no more.
    pub(super) is_ended: bool,
    /// Counts the connections that are open.
    _open: Rc<()>,
}

impl Connection {
    pub(super) fn new(stream: impl Stream + 'static, client: Client, open: Rc<()>) -> Self {
        let (stream, out) = (Box::new(stream), Vec::new());
        let (is_asked, is_ended, due, waits_since) = (false, false, None, None);
        Self { stream, client, out, is_asked, due, waits_since, is_ended, _open: open }
    }

    /// Reads what has arrived; nothing at the stream's end.
    pub(super) fn poll_read<'b>(
        &mut self,
        buffer: &'b mut [u8],
        context: &mut Context<'_>,
    ) -> Poll<io::Result<&'b [u8]>> {
        let mut read = ReadBuf::new(buffer);
        ready!(Pin::new(&mut self.stream).poll_read(context, &mut read))?;
        let count = read.filled().len();
        Poll::Ready(Ok(&buffer[..count]))
    }

    /// Reads what the kernel has, even if the event loop has not heard of it yet.
    pub(super) fn read_arrived(&self, buffer: &mut [u8]) -> io::Result<usize> {
        match rustix::io::read(&self.stream, buffer) {
            Err(Errno::AGAIN | Errno::INTR) => Ok(0),
            read => Ok(read?),
        }
    }

    /// Adds bytes to be sent at a time, or earlier.
    pub(super) fn queue(&mut self, bytes: &mut Vec<u8>, due: u64) {
        self.out.append(bytes);
        self.due = Some(self.due.map_or(due, |earlier| earlier.min(due)));
    }

    pub(super) fn poll_flush(&mut self, now: u64, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.due = None;
        while !self.out.is_empty() {
            let Poll::Ready(written) = Pin::new(&mut self.stream).poll_write(context, &self.out) else {
                self.waits_since = self.waits_since.or(Some(now));
                return Poll::Pending;
            };
            self.out.drain(..written?);
        }
        self.waits_since = None;
        // A queue that was long does not stay so for ever.
        self.out.shrink_to(1024);
        Poll::Ready(Ok(()))
    }

    /// Sends what is queued and closes; returns whether the client was too slow for it.
    pub(super) async fn close(mut self, patience: Duration) -> bool {
        let flushed = std::future::poll_fn(|context| self.poll_flush(0, context));
        tokio::time::timeout(patience, flushed).await.is_err()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut buffer = [0; 2048];
        // A socket that is closed with bytes unread resets the connection, and the client may lose its last lines.
        for _ in 0..MAX_READ_AT_END {
            if !self.read_arrived(&mut buffer).is_ok_and(|count| count > 0) {
                break;
            }
        }
    }
}
