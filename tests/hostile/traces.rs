//! Objects outside of the game's folder that a behaviour may have made.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::SOURCES;

/// The prefix of files made by behaviours, before the behaviour's own name.
pub(super) const PREFIX: &str = "amazons-hostile-";

/// The first of the keys that behaviours give to System V objects.
const FIRST_KEY: i32 = 0x416d_0000;
const LAST_KEY: i32 = 0x416d_ffff;

const FOLDERS: [&str; 4] = ["/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue"];

/// Removes and lists what a behaviour left in the shared folders.
pub(super) fn take_files(behaviour: &str) -> Vec<PathBuf> {
    let entries = FOLDERS.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let theirs = entries.filter(|entry| owner(&entry.file_name().to_string_lossy()) == Some(behaviour));
    theirs
        .map(|entry| entry.path())
        .inspect(|path| {
            let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
        })
        .collect()
}

/// The behaviour that made a file: the one with the longest matching name.
fn owner(file: &str) -> Option<&'static str> {
    let (_, rest) = file.split_once(PREFIX)?;
    let names = SOURCES.iter().map(|(name, _)| *name);
    names.filter(|name| rest.starts_with(name)).max_by_key(|name| name.len())
}

/// Removes and lists System V objects of behaviours, whichever made them.
pub(super) fn take_objects() -> Vec<String> {
    let mut found = Vec::new();
    for kind in ["shm", "sem", "msg"] {
        let table = fs::read_to_string(Path::new("/proc/sysvipc").join(kind)).unwrap_or_default();
        for line in table.lines().skip(1) {
            let mut fields = line.split_whitespace().map(str::parse::<i32>);
            let (Some(Ok(key)), Some(Ok(id))) = (fields.next(), fields.next()) else { continue };
            if (FIRST_KEY..=LAST_KEY).contains(&key) {
                remove_object(kind, id);
                found.push(format!("{kind} {key:#x}"));
            }
        }
    }
    found
}

fn remove_object(kind: &str, id: i32) {
    match kind {
        // SAFETY: removal looks at no further argument.
        "shm" => unsafe { libc::shmctl(id, libc::IPC_RMID, std::ptr::null_mut()) },
        // SAFETY: as above.
        "sem" => unsafe { libc::semctl(id, 0, libc::IPC_RMID) },
        // SAFETY: as above.
        _ => unsafe { libc::msgctl(id, libc::IPC_RMID, std::ptr::null_mut()) },
    };
}

/// Everything about a file that a player could change.
pub(super) fn state_of(path: &Path) -> String {
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return "gone".to_owned();
    };
    let (mode, owner, group) = (metadata.mode(), metadata.uid(), metadata.gid());
    let (inode, links, size) = (metadata.ino(), metadata.nlink(), metadata.size());
    let modified = (metadata.mtime(), metadata.mtime_nsec());
    format!("mode {mode:o}, owner {owner}:{group}, inode {inode}, links {links}, {size} bytes, changed {modified:?}")
}

/// All files below a folder, relative to it, in order.
pub(super) fn files_below(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(path.clone());
            }
            found.push(path.strip_prefix(folder).unwrap_or(&path).display().to_string());
        }
    }
    found.sort();
    found
}
