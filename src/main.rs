//! The server of the Game of the Amazons.

#![no_main]

use std::ffi::c_int;

/// C's `main`, because Rust's costs each process of a game time that no game needs.
#[unsafe(no_mangle)]
extern "C" fn main() -> c_int {
    // A player's process is this executable again; it must not get as far as the command line.
    amazons_sandbox::start(|| amazons::host::entry().unwrap_or_else(amazons::run))
}
