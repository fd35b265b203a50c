//! What processes inherit, and tests rely on: set before the tests begin.

use std::{env, mem, process, ptr};

use crate::parts;

/// Variables that would change what programs print.
const REMOVED: [&str; 8] =
    ["LANGUAGE", "TZ", "NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "MAKEFLAGS", "MAKELEVEL"];

/// Signals that end a process, and that a caller may ignore.
const ENDING: [libc::c_int; 10] = [
    libc::SIGHUP,
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGPIPE,
    libc::SIGALRM,
    libc::SIGTERM,
    libc::SIGXCPU,
    libc::SIGXFSZ,
];

// The test harness owns `main`, so this runs before it, on the only thread.
#[used]
#[unsafe(link_section = ".init_array")]
static START: extern "C" fn() = start;

/// Runs the parts of a run, each in a process; there, sets what processes inherit, and tests rely on.
extern "C" fn start() {
    if parts::are_asked_for() {
        // SAFETY: the default action, without which the ends of processes are not seen.
        unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
        close_input();
        process::exit(parts::run());
    }
    // Players have users of their own, who must reach the folders that tests make.
    // SAFETY: it only sets the mask.
    unsafe { libc::umask(0o022) };
    set_signals();
    for resource in [libc::RLIMIT_NPROC, libc::RLIMIT_FSIZE, libc::RLIMIT_AS, libc::RLIMIT_CPU] {
        set_limit(resource, |_| libc::RLIM_INFINITY);
    }
    set_limit(libc::RLIMIT_NOFILE, |now| now.max(4096));
    set_limit(libc::RLIMIT_STACK, |_| 8 << 20);
    // Programs that crash on purpose leave nothing behind.
    set_limit(libc::RLIMIT_CORE, |_| 0);
    close_input();
    // SAFETY: there is no other thread.
    unsafe { env::set_var("LC_ALL", "C.UTF-8") };
    for name in REMOVED {
        // SAFETY: there is no other thread.
        unsafe { env::remove_var(name) };
    }
}

/// Lets the tests' children have the usual signals, whatever this process ignores or blocks.
///
/// An ignored signal, as `nohup` has it, gets a handler that does nothing: this process goes on ignoring it, and a program
/// that it starts does not.
fn set_signals() {
    extern "C" fn ignore(_signal: libc::c_int) {}
    let ignore: extern "C" fn(libc::c_int) = ignore;
    for signal in ENDING.into_iter().chain([libc::SIGCHLD]) {
        // SAFETY: all bits zero are no flags, the default action and an empty mask.
        let mut action: libc::sigaction = unsafe { mem::zeroed() };
        // SAFETY: the place is valid, and nothing is changed.
        unsafe { libc::sigaction(signal, ptr::null(), &raw mut action) };
        if action.sa_sigaction == libc::SIG_IGN {
            // The kernel buries children itself while SIGCHLD is ignored.
            action.sa_sigaction = if signal == libc::SIGCHLD { libc::SIG_DFL } else { ignore as usize };
            action.sa_flags = libc::SA_RESTART;
            // SAFETY: the handler does nothing.
            unsafe { libc::sigaction(signal, &raw const action, ptr::null_mut()) };
        }
    }
    // SAFETY: all bits zero are an empty set.
    let none: libc::sigset_t = unsafe { mem::zeroed() };
    // SAFETY: the set is valid.
    unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut()) };
}

/// Programs that the tests run have nothing to read, whether there is a terminal, a file or nothing.
fn close_input() {
    // SAFETY: the path is a string of C.
    let null = unsafe { libc::open(c"/dev/null".as_ptr(), libc::O_RDWR) };
    if null > 0 {
        // SAFETY: both are descriptors of ours.
        unsafe { libc::dup2(null, 0) };
        // SAFETY: the copy is not needed.
        unsafe { libc::close(null) };
    }
}

/// Sets a limit to what it should be, as far as a user may.
fn set_limit(resource: libc::__rlimit_resource_t, wanted: impl Fn(libc::rlim_t) -> libc::rlim_t) {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the place is valid.
    unsafe { libc::getrlimit(resource, &raw mut limit) };
    limit.rlim_cur = wanted(limit.rlim_cur).min(limit.rlim_max);
    // SAFETY: the limit is valid.
    unsafe { libc::setrlimit(resource, &raw const limit) };
}
