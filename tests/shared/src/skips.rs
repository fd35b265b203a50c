//! Tests that a machine cannot run.

use std::env;
use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::thread;

/// Names the file that collects the skips of several executables.
const SKIPS: &str = "AMAZONS_SKIPS";

/// Reports that this test is left out, or a part of it, because the machine lacks something.
///
/// `make test` lists the reasons at its end. Without it, each goes to standard error at once, which the test harness
/// does not capture.
///
/// # Panics
/// When the list cannot be written.
pub fn skip(why: impl Display) {
    let why = why.to_string().trim().replace('\n', "; ");
    let thread = thread::current();
    let test = thread.name().unwrap_or("a test");
    let written = match env::var_os(SKIPS) {
        Some(file) => OpenOptions::new()
            .append(true)
            .create(true)
            .open(file)
            // In one call: tests of other processes write there, too.
            .and_then(|mut file| file.write_all(format!("{test}\t{why}\n").as_bytes())),
        None => io::stderr().write_all(format!("SKIPPED: {test}: {why}\n").as_bytes()),
    };
    written.expect("skips can be noted");
}
