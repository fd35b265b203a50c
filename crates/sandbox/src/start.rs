use std::ffi::c_int;
use std::panic;

use rustix::fs::{Mode, OFlags};
use rustix::io::{Errno, fcntl_getfd};
use rustix::stdio;

/// The status of a panic, as in every Rust program.
const PANICKED: u8 = 101;

/// Runs the program after C's `main` and never returns.
///
/// Does the parts of Rust's own start-up that a server needs: open standard streams, no signals for closed readers or
/// full files, buffers flushed at the end; and asks the kernel to report ended children. It omits the guard against
/// stack overflow, which reads `/proc/self/maps`: 0.15 ms for each of a game's three processes.
pub fn start(program: impl FnOnce() -> u8 + panic::UnwindSafe) -> ! {
    open_standard_streams();
    // If the parent ignores SIGCHLD, we inherit that, and the kernel forgets how players ended.
    let actions = [(libc::SIGPIPE, libc::SIG_IGN), (libc::SIGXFSZ, libc::SIG_IGN), (libc::SIGCHLD, libc::SIG_DFL)];
    for (signal, action) in actions {
        // SAFETY: no code runs yet that could rely on the signal, and neither action runs code.
        unsafe { libc::signal(signal, action) };
    }
    let status = panic::catch_unwind(program).unwrap_or(PANICKED);
    std::process::exit(c_int::from(status))
}

/// Opens `/dev/null` for each standard stream that the caller closed; otherwise one of our files would get its number.
fn open_standard_streams() {
    for stream in [stdio::stdin(), stdio::stdout(), stdio::stderr()] {
        if fcntl_getfd(stream) == Err(Errno::BADF) {
            // The lowest free number is the closed one. Without /dev/null nothing can be done.
            if let Ok(null) = rustix::fs::open("/dev/null", OFlags::RDWR, Mode::empty()) {
                std::mem::forget(null);
            }
        }
    }
}
