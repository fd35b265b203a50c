//! Files that a person names, records among them.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;

use amazons_program::{Exit, files, hex, without_mark};
use cluedo::record::{MAX_LINE_LEN, ReadError};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// Maximum length of a text, longer than any that a person or a bot writes.
pub(crate) const MAX_TEXT_LEN: u64 = 16 << 20;

/// Returns the SHA-256 of a file, which may be larger than memory.
pub(crate) fn sha256(file: &Path) -> io::Result<String> {
    let (mut reader, mut hash) = (BufReader::new(File::open(file)?), Sha256::new());
    loop {
        let chunk = reader.fill_buf()?;
        if chunk.is_empty() {
            return Ok(hex(&hash.finalize()));
        }
        hash.update(chunk);
        let count = chunk.len();
        reader.consume(count);
    }
}

/// Why a line of a record cannot be taken in.
#[derive(Debug, Error)]
pub(crate) enum LineError {
    #[error("cannot be read: {0}")]
    Io(io::Error),
    #[error("is longer than {MAX_LINE_LEN} bytes")]
    TooLong,
    #[error("is not text")]
    NotText,
    #[error(transparent)]
    Wrong(#[from] ReadError),
}

/// Opens a record, a regular file; its lines end with the first that cannot be read.
pub(crate) fn open_record(path: &Path) -> Result<impl Iterator<Item = Result<String, LineError>>, Exit> {
    let file = files::open(path).map_err(|error| Exit::usage(format!("cannot read {}: {error}", path.display())))?;
    let (mut reader, mut is_over) = (BufReader::new(file), false);
    Ok(std::iter::from_fn(move || {
        let mut line = Vec::new();
        let read = reader.by_ref().take(MAX_LINE_LEN as u64 + 1).read_until(b'\n', &mut line);
        let found = match read {
            _ if is_over => return None,
            Ok(0) => return None,
            Err(error) => Err(LineError::Io(error)),
            Ok(count) if count > MAX_LINE_LEN => Err(LineError::TooLong),
            // Some editors begin a file with a mark, and end lines with two letters.
            Ok(_) => String::from_utf8(line).map_err(|_| LineError::NotText).map(|line| {
                let line = line.strip_suffix('\n').unwrap_or(&line);
                without_mark(line).trim_end_matches('\r').to_owned()
            }),
        };
        is_over = found.is_err();
        Some(found)
    }))
}
