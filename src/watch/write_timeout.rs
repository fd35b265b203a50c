use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// A connection that is given up when its other side takes no bytes for too long.
#[derive(Debug)]
pub(super) struct WriteTimeout {
    stream: TcpStream,
    patience: Duration,
    /// When it is given up, while bytes wait to be taken.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl WriteTimeout {
    /// Waits so long at most.
    #[must_use]
    pub(super) const fn new(stream: TcpStream, patience: Duration) -> Self {
        Self { stream, patience, deadline: None }
    }

    /// Passes on what became of bytes, or says that nobody took them in time.
    fn judge<T>(&mut self, context: &mut Context<'_>, taken: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if taken.is_ready() {
            self.deadline = None;
            return taken;
        }
        let patience = self.patience;
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(patience)));
        if deadline.as_mut().poll(context).is_ready() && deadline.deadline() <= Instant::now() {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Poll::Pending
    }
}

impl AsyncRead for WriteTimeout {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for WriteTimeout {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let taken = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, taken)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let taken = Pin::new(&mut self.stream).poll_write_vectored(context, buffers);
        self.judge(context, taken)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
