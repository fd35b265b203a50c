//! A temporary folder of a program's own: a small file system in memory that only the program and what it starts can see.
//! The kernel keeps its size, and removes it with the last of them, however they end.

use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::{fs, io, ptr};

use rustix::process::{DumpableBehavior, getgid, getuid, set_dumpable_behavior};

use super::user::{drop_capabilities, is_root};

/// The place of a program's temporary folder, where named semaphores and shared memory are, too.
pub const TEMPORARY: &str = "/dev/shm";
const PLACE: &CStr = c"/dev/shm";

/// The maximum size of a file in it, and of all of them, with at most so many files and folders.
pub(crate) const TEMPORARY_LEN: u64 = 16 << 20;
const OPTIONS: &CStr = c"size=16m,nr_inodes=2048,mode=1777";

/// Gives this process such a folder, unless the kernel refuses or a file that it needs would be hidden.
pub(crate) fn make_temporary(needed: &[PathBuf]) -> bool {
    if needed.iter().any(|path| path.starts_with(TEMPORARY)) || !Path::new(TEMPORARY).is_dir() {
        return false;
    }
    if is_root() {
        return unshare(libc::CLONE_NEWNS).and_then(|()| mount()).is_ok();
    }
    // There is no way back from a user namespace that turns out to be useless. SAFETY: this process has one thread.
    let works = match unsafe { libc::fork() } {
        // SAFETY: `_exit` has no preconditions.
        0 => unsafe { libc::_exit(i32::from(enter_own_spaces().is_err())) },
        child => {
            let mut status = -1;
            // SAFETY: the status is valid for writes.
            child > 0 && unsafe { libc::waitpid(child, &raw mut status, 0) } == child && status == 0
        }
    };
    works && enter_own_spaces().is_ok()
}

/// For an ordinary user, who may mount only where it is root: in a user namespace of its own, with all its own numbers.
fn enter_own_spaces() -> io::Result<()> {
    let (user, group) = (getuid().as_raw(), getgid().as_raw());
    unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNS)?;
    // Otherwise these files are the machine's root's.
    set_dumpable_behavior(DumpableBehavior::Dumpable)?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    mount()?;
    drop_capabilities()?;
    Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}

fn unshare(flags: libc::c_int) -> io::Result<()> {
    // SAFETY: this process has one thread, and shares no descriptors or memory by these flags.
    if unsafe { libc::unshare(flags) } == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn mount() -> io::Result<()> {
    let none = c"none";
    // Nothing mounted here may appear elsewhere.
    let change = libc::MS_REC | libc::MS_PRIVATE;
    // SAFETY: the names are strings, and the call reads nothing else.
    if unsafe { libc::mount(none.as_ptr(), c"/".as_ptr(), ptr::null(), change, ptr::null()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let (kind, flags) = (c"tmpfs".as_ptr(), libc::MS_NOSUID | libc::MS_NODEV);
    // SAFETY: as above; the options are a string.
    match unsafe { libc::mount(none.as_ptr(), PLACE.as_ptr(), kind, flags, OPTIONS.as_ptr().cast()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
