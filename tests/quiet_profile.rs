//! Keeps the instrumented test executable from writing an unwanted profile.

use std::ffi::c_char;

unsafe extern "C" {
    fn __llvm_profile_set_filename(name: *const c_char);
}

// The harness owns `main`, so this runs before it, as a constructor.
#[used]
#[unsafe(link_section = ".init_array")]
static SET_FILENAME: extern "C" fn() = set_filename;

/// Discards the profile, unless `LLVM_PROFILE_FILE` names a place for it.
extern "C" fn set_filename() {
    if std::env::var_os("LLVM_PROFILE_FILE").is_none() {
        // SAFETY: the profiler runtime is linked into every instrumented executable and keeps the pointer, which is static.
        unsafe { __llvm_profile_set_filename(c"/dev/null".as_ptr()) }
    }
}
