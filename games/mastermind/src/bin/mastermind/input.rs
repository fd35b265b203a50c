use std::io::{BufRead, Lines, StdinLock, Write, stdin};

use amazons_program::Exit;

/// Lines of a person at the terminal, or of a script.
pub(crate) struct Input(Lines<StdinLock<'static>>);

impl Input {
    pub(crate) fn new() -> Self {
        Self(stdin().lock().lines())
    }

    /// Asks for a line; `None` at the end of input.
    pub(crate) fn ask(&mut self, prompt: &str, out: &mut impl Write) -> Result<Option<String>, Exit> {
        write!(out, "{prompt}> ")?;
        out.flush()?;
        let line = self.0.next().transpose();
        let line = line.map_err(|error| Exit::Failure(format!("cannot read standard input: {error}")))?;
        if line.is_none() {
            writeln!(out)?;
        }
        Ok(line.map(|line| line.trim().to_owned()))
    }
}
