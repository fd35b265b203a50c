use std::io::stdin;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use amazons_program::{Exit, Typed, read_line};

/// How long a typed line may wait for this program: a person does not notice.
const NAP: Duration = Duration::from_millis(20);

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
