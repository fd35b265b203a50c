use std::io::{self, BufRead, Read as _, stdin};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use amazons_program::Exit;

/// How long a typed line may wait for this program: a person does not notice.
const NAP: Duration = Duration::from_millis(20);

/// The most bytes of a line.
pub(crate) const LINE_MAX: u64 = 4096;

/// What came from standard input.
pub(crate) enum Typed {
    /// A line.
    Line(String),
    /// A line that is no UTF-8.
    NotText,
    /// A line of more than [`LINE_MAX`] bytes.
    TooLong,
    /// The end of input.
    End,
    /// It cannot be read.
    Failed(io::Error),
}

/// Standard input, read by a thread of its own so that the ranks stay in touch while a person thinks.
pub(crate) struct Input {
    ask: Sender<()>,
    lines: Receiver<Typed>,
}

impl Input {
    /// Starts the thread; it reads only what is asked for.
    pub(crate) fn start() -> Self {
        let ((ask, asked), (sender, lines)) = (channel(), channel());
        thread::spawn(move || {
            while asked.recv().is_ok() {
                if sender.send(read_line(&mut stdin().lock())).is_err() {
                    return;
                }
            }
        });
        Self { ask, lines }
    }

    /// Waits for a line or the end of input; calls `idle` every few milliseconds.
    pub(crate) fn line(&self, mut idle: impl FnMut() -> Result<(), Exit>) -> Result<Typed, Exit> {
        let gone = || Exit::failure("the thread that reads standard input has ended");
        self.ask.send(()).map_err(|_| gone())?;
        loop {
            match self.lines.recv_timeout(NAP) {
                // Ctrl-C may have come first.
                Ok(line) => return idle().map(|()| line),
                Err(RecvTimeoutError::Timeout) => idle()?,
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
            }
        }
    }
}

/// Reads a line; one that is too long is skipped.
pub(crate) fn read_line(input: &mut impl BufRead) -> Typed {
    let mut line = Vec::new();
    match input.by_ref().take(LINE_MAX).read_until(b'\n', &mut line) {
        Ok(0) => Typed::End,
        Ok(length) if length as u64 == LINE_MAX && !line.ends_with(b"\n") => match input.skip_until(b'\n') {
            Ok(_) => Typed::TooLong,
            Err(error) => Typed::Failed(error),
        },
        Ok(_) => String::from_utf8(line).map_or(Typed::NotText, Typed::Line),
        Err(error) => Typed::Failed(error),
    }
}
