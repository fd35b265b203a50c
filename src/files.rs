//! Files from untrusted sources.

use std::io::{self, Chain, Cursor, Read, Write};
use std::path::Path;

use amazons_program::files::open;
use amazons_sandbox::LIBRARY_MAX;
use sha2::{Digest, Sha256};

use crate::referee::to_hex;

/// The byte order mark that editors may put in front of a text.
pub(crate) const MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads a text without its byte order mark.
///
/// # Errors
/// When the text cannot be read or is UTF-16.
pub(crate) fn text<R: Read>(mut source: R) -> io::Result<Chain<Cursor<Vec<u8>>, R>> {
    let mut start = Vec::new();
    // Byte by byte: a terminal or a pipe may have no more yet.
    while start.len() < MARK.len() && MARK.starts_with(&start) {
        if source.by_ref().take(1).read_to_end(&mut start)? == 0 {
            break;
        }
    }
    match start.first() {
        Some(0xfe | 0xff) => return Err(io::Error::other("it is UTF-16: save it as UTF-8")),
        Some(_) if start == MARK => start.clear(),
        _ => {}
    }
    Ok(Cursor::new(start).chain(source))
}

/// Returns the SHA-256 of a player's file in hexadecimal.
///
/// # Errors
/// When the file cannot be read or is larger than any player, [`io::ErrorKind::FileTooLarge`].
pub(crate) fn sha256_of(path: &Path) -> io::Result<String> {
    let file = open(path)?;
    if file.metadata()?.len() > LIBRARY_MAX {
        let reason = format!("it is larger than {} MiB, which no player may be", LIBRARY_MAX >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    copy_hashed(&mut file.take(LIBRARY_MAX), &mut io::sink())
}

/// Copies all bytes, and returns their SHA-256 in hexadecimal.
pub(crate) fn copy_hashed(from: &mut impl Read, to: &mut impl Write) -> io::Result<String> {
    let (mut hasher, mut block) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match from.read(&mut block)? {
            0 => return Ok(to_hex(&hasher.finalize())),
            read => {
                hasher.update(&block[..read]);
                to.write_all(&block[..read])?;
            }
        }
    }
}
