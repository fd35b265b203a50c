use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc;

use crate::PARENT;
use crate::analysis::Query;

/// How often to check whether a process is to be stopped or has ended.
const TICK: Duration = Duration::from_millis(20);

/// The longest message of a process that failed.
const MESSAGE_MAX: u64 = 4096;

/// Starts this program again, to end with the thread that starts it.
pub(super) fn again() -> Command {
    let mut command = Command::new("/proc/self/exe");
    command.env(PARENT, std::process::id().to_string());
    command
}

/// Starts this program with the command `analyze`, giving way to everything else.
fn start(args: &[&OsStr]) -> io::Result<Child> {
    again()
        .args(["analyze", "--idle"])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

/// Waits for the end of a process, or kills it.
fn end(child: &mut Child, stop: &AtomicBool) -> io::Result<ExitStatus> {
    loop {
        if stop.load(Ordering::Relaxed) {
            // It may just have ended.
            let _ = child.kill();
        }
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        thread::sleep(TICK);
    }
}

/// Runs `analyze` to its end, unless it is stopped; returns what went wrong.
pub(super) fn run(args: &[&OsStr], stop: &AtomicBool) -> Result<(), String> {
    let told = |error: io::Error| error.to_string();
    let mut child = start(args).map_err(told)?;
    drop(child.stdin.take());
    // Its pages come from the file that it writes.
    let output = child.stdout.take();
    let drain = thread::spawn(move || output.map(|mut output| io::copy(&mut output, &mut io::sink())));
    let status = end(&mut child, stop).map_err(told)?;
    let _ = drain.join();
    if status.success() || stop.load(Ordering::Relaxed) {
        return Ok(());
    }
    let mut message = String::new();
    if let Some(errors) = child.stderr.take() {
        let _ = errors.take(MESSAGE_MAX).read_to_string(&mut message);
    }
    let reason = message.lines().last().map(|line| line.trim_start_matches("server: ").to_owned());
    Err(reason.filter(|reason| !reason.is_empty()).unwrap_or_else(|| status.to_string()))
}

/// The lines that a process answers to a query; it is killed when this is dropped.
pub(super) struct Answers {
    lines: mpsc::Receiver<String>,
    stop: Arc<AtomicBool>,
}

impl Answers {
    /// Asks for the evaluation of a position.
    pub(super) fn new(query: &Query) -> io::Result<Self> {
        let mut child = start(&[OsStr::new("--queries")])?;
        if let Some(mut input) = child.stdin.take() {
            writeln!(input, "{}", serde_json::to_string(query)?)?;
        }
        let (sender, lines) = mpsc::channel(1);
        let stop = Arc::new(AtomicBool::new(false));
        let output = child.stdout.take();
        thread::spawn(move || pass_on(output, &sender));
        let stopped = Arc::clone(&stop);
        thread::spawn(move || end(&mut child, &stopped));
        Ok(Self { lines, stop })
    }

    /// Waits for the next line; `None` after the last.
    pub(super) async fn next(&mut self) -> Option<String> {
        self.lines.recv().await
    }
}

impl Drop for Answers {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn pass_on(output: Option<ChildStdout>, sender: &mpsc::Sender<String>) {
    let lines = output.into_iter().flat_map(|output| BufReader::new(output).lines());
    for line in lines.map_while(Result::ok) {
        if sender.blocking_send(line).is_err() {
            return;
        }
    }
}
