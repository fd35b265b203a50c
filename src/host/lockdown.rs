//! What a player's process gives up before it runs any code of the player.

use std::ffi::c_int;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::ptr;

use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::fcntl_dupfd_cloexec;
use rustix::process::{Pid, Resource, Rlimit, Signal};
use rustix::stdio;

/// Enough for players that keep arrays of 12 bytes for every pair of vertices on the stack.
const STACK_LIMIT: u64 = 64 << 20;

/// Bounds a line of C's `stdout` only by its newline, whatever `stdout` is.
const LINE_BUFFERED: c_int = 1;

/// The two pipes to the server.
#[derive(Debug)]
pub(super) struct Pipes {
    pub(super) requests: OwnedFd,
    pub(super) replies: OwnedFd,
}

/// Tells whether the standard streams are pipes, as the server makes them.
pub(super) fn is_connected() -> bool {
    let is_pipe = |fd| rustix::fs::fstat(fd).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Fifo);
    is_pipe(stdio::stdin()) && is_pipe(stdio::stdout())
}

/// Moves the pipes out of the standard streams, which become `/dev/null` and the log; closes everything else.
pub(super) fn take_pipes() -> io::Result<Pipes> {
    // SAFETY: the process has just started: nothing in it owns a descriptor beyond the standard streams.
    if unsafe { libc::close_range(3, u32::MAX, 0) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let pipes =
        Pipes { requests: fcntl_dupfd_cloexec(stdio::stdin(), 3)?, replies: fcntl_dupfd_cloexec(stdio::stdout(), 3)? };
    let null = rustix::fs::open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    stdio::dup2_stdin(null.as_fd())?;
    stdio::dup2_stdout(stdio::stderr())?;
    Ok(pipes)
}

/// Ends this process with the server, and takes it out of the server's session.
pub(super) fn follow(server: Pid) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    // A server that ended before the line above sends no signal any more.
    if rustix::process::getppid() != Some(server) {
        return Err(io::Error::other("the server is gone"));
    }
    rustix::process::setsid()?;
    Ok(())
}

/// Restricts the process; from here on it is fit for the player's code.
pub(super) fn restrict(log_limit: u64) -> io::Result<()> {
    set_limit(Resource::Core, 0, Some(0))?;
    let (log_limit, _) = possible(Resource::Fsize, log_limit);
    set_limit(Resource::Fsize, log_limit, Some(log_limit))?;
    let (stack_limit, maximum) = possible(Resource::Stack, STACK_LIMIT);
    // The kernel lets the main thread's stack grow to the limit of the moment, so there is no need to start again.
    set_limit(Resource::Stack, stack_limit, maximum)?;
    reset_signals();
    buffer_lines();
    Ok(())
}

/// Gives the main thread of the server the stack that players count on, and takes none away.
pub(super) fn raise_stack_limit() -> io::Result<()> {
    let (wanted, maximum) = possible(Resource::Stack, STACK_LIMIT);
    match rustix::process::getrlimit(Resource::Stack).current {
        Some(current) if current < wanted => set_limit(Resource::Stack, wanted, maximum),
        _ => Ok(()),
    }
}

/// As much of a limit as the user's own maximum, which follows, allows: only the superuser can raise that.
fn possible(resource: Resource, wanted: u64) -> (u64, Option<u64>) {
    let maximum = rustix::process::getrlimit(resource).maximum;
    (maximum.map_or(wanted, |max| max.min(wanted)), maximum)
}

fn set_limit(resource: Resource, current: u64, maximum: Option<u64>) -> io::Result<()> {
    let limit = Rlimit { current: Some(current), maximum };
    Ok(rustix::process::setrlimit(resource, limit)?)
}

/// Undoes what the Rust runtime or the server's parents did to signals; a full log is no reason to die.
fn reset_signals() {
    for signal in 1..=libc::SIGRTMAX() {
        let action = if signal == libc::SIGXFSZ { libc::SIG_IGN } else { libc::SIG_DFL };
        // SAFETY: neither action runs code. The few signals that cannot be set are in order as they are.
        unsafe { libc::signal(signal, action) };
    }
}

/// Makes C's `stdout` write whole lines, so that the last words of a player that crashes are in its log.
fn buffer_lines() {
    unsafe extern "C" {
        static stdout: *mut libc::FILE;
    }
    // SAFETY: the C library sets its stream up before main and never changes the pointer; players are not loaded yet.
    let stream = unsafe { stdout };
    // SAFETY: nothing was written to the stream yet; without a buffer of ours, the library makes its own.
    unsafe { libc::setvbuf(stream, ptr::null_mut(), LINE_BUFFERED, 0) };
}
