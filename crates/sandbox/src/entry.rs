use std::env;
use std::io;
use std::os::fd::{AsFd, OwnedFd, RawFd};

use rustix::fs::{FileType, Mode, OFlags};
use rustix::stdio;

use super::child::Prepare;
use super::fork_server;
use super::lockdown;

/// The first descriptor beyond the standard streams.
const FIRST_INHERITED: RawFd = 3;

/// Serves as a fork server if this process's first argument is `argument`; `main` calls it before anything else.
///
/// Returns `None` for an ordinary start of the executable. The processes that it forks end in here; those that serve a
/// library run what `prepare` returned. The error is of kind [`io::ErrorKind::InvalidInput`] if this process was not
/// started by [`crate::ForkServer::start`].
pub fn entry(argument: &str, prepare: Prepare) -> Option<io::Result<()>> {
    (env::args_os().nth(1)? == argument).then(|| {
        let is_socket = |stat: rustix::fs::Stat| FileType::from_raw_mode(stat.st_mode) == FileType::Socket;
        if !rustix::fs::fstat(stdio::stdin()).is_ok_and(is_socket) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{argument} is for internal use only")));
        }
        // The server's ancestors, such as MPI launchers, may have left it many open files.
        lockdown::close_from(FIRST_INHERITED)?;
        fork_server::serve(take_socket()?, prepare)
    })
}

/// Moves the socket to the server away from standard input.
fn take_socket() -> io::Result<OwnedFd> {
    let socket = lockdown::out_of_the_way(stdio::stdin().try_clone_to_owned()?)?;
    let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    stdio::dup2_stdin(null.as_fd())?;
    Ok(socket)
}
