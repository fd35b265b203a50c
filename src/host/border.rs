//! The border between our code and players': exceptions in other languages end here.
//!
//! An uncaught exception must not unwind our frames: Rust could only report it as foreign. The calls below have no
//! unwind information, so to the unwinder the stack ends with the player's code. The C++ runtime then prints type and
//! text and aborts where the exception was thrown, with the player's frames still on the stack; other languages'
//! runtimes do the same.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use amazons_player::abi::{FinalizeFn, GetOpinionFn, GetPlayerNameFn, GraphT, InitializeFn, MoveT, PlayFn};
use libloading::os::unix::Library;

/// Two more arguments in registers, so that the fifth is always the function.
type Filler = usize;

type OpenFn = unsafe extern "C" fn(*const c_char, c_int) -> *mut c_void;

// Calls the function in the fifth argument; the first four, and its result, stay in their registers. The frame pointer
// leads debuggers across. One name for each type.
std::arch::global_asm!(
    ".pushsection .text.amazons_border,\"ax\",@progbits",
    ".irp name, open, get_player_name, initialize, play, get_opinion, finalize",
    ".globl amazons_border_\\name",
    ".hidden amazons_border_\\name",
    ".type amazons_border_\\name, @function",
    "amazons_border_\\name:",
    ".endr",
    "push rbp",
    "mov rbp, rsp",
    "call r8",
    "pop rbp",
    "ret",
    ".popsection",
);

// Each calls its last argument; the caller accepts what that does, and passes what the header says.
unsafe extern "C" {
    fn amazons_border_open(path: *const c_char, flags: c_int, _: Filler, _: Filler, function: OpenFn) -> *mut c_void;
    pub(super) fn amazons_border_get_player_name(
        _: Filler,
        _: Filler,
        _: Filler,
        _: Filler,
        function: GetPlayerNameFn,
    ) -> *const c_char;
    pub(super) fn amazons_border_initialize(
        id: c_uint,
        graph: *mut GraphT,
        num_queens: c_uint,
        queens: *mut *mut c_uint,
        function: InitializeFn,
    );
    // The move takes the first two registers.
    pub(super) fn amazons_border_play(previous: MoveT, _: Filler, _: Filler, function: PlayFn) -> MoveT;
    pub(super) fn amazons_border_get_opinion(
        text: *mut *const c_char,
        _: Filler,
        _: Filler,
        _: Filler,
        function: GetOpinionFn,
    ) -> f64;
    pub(super) fn amazons_border_finalize(_: Filler, _: Filler, _: Filler, _: Filler, function: FinalizeFn);
}

/// Opens a library, or returns the dynamic loader's message.
///
/// # Safety
/// The caller accepts what the library's constructors do.
pub(super) unsafe fn open(path: &Path, flags: c_int) -> Result<Library, String> {
    let path = CString::new(path.as_os_str().as_bytes()).map_err(|error| error.to_string())?;
    // SAFETY: the path is a C string; the caller accepts the rest.
    let handle = unsafe { amazons_border_open(path.as_ptr(), flags, 0, 0, libc::dlopen) };
    if !handle.is_null() {
        // SAFETY: the loader has just returned this handle, and nothing else closes it.
        return Ok(unsafe { Library::from_raw(handle) });
    }
    // SAFETY: asking for this thread's last error has no preconditions.
    let message = unsafe { libc::dlerror() };
    if message.is_null() {
        return Err("the dynamic loader gave no reason".to_owned());
    }
    // SAFETY: the loader's messages are C strings, valid until its next call in this thread.
    Err(unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned())
}
