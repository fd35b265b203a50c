//! The installation of an interpreter: the folders that it reads at start, wherever its user put them.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::fork_server::PROGRAM_PATH;

/// Maximum number of links from file to file; more are a cycle.
const STEPS_MAX: usize = 40;

/// Maximum length of a script's first line, as in the kernel.
const FIRST_LINE_MAX: u64 = 256;

/// Folders that hold more than one installation.
const SHARED: [&str; 8] = ["/home", "/media", "/mnt", "/opt", "/root", "/run", "/srv", "/var"];

/// Returns the installations that a program needs: its own, and those of every file that its links lead to, of the
/// interpreter in its first line, and of the Python behind a virtual environment. The installation of a file in
/// `PREFIX/bin` is PREFIX.
///
/// For the program itself, any PREFIX with libraries counts. For the other files, which a stranger may have chosen, the
/// libraries must be the interpreter's. A user's home never counts.
#[must_use]
pub fn installations(program: &Path) -> Vec<PathBuf> {
    let (mut found, mut steps, mut next) = (Vec::new(), 0, vec![program.to_owned()]);
    while let Some(path) = next.pop().filter(|_| steps < STEPS_MAX) {
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        let (Some(folder), Some(name)) = (folder, path.file_name()) else { continue };
        let file = folder.join(name);
        if let Some(prefix) = prefix(&folder, name, steps == 0) {
            next.extend(base(&prefix).map(|folder| folder.join(name)));
            found.push(prefix);
        }
        next.extend(file.read_link().map_or_else(|_| interpreters(&file), |target| vec![folder.join(target)]));
        steps += 1;
    }
    found
}

/// Finds a program in the folders of the sandbox's PATH.
#[must_use]
pub fn find_program(name: &OsStr) -> Option<PathBuf> {
    env::split_paths(PROGRAM_PATH).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Returns the installation of a program with this name in a folder.
fn prefix(folder: &Path, name: &OsStr, is_named: bool) -> Option<PathBuf> {
    let prefix = folder.parent().filter(|_| ["bin", "sbin", "shims"].iter().any(|name| folder.ends_with(name)))?;
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let homes = users.lines().filter_map(|line| line.split(':').nth(5)).map(PathBuf::from);
    let mut closed = homes.chain(env::var_os("HOME").map(PathBuf::from)).chain(SHARED.map(PathBuf::from));
    if prefix.ends_with(".local") || closed.any(|closed| closed.starts_with(prefix)) {
        return None;
    }
    // Virtual environments, conda, Java.
    let marks = ["pyvenv.cfg", "conda-meta", "lib/modules", "lib/rt.jar"];
    let is_marked = marks.iter().any(|mark| prefix.join(mark).exists());
    // `lib/python3.12`, `lib/node_modules`, `lib/perl5`; pyenv and similar tools keep programs in `versions`.
    let libraries = [prefix.join("lib"), prefix.join("lib64"), folder.with_file_name("versions")];
    let family =
        name.as_bytes().split(|byte| !byte.is_ascii_alphabetic()).next().filter(|family| !family.is_empty())?;
    let mut entries = libraries.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let is_own = |library: &OsStr| is_named || library.as_bytes().starts_with(family);
    (is_marked || entries.any(|entry| is_own(&entry.file_name()))).then(|| prefix.to_owned())
}

/// Returns where the Python of a virtual environment is.
fn base(environment: &Path) -> Option<PathBuf> {
    let settings = fs::read_to_string(environment.join("pyvenv.cfg")).ok()?;
    let home = settings.lines().filter_map(|line| line.split_once('=')).find(|(key, _)| key.trim() == "home");
    home.map(|(_, folder)| PathBuf::from(folder.trim()))
}

/// Returns the programs named by a script's first line: `#!/opt/python/bin/python3 -u`, `#!/usr/bin/env ruby`.
fn interpreters(script: &Path) -> Vec<PathBuf> {
    let mut text = Vec::new();
    // An unreadable file names no program.
    let _ = File::open(script).and_then(|file| file.take(FIRST_LINE_MAX).read_to_end(&mut text));
    let line = text.strip_prefix(b"#!").and_then(|text| text.split(|&byte| byte == b'\n').next()).unwrap_or_default();
    let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty() && !word.starts_with(b"-"));
    let words: Vec<&OsStr> = words.filter(|word| !word.contains(&b'=')).map(OsStr::from_bytes).collect();
    words.iter().take(2).filter_map(|name| find_program(name)).collect()
}
