//! Runs a test again in a process where no other test runs: for what a process has only one of.

use std::env;
use std::process::{Command, Output, Stdio};

const MARK: &str = "AMAZONS_TEST_ALONE";

/// Returns whether this process runs one test only.
pub(crate) fn is_alone() -> bool {
    env::var_os(MARK).is_some()
}

/// The command that runs one test alone, on the process's only thread.
pub(crate) fn command(test: &str) -> Command {
    let mut command = Command::new(env::current_exe().expect("the tests know where they are"));
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]).env(MARK, "1").stdin(Stdio::null());
    command
}

/// Runs one test alone and returns what it printed; fails when it fails or does not exist.
pub(crate) fn run(command: &mut Command) -> Output {
    let output = command.output().expect("the tests can be run again");
    // Where stdout leads to stderr for the sake of players, the harness's own words go there too.
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    output
}
