//! Where an interpreter is installed: the folders that it reads at start, wherever its user put them.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::fork_server::PROGRAM_PATH;

/// The most files that lead from one to the next; more are a circle.
const STEPS_MAX: usize = 40;

/// The most bytes of a first line that the kernel reads.
const FIRST_LINE_MAX: u64 = 256;

/// Folders that hold more than one installation, like those of users.
const SHARED: [&str; 9] = ["/", "/home", "/media", "/mnt", "/opt", "/root", "/run", "/srv", "/var"];

/// Returns the folders of the installations that a program belongs to: its own, that of each file on the way where its
/// links lead, of the interpreter that its first line names, and of the Python that a virtual environment is based on.
///
/// With a file in `PREFIX/bin` this is PREFIX. For the program itself, `PREFIX/lib` is enough; what its author, perhaps a
/// stranger, chose must be the installation of an interpreter. Folders of users, and those with several installations,
/// never count.
#[must_use]
pub fn installations(program: &Path) -> Vec<PathBuf> {
    let (mut found, mut steps, mut next) = (Vec::new(), 0, vec![program.to_owned()]);
    while let Some(path) = next.pop().filter(|_| steps < STEPS_MAX) {
        let (Some(folder), Some(name)) =
            (path.parent().and_then(|folder| folder.canonicalize().ok()), path.file_name())
        else {
            continue;
        };
        let file = folder.join(name);
        if let Some(prefix) = prefix(&folder).filter(|prefix| is_installation(prefix, name, steps == 0)) {
            next.extend(base(prefix).map(|folder| folder.join(name)));
            found.push(prefix.to_owned());
        }
        match file.read_link() {
            Ok(target) => next.push(folder.join(target)),
            Err(_) => next.extend(interpreters(&file)),
        }
        steps += 1;
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Finds a program in the folders of the sandbox's PATH.
#[must_use]
pub fn find_program(name: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(PROGRAM_PATH).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Returns the folder above one for programs, unless it holds more than an installation.
fn prefix(folder: &Path) -> Option<&Path> {
    let is_for_programs = ["bin", "sbin", "shims"].iter().any(|name| folder.ends_with(name));
    folder.parent().filter(|prefix| is_for_programs && !is_shared(prefix))
}

fn is_shared(folder: &Path) -> bool {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let of_users = users.lines().filter_map(|line| line.split(':').nth(5)).map(PathBuf::from);
    let mut homes = of_users.chain(std::env::var_os("HOME").map(PathBuf::from)).filter(|home| home.is_absolute());
    SHARED.iter().any(|shared| folder == Path::new(shared))
        || folder.ends_with(".local")
        || homes.any(|home| home.starts_with(folder))
}

/// Returns whether a program of this name is installed here: as the libraries tell, or files that only installations have.
fn is_installation(prefix: &Path, name: &OsStr, is_named: bool) -> bool {
    let has = |path: &str| prefix.join(path).exists();
    // Versions of pyenv and its kin; Python's environments; Java.
    if ["pyvenv.cfg", "conda-meta", "lib/modules", "lib/rt.jar"].into_iter().any(has)
        || (has("shims") && has("versions"))
    {
        return true;
    }
    let name = name.as_bytes();
    let family = name.iter().position(|byte| !byte.is_ascii_alphabetic()).map_or(name, |end| &name[..end]);
    ["lib", "lib64"].into_iter().any(|folder| {
        let mut entries = fs::read_dir(prefix.join(folder)).into_iter().flatten().flatten();
        // `lib/python3.12`, `lib/node_modules`, `lib/perl5`.
        entries.any(|entry| is_named || (!family.is_empty() && entry.file_name().as_bytes().starts_with(family)))
    })
}

/// Returns where the Python of a virtual environment is.
fn base(environment: &Path) -> Option<PathBuf> {
    let settings = fs::read_to_string(environment.join("pyvenv.cfg")).ok()?;
    let home = settings.lines().filter_map(|line| line.split_once('=')).find(|(key, _)| key.trim() == "home");
    home.map(|(_, folder)| PathBuf::from(folder.trim()))
}

/// Returns the programs that a script's first line names: `#!/opt/python/bin/python3 -u`, `#!/usr/bin/env ruby`.
fn interpreters(script: &Path) -> Vec<PathBuf> {
    let mut line = Vec::new();
    // What cannot be read names none.
    let _ = File::open(script).and_then(|file| file.take(FIRST_LINE_MAX).read_to_end(&mut line));
    let line = line.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let Some(line) = line.strip_prefix(b"#!") else { return Vec::new() };
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).map(OsStr::from_bytes);
    let Some(first) = words.next().map(PathBuf::from) else { return Vec::new() };
    let is_name = |word: &&OsStr| !word.as_bytes().starts_with(b"-") && !word.as_bytes().contains(&b'=');
    let second = if first.ends_with("env") { words.find(is_name) } else { None };
    let second = second.and_then(|name| find_program(name));
    [first].into_iter().chain(second).collect()
}
