//! Embeds the sources of the rules and player crates, which `server new-player` writes next to a new Rust player.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
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
    Ok(())
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
