//! Reruns a test in a process without other tests, for state that a process has only once.

use std::env;
use std::process::{Command, Output, Stdio};

const MARK: &str = "AMAZONS_TEST_ALONE";

/// Returns whether this process runs only one test.
pub(crate) fn is_alone() -> bool {
    env::var_os(MARK).is_some()
}

/// The command that runs one test alone, on the process's only thread.
pub(crate) fn command(test: &str) -> Command {
    let mut command = Command::new(env::current_exe().expect("the tests know where they are"));
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]).env(MARK, "1").stdin(Stdio::null());
    command
}

/// Runs one test alone and returns its output; fails when the test fails or does not exist.
pub(crate) fn run(command: &mut Command) -> Output {
    let output = command.output().expect("the tests can be run again");
    // Where stdout leads to stderr for the players' sake, so does the harness's own output.
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    output
}
