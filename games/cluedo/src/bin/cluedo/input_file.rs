//! Texts that a person names, read with a limit: a file may be huge, or have no end.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use amazons_program::without_mark;
use cluedo::line::deal::hexadecimal;
use sha2::{Digest, Sha256};

/// More bytes than any text has that a person or a bot writes.
pub(crate) const MAX_TEXT_LEN: u64 = 16 << 20;

/// Reads a file of at most `most` bytes.
pub(crate) fn read_file(path: &Path, most: u64) -> io::Result<String> {
    read_text(File::open(path)?, most)
}

/// Reads a text of at most `most` bytes.
pub(crate) fn read_text(from: impl Read, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it has more than {} MiB", most >> 20)));
    }
    let text = String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8 text"))?;
    Ok(without_mark(&text).to_owned())
}

/// Returns the SHA-256 of a file, which may be larger than memory.
pub(crate) fn sha256(file: &Path) -> io::Result<String> {
    let (mut reader, mut hash) = (BufReader::new(File::open(file)?), Sha256::new());
    loop {
        let chunk = reader.fill_buf()?;
        if chunk.is_empty() {
            return Ok(hexadecimal(&hash.finalize()));
        }
        hash.update(chunk);
        let count = chunk.len();
        reader.consume(count);
    }
}
