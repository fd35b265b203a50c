//! Files of players.

use std::io::{self, Read, Write};
use std::path::Path;

use amazons_program::files::open;
use amazons_program::hex;
use amazons_sandbox::LIBRARY_MAX;
use sha2::{Digest, Sha256};

/// The first bytes of a shared library.
pub(crate) const ELF_MAGIC: [u8; 4] = *b"\x7fELF";

/// Returns the SHA-256 of a player's file in hexadecimal. Fails when the file cannot be read or is larger than any
/// player, [`io::ErrorKind::FileTooLarge`].
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
            0 => return Ok(hex(&hasher.finalize())),
            read => {
                hasher.update(&block[..read]);
                to.write_all(&block[..read])?;
            }
        }
    }
}

/// Shortens the paths of a text that begin with a folder: they are named from there on.
pub(crate) fn without_folder(text: &str, folder: &Path) -> String {
    text.replace(&format!("{}/", folder.display()), "")
}
