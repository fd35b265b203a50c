//! Computes a number for the sources that decide how the bundled engines play.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The crates that they consist of.
const CRATES: [&str; 6] = ["engine", "engine-player", "player", "rules", "search", "solve"];

fn main() -> io::Result<()> {
    let crates = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("..");
    let mut files = Vec::new();
    for name in CRATES {
        let folder = crates.join(name);
        println!("cargo:rerun-if-changed={}", folder.display());
        list(&folder, &mut files)?;
    }
    files.sort();
    // FNV-1a.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for file in files {
        for byte in fs::read(file)? {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    println!("cargo:rustc-env=AMAZONS_SOURCES={hash:016x}");
    Ok(())
}

/// Lists the files of a folder and those below.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { list(&path, files)? } else { files.push(path) }
    }
    Ok(())
}
