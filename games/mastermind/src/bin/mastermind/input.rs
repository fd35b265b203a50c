use std::io::{BufRead as _, Read as _, Write, stdin};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use amazons_program::Exit;

/// The longest line, in bytes.
const LONGEST: u64 = 4096;

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

    /// Asks for a line; `None` at the end of input.
    pub(crate) fn ask(&mut self, prompt: &str, out: &mut impl Write) -> Result<Option<String>, Exit> {
        self.ask_while(prompt, out, || Ok(()))
    }

    /// The same, and calls a function several times a minute until the line is there.
    pub(crate) fn ask_while(
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

/// Reads a line; bytes that are not text stay in it as marks, and are refused like any other slip.
fn next_line() -> Result<Option<String>, Exit> {
    let mut bytes = Vec::new();
    let read = stdin().lock().take(LONGEST).read_until(b'\n', &mut bytes);
    read.map_err(|error| Exit::Failure(format!("cannot read standard input: {error}")))?;
    if bytes.len() as u64 == LONGEST {
        return Err(Exit::Usage(format!("standard input has a line of more than {LONGEST} bytes")));
    }
    Ok((!bytes.is_empty()).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}
