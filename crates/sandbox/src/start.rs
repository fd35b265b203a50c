use std::ffi::c_int;
use std::panic;

use rustix::fs::{Mode, OFlags};
use rustix::io::{Errno, fcntl_getfd};
use rustix::stdio;

/// The status of a panic, as in every Rust program.
const PANICKED: u8 = 101;

/// Runs the program behind C's `main` and never returns.
///
/// It does what Rust's own start-up does and a server needs: standard streams that are open, no signal when a reader
/// has gone or a file is full, buffers written at the end; and it wants to be told how its children ended. It leaves
/// out the guard against stack overflow, for which the start-up reads `/proc/self/maps`: 0.15 ms, which each of the
/// three processes of a game would pay.
pub fn start(program: impl FnOnce() -> u8 + panic::UnwindSafe) -> ! {
    open_standard_streams();
    // A parent that ignores SIGCHLD hands that on, and then the kernel forgets how players ended.
    let actions = [(libc::SIGPIPE, libc::SIG_IGN), (libc::SIGXFSZ, libc::SIG_IGN), (libc::SIGCHLD, libc::SIG_DFL)];
    for (signal, action) in actions {
        // SAFETY: nothing else runs yet that could rely on the signal, and neither action runs code.
        unsafe { libc::signal(signal, action) };
    }
    let status = panic::catch_unwind(program).unwrap_or(PANICKED);
    std::process::exit(c_int::from(status))
}

/// Opens `/dev/null` for each standard stream that the caller closed; a file of ours would get its number otherwise.
fn open_standard_streams() {
    for stream in [stdio::stdin(), stdio::stdout(), stdio::stderr()] {
        if fcntl_getfd(stream) == Err(Errno::BADF) {
            // The lowest free number is the one that was found closed. Without /dev/null there is nothing to be done.
            if let Ok(null) = rustix::fs::open("/dev/null", OFlags::RDWR, Mode::empty()) {
                std::mem::forget(null);
            }
        }
    }
}
