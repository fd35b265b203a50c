use std::io::{self, BufRead};

/// Maximum length of a line in bytes: room for a position of the largest board and all moves of a long game.
pub const LINE_MAX: usize = 8 << 20;

/// Reads lines of bounded length; invalid UTF-8 becomes U+FFFD.
#[derive(Debug)]
pub struct Lines<R> {
    source: R,
}

impl<R: BufRead> Lines<R> {
    /// Reads from a source.
    pub const fn new(source: R) -> Self {
        Self { source }
    }

    /// Reads the next line without its end; the inner `Err` means that a line was too long and was skipped.
    pub fn read(&mut self) -> io::Result<Option<Result<String, TooLong>>> {
        let mut line = Vec::new();
        let mut is_too_long = false;
        loop {
            let block = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                block => block?,
            };
            if block.is_empty() {
                if line.is_empty() && !is_too_long {
                    return Ok(None);
                }
                break;
            }
            let end = block.iter().position(|&byte| byte == b'\n');
            let taken = end.unwrap_or(block.len());
            is_too_long |= line.len() + taken > LINE_MAX;
            if !is_too_long {
                line.extend(block.iter().take(taken));
            }
            self.source.consume(end.map_or(taken, |end| end + 1));
            if end.is_some() {
                break;
            }
        }
        if is_too_long {
            return Ok(Some(Err(TooLong)));
        }
        let text = String::from_utf8_lossy(&line);
        Ok(Some(Ok(text.trim_end_matches('\r').to_owned())))
    }
}

/// A line was longer than [`LINE_MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the line is longer than {LINE_MAX} bytes")]
pub struct TooLong;
