//! The user of a confined process, without rights.

use std::ffi::{c_int, c_void};
use std::os::unix::fs::{MetadataExt, lchown};
use std::path::Path;
use std::{fs, io, ptr};

use rustix::process::{Pid, WaitOptions, test_kill_process, waitpid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, Gid, Uid, capabilities, set_capabilities, set_thread_groups, set_thread_res_gid,
    set_thread_res_uid,
};

use crate::sandbox::SandboxUser as User;

/// The first of a range of user numbers that no machine uses; adding the process id gives each player its own user,
/// with its own limit of threads.
const STRANGERS: u32 = 1 << 30;

/// The unprivileged user of every system, for containers with few others.
const NOBODY: u32 = 65534;

/// Gives up root's rights, if any; the new user owns this folder and everything below. The user stays the same if the
/// parent could not end another user's process, see [`can_end_others`].
pub(crate) fn give_up_root(can_end_others: bool, folder: Option<&Path>) -> io::Result<User> {
    if !is_root() {
        return Ok(User::Ordinary);
    }
    let user = if can_end_others { leave_root(folder)? } else { None };
    // Some settings keep them in spite of the change, and a player with root's rights could make itself unkillable.
    drop_capabilities()?;
    Ok(match user {
        Some(user) => user,
        None if is_real_root() => User::Root,
        None => User::Ordinary,
    })
}

fn leave_root(folder: Option<&Path>) -> io::Result<Option<User>> {
    let own = STRANGERS + rustix::process::getpid().as_raw_nonzero().get().unsigned_abs();
    for (id, user) in [(own, User::Stranger), (NOBODY, User::Nobody)] {
        match folder.map_or(Ok(()), |folder| give(folder, id)).and_then(|()| become_user(id)) {
            Ok(()) => {
                // The change may have undone this, see PR_SET_DUMPABLE(2const).
                rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)?;
                return Ok(Some(user));
            }
            // The number is unmapped here, or root is not allowed to change it.
            Err(error) if matches!(error.raw_os_error(), Some(libc::EINVAL | libc::EPERM)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// Gives a folder and everything below to a user; links are not followed.
fn give(path: &Path, id: u32) -> io::Result<()> {
    lchown(path, Some(id), Some(id))?;
    if fs::symlink_metadata(path)?.is_dir() {
        for entry in fs::read_dir(path)? {
            give(&entry?.path(), id)?;
        }
    }
    Ok(())
}

pub(super) fn drop_capabilities() -> io::Result<()> {
    if capabilities(None).is_ok_and(|sets| sets.permitted.is_empty()) {
        return Ok(());
    }
    let none = CapabilitySet::empty();
    Ok(set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?)
}

/// Returns whether this process has root's rights, at least inside its namespace.
pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root() || rustix::process::getuid().is_root()
}

/// Returns whether this process, which has one thread, may end the players: if it is root, another user's process.
///
/// Tries it on a process that changes its user and ends at once.
pub(crate) fn can_end_others() -> bool {
    const STACK_LEN: usize = 16 << 10;
    if !is_root() {
        return true;
    }
    let mut stack = vec![0_u128; STACK_LEN / size_of::<u128>()];
    let top: *mut c_void = stack.as_mut_ptr_range().end.cast();
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    // SAFETY: this process waits until the other one, which has its own stack, has ended; its function only makes
    // system calls.
    let raw = unsafe { libc::clone(end_as_stranger, top, flags, ptr::null_mut()) };
    let Some(pid) = Pid::from_raw(raw).filter(|_| raw > 0) else { return false };
    // It keeps its user until it is reaped.
    let is_allowed = test_kill_process(pid).is_ok();
    // Its status does not matter: if its user was not changed here, no player's is.
    waitpid(Some(pid), WaitOptions::empty()).is_ok() && is_allowed
}

extern "C" fn end_as_stranger(_: *mut c_void) -> c_int {
    let id = STRANGERS + rustix::process::getpid().as_raw_nonzero().get().unsigned_abs();
    c_int::from(become_user(id).or_else(|_| become_user(NOBODY)).is_err())
}

/// Returns whether this process's root is that of the machine, not an ordinary user in a namespace of its own.
pub(super) fn is_real_root() -> bool {
    // The machine's root owns this folder in every namespace. If in doubt, assume the worst.
    fs::metadata("/proc/sys").map_or(true, |folder| folder.uid() == 0)
}

/// Gives this single-threaded process another user and no groups.
fn become_user(id: u32) -> io::Result<()> {
    set_thread_groups(&[])?;
    let (group, user) = (Gid::from_raw(id), Uid::from_raw(id));
    set_thread_res_gid(group, group, group)?;
    Ok(set_thread_res_uid(user, user, user)?)
}
