//! The server of the Game of the Amazons.

#![no_main]

use std::ffi::c_int;

/// C's `main`, because Rust's costs every process of a game some time.
#[unsafe(no_mangle)]
extern "C" fn main() -> c_int {
    // A player's process is this executable again; it must not reach the command line.
    let entry = || amazons::host::entry().or_else(amazons::course::build::unpack_mode);
    amazons_sandbox::start(|| entry().unwrap_or_else(amazons::run))
}
