use std::ffi::c_int;

extern "C" fn stay(_: c_int) {}

/// Keeps this process when another rank dies: MPICH's launcher tells the survivors by `SIGUSR1`, which ends whoever does not
/// handle it.
pub(crate) fn survive_others() {
    let handler: extern "C" fn(c_int) = stay;
    // SAFETY: the handler does nothing, so it may run at any time.
    let before = unsafe { libc::signal(libc::SIGUSR1, handler as libc::sighandler_t) };
    if before != libc::SIG_DFL && before != libc::SIG_ERR {
        // SAFETY: it was the handler until now.
        unsafe { libc::signal(libc::SIGUSR1, before) };
    }
}
