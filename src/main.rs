//! The server of the Game of the Amazons.

use std::process::ExitCode;

fn main() -> ExitCode {
    // A player's process is this executable again; it must not get as far as the command line.
    amazons::host::entry().unwrap_or_else(amazons::run)
}
