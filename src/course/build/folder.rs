//! The folder of a build, looked at without following anything that the build may have put there.

use std::ffi::OsStr;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, openat, statat};
use rustix::io::Errno;

/// Maximum number of files, and of folders in each other.
const FILES_MAX: u64 = 200_000;
const DEPTH_MAX: usize = 64;

/// The room that a folder takes.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::course) struct Usage {
    /// On disk, in bytes.
    pub(in crate::course) bytes: u64,
    files: u64,
    depth: usize,
    /// Whether a folder cannot be looked into: everything may be in there.
    is_closed: bool,
}

impl Usage {
    /// Adds up everything below a folder, which may change meanwhile.
    pub(in crate::course) fn of(folder: &Path) -> anyhow::Result<Self> {
        let mut usage = Self::default();
        let seen = each(CWD, folder.as_os_str(), 1, &mut |names, about| {
            usage.bytes += u64::try_from(about.st_blocks).unwrap_or(0) * 512;
            usage.files += 1;
            usage.depth = usage.depth.max(names);
            usage.excess().is_none()
        });
        usage.is_closed = matches!(seen, Err(Errno::ACCESS));
        if !usage.is_closed {
            seen.with_context(|| format!("cannot read {}", folder.display()))?;
        }
        Ok(usage)
    }

    /// Returns what there is too much of, whatever the limits.
    pub(super) fn excess(&self) -> Option<String> {
        if self.is_closed {
            return Some("it made a folder that cannot be read".to_owned());
        }
        if self.depth > DEPTH_MAX {
            return Some(format!("it nested more than {DEPTH_MAX} folders"));
        }
        (self.files > FILES_MAX).then(|| format!("it made more than {FILES_MAX} files"))
    }
}

/// Visits everything below a folder with its depth, until `visit` says no.
fn each(
    parent: BorrowedFd<'_>,
    name: &OsStr,
    depth: usize,
    visit: &mut dyn FnMut(usize, &Stat) -> bool,
) -> Result<bool, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = match openat(parent, name, flags, Mode::empty()) {
        Ok(folder) => folder,
        // It is gone, or has been replaced.
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) if depth > 1 => return Ok(true),
        Err(errno) => return Err(errno),
    };
    for entry in Dir::read_from(&folder)?.filter_map(Result::ok) {
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name == "." || name == ".." {
            continue;
        }
        let Ok(about) = statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
        let is_folder = FileType::from_raw_mode(about.st_mode) == FileType::Directory;
        if !visit(depth, &about) || (is_folder && !each(folder.as_fd(), name, depth + 1, visit)?) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Lists the files `*.so` in a folder, or anywhere below it, once no build changes it any more.
pub(super) fn libraries(top: &Path, below: bool) -> anyhow::Result<Vec<PathBuf>> {
    let (mut found, mut folders) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(folder) = folders.pop() {
        let Ok(entries) = top.join(&folder).read_dir() else { continue };
        for entry in entries {
            let entry = entry.context("cannot read what was built")?;
            let (kind, path) =
                (entry.file_type().context("cannot read what was built")?, folder.join(entry.file_name()));
            let is_cargos = [OsStr::new("deps"), OsStr::new("incremental")].contains(&&*entry.file_name())
                || path.iter().any(|part| part == "release" || part == "debug") && path.ends_with("build");
            if kind.is_dir() && below && !is_cargos {
                folders.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|ending| ending == "so") {
                found.push(path);
            }
        }
    }
    Ok(found)
}
