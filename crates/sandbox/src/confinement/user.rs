//! Whose rights a player has: nobody's.

use std::io;

use crate::sandbox::SandboxUser as User;

/// Where the numbers of users begin that nobody on a machine has; the process's own is added, so that two players are
/// strangers to each other and each can be allowed its own number of threads.
const STRANGERS: u32 = 1 << 30;

/// The user without rights that every system knows, for containers that know few others.
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
            // The number means nobody here, or root is not allowed to change it.
            Err(error) if matches!(error.raw_os_error(), Some(libc::EINVAL | libc::EPERM)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(User::Root)
}

fn become_user(id: u32) -> io::Result<()> {
    let check = |result: libc::c_int| if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) };
    // SAFETY: an empty list is not read.
    check(unsafe { libc::setgroups(0, std::ptr::null()) })?;
    // SAFETY: setting ids touches no memory of ours; this process has one thread.
    check(unsafe { libc::setresgid(id, id, id) })?;
    // SAFETY: as above.
    check(unsafe { libc::setresuid(id, id, id) })
}
