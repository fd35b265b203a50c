//! Files that a person names.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use amazons_program::hex;
use sha2::{Digest, Sha256};

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
