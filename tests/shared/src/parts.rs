//! The two parts of a run: all tests but those of time, then those of time, alone and one by one.
//!
//! A test of time compares a duration, so other work may break it. It lives in a module called `timing`, runs last, by
//! itself, in a process of its own, and gets five tries, each of which is shown. Everything else runs as the test harness has it,
//! and compares no duration. Tests that say nothing for twenty minutes hang: they are stopped.

use std::env;
use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::PATIENCE;

const TIMING: &str = "timing::";
const TRIES: usize = 5;
/// The exit status of the harness when a test has failed.
const FAILED: i32 = 101;

/// How long tests may say nothing: several times as long as any wait.
const SILENCE_MAX: Duration = PATIENCE.saturating_mul(4);

/// Set for the processes of a part, and for what they start.
const PART: &str = "AMAZONS_TEST_PART";

/// These ask for something else, or for one test.
const WHOLE: [&str; 5] = ["--list", "--help", "-h", "--exact", "--bench"];

/// Returns whether this process only runs others, for the parts.
pub(crate) fn are_asked_for() -> bool {
    env::var_os(PART).is_none() && !env::args_os().any(|argument| WHOLE.iter().any(|whole| argument == *whole))
}

/// Runs both parts, and returns the status of the whole.
pub(crate) fn run() -> i32 {
    both().unwrap_or_else(|error| {
        eprintln!("the tests cannot be run: {error}");
        FAILED
    })
}

fn both() -> io::Result<i32> {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let ended = watched(part(&arguments).args(["--skip", TIMING]))?;
    let has_passed = run_tests_of_time(&arguments)?;
    if ended.code().is_none() {
        eprintln!("the tests ended with {ended}");
    }
    Ok(match ended.code() {
        Some(0) if has_passed => 0,
        Some(status) if status != 0 => status,
        _ => FAILED,
    })
}

/// This program once more, which ends with this process.
fn part(arguments: &[OsString]) -> Command {
    // This very file, even if another one is built in its place meanwhile.
    let mut command = Command::new("/proc/self/exe");
    command.args(arguments).env(PART, "1");
    let end_with_parent = || {
        // SAFETY: the call only sets a signal.
        let status = unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM) };
        if status == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    };
    // SAFETY: a system call is allowed between fork and exec.
    unsafe { command.pre_exec(end_with_parent) };
    command
}

/// Runs a part, passes on what it prints, and stops it when that is nothing for too long.
fn watched(part: &mut Command) -> io::Result<ExitStatus> {
    let mut tests = part.stdout(Stdio::piped()).spawn()?;
    let mut printed = tests.stdout.take().expect("a pipe was asked for");
    let (sender, news) = mpsc::channel();
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(length @ 1..) = printed.read(&mut buffer) {
            let mut stdout = io::stdout().lock();
            if stdout.write_all(&buffer[..length]).and_then(|()| stdout.flush()).is_err() || sender.send(()).is_err() {
                break;
            }
        }
    });
    let end = loop {
        if let Err(end) = news.recv_timeout(SILENCE_MAX) {
            break end;
        }
    };
    if end == RecvTimeoutError::Timeout {
        println!(
            "\ntest result: FAILED. No test has ended for {SILENCE_MAX:?}: stopped. One named above has no result"
        );
        tests.kill()?;
    }
    tests.wait()
}

fn run_tests_of_time(arguments: &[OsString]) -> io::Result<bool> {
    let listed = part(arguments).args(["--list", "--format", "terse"]).output()?;
    let listed = String::from_utf8_lossy(&listed.stdout);
    let tests: Vec<_> =
        listed.lines().filter_map(|line| line.strip_suffix(": test")).filter(|test| test.contains(TIMING)).collect();
    if tests.is_empty() {
        return Ok(true);
    }
    let begun = Instant::now();
    println!("\nrunning {} tests of time, one by one", tests.len());
    let mut failed = Vec::new();
    for test in &tests {
        if !passes(test)? {
            failed.push(test);
        }
    }
    if !failed.is_empty() {
        println!("\nfailures:");
        failed.iter().for_each(|test| println!("    {test}"));
    }
    println!(
        "\ntest result: {}. {} passed; {} failed; 0 ignored; 0 measured; 0 filtered out; finished in {:.2}s\n",
        if failed.is_empty() { "ok" } else { "FAILED" },
        tests.len() - failed.len(),
        failed.len(),
        begun.elapsed().as_secs_f64()
    );
    Ok(failed.is_empty())
}

/// Tries a test up to five times, and shows what each failure printed.
fn passes(test: &str) -> io::Result<bool> {
    for number in 1..=TRIES {
        let Output { status, stdout, stderr } = part(&[test.into(), "--exact".into()]).output()?;
        if status.success() {
            println!("test {test} ... ok{}", if number > 1 { format!(", try {number}") } else { String::new() });
            return Ok(true);
        }
        println!("test {test} ... FAILED, try {number} of {TRIES}, {status}");
        print!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    }
    Ok(false)
}
