//! Rust as this machine has it: where it is, and whether builds can read it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Returns the folder of the Rust toolchain: rustup's programs choose one by files that no build may read.
pub(super) fn rust() -> Option<&'static Path> {
    static ROOT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let ask = || {
        // Not where a file of a project could choose another one.
        let asked =
            Command::new("rustc").args(["--print", "sysroot"]).current_dir("/").stdin(Stdio::null()).output().ok()?;
        let root = PathBuf::from(String::from_utf8(asked.stdout).ok()?.trim());
        (asked.status.success() && root.join("bin/cargo").is_file()).then_some(root)
    };
    ROOT.get_or_init(ask).as_deref()
}

/// Returns the first folder on a path that other users cannot enter, if this process is root, whose builds are another
/// user's.
pub(super) fn closed(path: &Path) -> Option<PathBuf> {
    if !rustix::process::geteuid().is_root() {
        return None;
    }
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let is_closed = |folder: &&Path| fs::metadata(folder).is_ok_and(|about| about.permissions().mode() & 0o001 == 0);
    let mut folders: Vec<&Path> = path.ancestors().collect();
    folders.reverse();
    folders.into_iter().find(is_closed).map(Path::to_owned)
}
