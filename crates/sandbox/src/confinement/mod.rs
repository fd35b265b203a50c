//! The rights that a player's process gives up for good before any player code runs, as far as the kernel supports it.
//!
//! Two mechanisms that need no privileges work side by side: Landlock decides which files can be opened, seccomp which
//! system calls can be made with which arguments. Either alone still prevents writing to files and hurting other
//! processes. [`docs/security.md`](../../../../docs/security.md) lists what each promise relies on.

mod files;
mod kinds;
mod policy;
mod program;
mod temporary;
mod user;

use std::io;

use serde::{Deserialize, Serialize};

pub use files::landlock_error;
pub(crate) use files::{OWN, open, readable_by_all, restrict as restrict_files, runnable_by_all};
pub use policy::{CallVerdict, Policy, Rule, Subject, Telling, Threads, Writing, name_of, verdict};
pub use program::program;

use crate::sandbox::{Sandbox, SandboxUser};

/// The reaction to a kernel that offers less than the sandbox needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum SandboxMode {
    /// Refuse to run players
    Strict,
    /// Use what there is; refuse if there is nothing
    #[default]
    Auto,
    /// Run players without a sandbox
    Off,
}

impl SandboxMode {
    pub(crate) const ALL: [Self; 3] = [Self::Strict, Self::Auto, Self::Off];

    /// Returns why the sandbox reached is not enough, if it is not.
    #[must_use]
    pub fn objection(self, reached: &Sandbox) -> Option<String> {
        let refused = reached.refused.map_or_else(String::new, |refused| format!(" ({refused})"));
        match (self, reached.landlock, reached.seccomp) {
            (Self::Off, ..) | (_, Some(_), true) | (Self::Auto, Some(_), false) | (Self::Auto, None, true) => None,
            (_, None, false) => Some(format!(
                "the kernel offers neither Landlock{refused} nor seccomp: --sandbox off runs players without a sandbox"
            )),
            (Self::Strict, None, true) => {
                Some(format!("the kernel offers no Landlock{refused}, and --sandbox strict requires it"))
            }
            (Self::Strict, Some(_), false) => {
                Some("the kernel offers no seccomp, and --sandbox strict requires it".to_owned())
            }
        }
    }
}

pub use temporary::TEMPORARY;
pub(crate) use temporary::{TEMPORARY_LEN, make_temporary};
pub(crate) use user::{can_end_others, give_up_root, is_root};

/// Returns the user of processes that give up nothing.
#[must_use]
pub fn unchanged_user() -> SandboxUser {
    if user::is_root() && user::is_real_root() { SandboxUser::Root } else { SandboxUser::Ordinary }
}

/// Restricts system calls, the last step before the process runs the player; returns whether the kernel can.
pub(crate) fn restrict_calls(
    subject: Subject,
    threads: Threads,
    writing: Writing,
    telling: Telling,
) -> io::Result<bool> {
    let own_pid = rustix::process::getpid().as_raw_nonzero().get().unsigned_abs();
    let filter = program(&Policy { own_pid, subject, threads, writing, telling });
    match seccompiler::apply_filter(&filter) {
        Ok(()) => Ok(true),
        // Old kernels lack the call or the mode, and containers refuse it.
        Err(seccompiler::Error::Seccomp(error) | seccompiler::Error::Prctl(error))
            if matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EINVAL | libc::EPERM | libc::EACCES)) =>
        {
            Ok(false)
        }
        Err(error) => Err(io::Error::other(error)),
    }
}
