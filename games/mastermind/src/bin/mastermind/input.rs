use std::io::{IsTerminal as _, Write, stdin};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use amazons_program::{Exit, TYPED_MAX, Typed, drop_typed_ahead, read_line};

/// How often something else is done while a person thinks.
const IDLE_EVERY: Duration = Duration::from_millis(500);

/// Lines of a person at the terminal, or of a script.
pub(crate) struct Input(Receiver<Result<String, Exit>>);

impl Input {
    /// Reads on a thread of its own, so that this one can go on.
    pub(crate) fn new() -> Self {
        let (sender, lines) = sync_channel(8);
        thread::spawn(move || {
            while let Some(line) = next_line().transpose() {
                let is_last = line.is_err();
                if sender.send(line).is_err() || is_last {
                    break;
                }
            }
        });
        Self(lines)
    }

    /// Drops what was typed at a terminal before the next question.
    pub(crate) fn drop_typed_ahead(&mut self, out: &mut impl Write) -> Result<(), Exit> {
        if stdin().is_terminal() && (drop_typed_ahead() | (self.0.try_iter().count() > 0)) {
            writeln!(out, "what you typed before this question is not taken")?;
        }
        Ok(())
    }

    /// Asks for a line, and calls a function several times a minute until it is there; `None` at the end of input.
    pub(crate) fn ask(
        &mut self,
        prompt: &str,
        out: &mut impl Write,
        mut idle: impl FnMut() -> Result<(), Exit>,
    ) -> Result<Option<String>, Exit> {
        write!(out, "{prompt}> ")?;
        out.flush()?;
        loop {
            match self.0.recv_timeout(IDLE_EVERY) {
                Ok(line) => return Ok(Some(line?.trim().to_owned())),
                Err(RecvTimeoutError::Timeout) => idle()?,
                Err(RecvTimeoutError::Disconnected) => {
                    writeln!(out)?;
                    return Ok(None);
                }
            }
        }
    }
}

/// Reads a line; bytes that are not text are a mark instead, and refused like any other slip.
fn next_line() -> Result<Option<String>, Exit> {
    match read_line(&mut stdin().lock()) {
        Typed::Line(line) => Ok(Some(line)),
        Typed::NotText => Ok(Some(char::REPLACEMENT_CHARACTER.to_string())),
        Typed::TooLong => Err(Exit::Usage(format!("standard input has a line of more than {TYPED_MAX} bytes"))),
        Typed::End => Ok(None),
        Typed::Failed(error) => Err(Exit::Failure(format!("cannot read standard input: {error}"))),
    }
}
