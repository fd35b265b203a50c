use std::io::{self, BufRead, IsTerminal as _, Read as _};

use rustix::io::ioctl_fionread;
use rustix::termios::{QueueSelector, tcflush};

/// Maximum length of a line in bytes.
pub const TYPED_MAX: u64 = 4096;

/// A line that a person typed, or a script wrote.
#[derive(Debug)]
pub enum Typed {
    /// A line, without its end.
    Line(String),
    /// A line that is not UTF-8.
    NotText,
    /// A line of more than [`TYPED_MAX`] bytes.
    TooLong,
    /// The end of input.
    End,
    /// The input cannot be read.
    Failed(io::Error),
}

/// Reads a line; one that is too long is skipped.
pub fn read_line(input: &mut impl BufRead) -> Typed {
    let mut line = Vec::new();
    match input.by_ref().take(TYPED_MAX).read_until(b'\n', &mut line) {
        Ok(0) => Typed::End,
        Ok(length) if length as u64 == TYPED_MAX && !line.ends_with(b"\n") => match input.skip_until(b'\n') {
            Ok(_) => Typed::TooLong,
            Err(error) => Typed::Failed(error),
        },
        Ok(_) => String::from_utf8(line)
            .map_or(Typed::NotText, |line| Typed::Line(without_mark(&line).trim_end_matches(['\r', '\n']).to_owned())),
        Err(error) => Typed::Failed(error),
    }
}

/// Returns a text without the byte order mark that some editors write at its beginning.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Drops the lines that wait at a terminal: they were typed before the question that comes next, and are not meant for
/// it. Returns whether there were any; the lines of a file or a pipe are kept.
pub fn drop_typed_ahead() -> bool {
    let input = io::stdin();
    let is_waiting = input.is_terminal() && ioctl_fionread(&input).is_ok_and(|bytes| bytes > 0);
    is_waiting && tcflush(&input, QueueSelector::IFlush).is_ok()
}
