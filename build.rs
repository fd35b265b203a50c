//! Embeds the sources of the rules and player crates, which `server new-player` writes next to a new Rust player; and
//! packs the server's relocations where the C library can read that.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let mut list = String::from("&[\n");
    for name in ["player", "rules"] {
        let folder = root.join("crates").join(name);
        // A folder stands for everything in it, so that a new file is noticed.
        println!("cargo::rerun-if-changed={}", folder.display());
        for file in files(&folder)? {
            let inside = file.strip_prefix(root.join("crates"))?;
            writeln!(list, "    ({inside:?}, include_str!({file:?})),")?;
        }
    }
    list.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("embedded_crates.rs"), list)?;
    // Each process of the server reads its relocations: packed, a few kilobytes instead of 300.
    if env::var("HOST")? == env::var("TARGET")? && libc_version().is_some_and(|version| version >= PACKED_SINCE) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    Ok(())
}

/// The first version of glibc that reads packed relocations.
const PACKED_SINCE: (u32, u32) = (2, 36);

/// Returns the version of this machine's C library if that is glibc.
fn libc_version() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = version.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
}

/// Lists what a crate is built from: its manifest, sources and headers.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs" || kind == "h" || kind == "toml") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
