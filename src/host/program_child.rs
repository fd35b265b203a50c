//! What a process does to become another program instead of running a player.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use rustix::process::Pid;

use super::environment::set_environment;
use super::error::ConfineError;
use super::lockdown::{self, FAMILY_LIMIT, Template};
use super::sandbox::{self, SandboxMode, Subject, Threads};
use super::setup::ProcessSpec;
use crate::referee::{Sandbox, SandboxUser};

/// Gives up everything that another program must not have.
///
/// It is like a player's lot but for this: the program may be started, and start others; its threads and processes are
/// counted by the server, and by the kernel where its user has no other processes.
pub(super) fn confine(template: &Template, parent: Pid, orders: &ProcessSpec) -> Result<Sandbox, ConfineError> {
    // Descriptors become mere numbers when they are closed all at once: what owns them must not close them again.
    let mut readable = ManuallyDrop::new(Vec::new());
    for path in &orders.allow_read {
        let opened = sandbox::open(path);
        readable.push(opened.map_err(|source| ConfineError::AllowRead { path: path.clone(), source })?);
    }
    readable.extend(sandbox::OWN.iter().filter_map(|path| sandbox::open(Path::new(path)).ok()));
    readable.extend(sandbox::runnable_by_all());
    set_environment(&orders.environment);
    let user = match orders.sandbox {
        SandboxMode::Off if rustix::process::geteuid().is_root() => SandboxUser::Root,
        SandboxMode::Off => SandboxUser::Ordinary,
        SandboxMode::Strict | SandboxMode::Auto => sandbox::drop_user()?,
    };
    lockdown::follow(parent)?;
    lockdown::restrict(orders)?;
    if orders.sandbox == SandboxMode::Off {
        lockdown::close_others(None)?;
        return Ok(Sandbox::off(user));
    }
    lockdown::restrict_threads(user, FAMILY_LIMIT)?;
    let readable = template.readable.iter().chain(&*readable);
    let sandbox = sandbox::confine(user, readable, Subject::Program, Threads::Many)?;
    lockdown::close_others(None)?;
    match orders.sandbox.objection(&sandbox) {
        Some(objection) => Err(ConfineError::TooLittle(objection)),
        None => Ok(sandbox),
    }
}

/// Becomes the program, with the two pipes as its standard input and output; answers why that failed.
pub(super) fn become_program(path: &Path, arguments: &[OsString], requests: &File, replies: &File) -> io::Error {
    let Some((name, arguments)) = arguments.split_first() else { return io::ErrorKind::InvalidInput.into() };
    match lockdown::become_standard(requests.as_fd(), replies.as_fd()) {
        Ok(()) => Command::new(path).arg0(name).args(arguments).exec(),
        Err(error) => error,
    }
}
