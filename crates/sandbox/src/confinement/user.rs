//! The user of a confined process: one without rights.

use std::io;

use rustix::thread::{Gid, Uid, set_thread_groups, set_thread_res_gid, set_thread_res_uid};

use crate::sandbox::SandboxUser as User;

/// The first of the user numbers not used on any machine; adding the process id makes two players strangers to each
/// other, each with its own limit of threads.
const STRANGERS: u32 = 1 << 30;

/// The unprivileged user of every system, for containers with few others.
const NOBODY: u32 = 65534;

/// Gives up the superuser's rights.
pub(super) fn give_up_root() -> io::Result<User> {
    if !rustix::process::geteuid().is_root() && !rustix::process::getuid().is_root() {
        return Ok(User::Ordinary);
    }
    let own = STRANGERS + rustix::process::getpid().as_raw_nonzero().get().unsigned_abs();
    for (id, user) in [(own, User::Stranger), (NOBODY, User::Nobody)] {
        match become_user(id) {
            Ok(()) => {
                // The change may have undone this, see PR_SET_DUMPABLE(2const).
                rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)?;
                return Ok(user);
            }
            // The number is unmapped here, or root is not allowed to change it.
            Err(error) if matches!(error.raw_os_error(), Some(libc::EINVAL | libc::EPERM)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(User::Root)
}

/// Returns whether this process's root is that of the machine, not an ordinary user in a name space of its own.
pub(crate) fn is_real_root() -> bool {
    let map = std::fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let outside = map.lines().find_map(|line| {
        let mut numbers = line.split_ascii_whitespace();
        (numbers.next()? == "0").then(|| numbers.next())?
    });
    // What is unknown is taken for the worst.
    outside.is_none_or(|user| user == "0")
}

/// Gives this single-threaded process another user and no groups.
fn become_user(id: u32) -> io::Result<()> {
    set_thread_groups(&[])?;
    let (group, user) = (Gid::from_raw(id), Uid::from_raw(id));
    set_thread_res_gid(group, group, group)?;
    Ok(set_thread_res_uid(user, user, user)?)
}
