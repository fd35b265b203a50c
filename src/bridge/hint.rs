use std::env;
use std::path::{Component, Path, PathBuf};

use amazons_sandbox::{Program, TEMPORARY, mapping_limits};

use crate::referee::CallError;
use crate::text::telling_lines;

/// Phrases that programs print, in lower case, when the sandbox refuses something, when there is no such file, and when
/// memory cannot be mapped.
const REFUSALS: &str = "permission denied|permissionerror|not permitted|eacces|eperm|read-only file system|\
    no usable temporary directory|no locator available|cannot create 'r_tempdir'";
const NO_FILE: &str = "no such file|enoent|not found|cannot find|can't find|does not exist";
const NO_MEMORY: &str = "cannot allocate memory|could not reserve|memoryerror|out of memory|bad_alloc|enomem|\
    failed to map|unable to allocate|not enough memory|failed to allocate memory";
/// A limit that a language has set itself.
const OWN_LIMIT: &str = "heap out of memory";

/// Bytes around the names of files in messages.
const AROUND: &[char] = &[' ', '\t', '\'', '"', '`', ',', ';', ':', '(', ')', '[', ']', '<', '>', '=', '@'];

const WRITE: &str = "write only to its temporary folder (TMPDIR)";
const SEE: &str = "or see 'What a program may not do' in docs/protocol.md";

/// If a program ended by itself, adds what it could not have, as far as its last words and its files tell; `said` is
/// what it wrote to standard output.
pub(super) fn hinted(error: CallError, program: &Program, said: &str, readable: &[PathBuf]) -> CallError {
    let CallError::Fault(mut fault) = error else { return error };
    let has_ended = fault.exit_code.is_some_and(|status| status != 0) || fault.signal == Some(libc::SIGABRT);
    let sandbox = program.sandbox().filter(|sandbox| sandbox.landlock.is_some() && has_ended);
    if let Some(sandbox) = sandbox {
        let lines: Vec<String> = [&program.log(), said.as_bytes()].into_iter().flat_map(telling_lines).collect();
        let changed = sandbox.user.is_changed();
        // Another line may name the file.
        let specific = lines.iter().rev().find_map(|line| advice(line, program.memory(), readable, changed));
        let is_refused = || lines.iter().any(|line| says(line, REFUSALS));
        if let Some(advice) = specific.or_else(|| is_refused().then(|| in_general(readable, changed))) {
            fault.detail += &format!("; {advice}");
        }
    }
    CallError::Fault(fault)
}

fn says(line: &str, phrases: &str) -> bool {
    let line = line.to_lowercase();
    phrases.split('|').any(|phrase| line.contains(phrase))
}

/// Returns whether a path is in a folder that is open to all programs.
fn is_system(path: &Path) -> bool {
    ["/usr", "/bin", "/sbin", "/lib"].iter().any(|folder| path.starts_with(folder))
}

/// Returns what a program may read, and write; it may have another user than the server.
fn in_general(readable: &[PathBuf], changed: bool) -> String {
    let own = readable.iter().filter(|path| !is_system(path));
    let places: String = own.map(|path| format!("{} and ", path.display())).collect();
    let user = if changed { ", as a user without rights" } else { "" };
    format!("it may read only {places}the system's programs{user}, and {WRITE}: add --allow-read PATH, {SEE}")
}

/// Returns what a line of output says that a program could not have.
fn advice(line: &str, memory: u64, readable: &[PathBuf], changed: bool) -> Option<String> {
    let paths = || line.split(AROUND).map(|word| Path::new(word.trim_end_matches('.')));
    if says(line, NO_MEMORY) && !says(line, OWN_LIMIT) {
        let [writable, all] = mapping_limits(memory).map(|bytes| bytes >> 30);
        return Some(format!("it may map at most {all} GiB, of which {writable} GiB to write to: more with --memory"));
    }
    if says(line, REFUSALS) {
        let is_open = |path: &Path| is_system(path) || readable.iter().any(|open| path.starts_with(open));
        let mut absolute = paths().filter(|path| path.is_absolute()).peekable();
        absolute.peek()?;
        return Some(match absolute.find(|path| !is_open(path)) {
            Some(path) if path.starts_with(TEMPORARY) => {
                format!(
                    "it may make only files and folders in {TEMPORARY}, if the kernel gives it one of its own, {SEE}"
                )
            }
            Some(path) => {
                let path = path.display();
                format!("{path} is closed to it: it may {WRITE}, and read more with --allow-read PATH, {SEE}")
            }
            None => format!("it may {WRITE}{}, {SEE}", if changed { ", and read what all users may read" } else { "" }),
        });
    }
    // Its own files, named as if it ran in their folder.
    let is_plain = |path: &&Path| {
        // Words without these are no names of files, mostly.
        path.to_string_lossy().contains(['.', '/'])
            && path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    };
    let folder = env::current_dir().ok().filter(|_| says(line, NO_FILE))?;
    let found = paths().filter(is_plain).filter(|path| !path.exists());
    let mut found = found.filter_map(|path| readable.iter().map(|open| open.join(path)).find(|file| file.is_file()));
    let (found, folder) = (found.next()?, folder.display());
    Some(format!("its folder is the server's, {folder}: name the file by its whole path, {}", found.display()))
}
