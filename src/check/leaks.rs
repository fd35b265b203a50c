//! Looks for leaks and invalid accesses with valgrind, if installed.
//!
//! The game runs in one process outside the sandbox, where valgrind can work.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use amazons_rules::Directions;
use rustix::fs::{MemfdFlags, memfd_create};

use super::finding::Finding;

/// Valgrind slows a player down about fifty times.
const LIMIT: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(20);

const SIZE: &str = "5";
const MAX_MOVES: &str = "6";

/// The source file whose functions allocate the player's memory.
const HANDOVER_FILE: &str = "handover.rs";
/// The name under which the server opens a library a second time.
const SECOND_COPY: &str = "memfd:amazons-player";

const REPORT_END: &str = "</valgrindoutput>";
/// Longer reports are truncated.
const REPORT_MAX: u64 = 16 << 20;

/// How to look for memory that a player does not free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeakSearch {
    /// Compare its process's memory in use, in the sandbox.
    Counting,
    /// Also use valgrind, which sees each block and each access, outside the sandbox.
    Valgrind,
}

/// Plays a few moves of the player against itself under valgrind.
pub(super) fn look(player: &Path, directions: Directions, seed: u64) -> io::Result<Finding> {
    let server = std::env::current_exe()?;
    // Inherited by valgrind, which writes to it; it disappears afterwards.
    let mut report = File::from(memfd_create("check-report", MemfdFlags::empty())?);
    let child = Command::new("valgrind")
        .args(["--leak-check=full", "--show-leak-kinds=definite,indirect", "--num-callers=30", "--xml=yes"])
        .arg(format!("--xml-fd={}", report.as_raw_fd()))
        .arg(server)
        .args(["--isolation", "none", "--quiet", "-m", SIZE, "--max-moves", MAX_MOVES, "--seed"])
        .arg(seed.to_string())
        .args(["--directions", directions.name()])
        .args([player, player])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Finding::skipped("valgrind is not installed"));
        }
        Err(error) => return Ok(Finding::skipped(format!("valgrind cannot be run: {error}"))),
    };
    let end = Instant::now() + LIMIT;
    let status = loop {
        match child.try_wait()? {
            Some(status) => break Some(status),
            None if Instant::now() < end => thread::sleep(PAUSE),
            None => {
                child.kill()?;
                child.wait()?;
                break None;
            }
        }
    };
    let mut text = Vec::new();
    report.rewind()?;
    report.take(REPORT_MAX).read_to_end(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    let errors = errors(&text, &player.canonicalize()?.display().to_string());
    // A truncated report proves nothing.
    let is_whole = text.contains(REPORT_END);
    Ok(judge(player, &errors, status.filter(|_| is_whole)))
}

fn judge(player: &Path, errors: &[Error], status: Option<ExitStatus>) -> Finding {
    let player = player.display();
    let advice = format!("see all: valgrind --leak-check=full server --isolation none -m {SIZE} {player} {player}");
    match (errors, status) {
        ([], None) => Finding::skipped(format!("valgrind did not finish its report within {} s", LIMIT.as_secs())),
        ([], Some(status)) if status.success() => Finding::passed(format!(
            "valgrind saw no leak and no wrong access in {MAX_MOVES} moves, outside the sandbox"
        )),
        ([], Some(status)) => Finding::skipped(format!("the game under valgrind did not finish ({status})")),
        ([first, rest @ ..], _) => {
            let more = if rest.is_empty() { String::new() } else { format!(" (and {} more)", rest.len()) };
            Finding::failed(format!("{}{more}", first.told()), advice)
        }
    }
}

/// An error in valgrind's report.
#[derive(Debug, Default)]
struct Error {
    kind: String,
    what: String,
    /// The innermost place in the player.
    place: Option<String>,
    is_handed_over: bool,
}

impl Error {
    fn told(&self) -> String {
        let what = &self.what;
        match &self.place {
            Some(place) => format!("{what}, in {place}"),
            None => format!("{what}: memory passed to initialize"),
        }
    }
}

/// A line of a stack.
#[derive(Debug, Default)]
struct Frame {
    object: String,
    function: Option<String>,
    file: Option<String>,
    line: Option<String>,
}

impl Frame {
    fn told(self) -> String {
        let function = self.function.unwrap_or_else(|| "?".to_owned());
        match (self.file, self.line) {
            (Some(file), Some(line)) => format!("{function} at {file}:{line}"),
            _ => function,
        }
    }
}

/// Reads valgrind's report, one element per line, and keeps the player's errors.
fn errors(report: &str, player: &str) -> Vec<Error> {
    let mut errors = Vec::new();
    let (mut error, mut frame) = (Error::default(), Frame::default());
    // Later stacks show where a block came from, not the error.
    let (mut stacks, mut is_in_error) = (0, false);
    for line in report.lines().map(str::trim) {
        match line {
            "<error>" => (error, stacks, is_in_error) = (Error::default(), 0, true),
            "</error>" => {
                is_in_error = false;
                let error = std::mem::take(&mut error);
                if error.place.is_some() || (error.kind.starts_with("Leak_") && error.is_handed_over) {
                    errors.push(error);
                }
            }
            "<stack>" => stacks += 1,
            "<frame>" => frame = Frame::default(),
            "</frame>" if is_in_error && stacks == 1 => {
                let frame = std::mem::take(&mut frame);
                error.is_handed_over |= frame.file.as_deref() == Some(HANDOVER_FILE);
                let is_players = frame.object == player || frame.object.contains(SECOND_COPY);
                if is_players && error.place.is_none() {
                    error.place = Some(frame.told());
                }
            }
            _ => match element(line) {
                Some(("kind", text)) => error.kind = text,
                Some(("what" | "text", text)) if error.what.is_empty() => {
                    // Record numbers mean nothing here.
                    error.what = text.split(" in loss record").next().unwrap_or_default().to_owned();
                }
                Some(("obj", text)) => frame.object = text,
                Some(("fn", text)) => frame.function = Some(text),
                Some(("file", text)) => frame.file = Some(text),
                Some(("line", text)) => frame.line = Some(text),
                _ => {}
            },
        }
    }
    errors
}

/// Returns the tag and the text of a one-line element.
fn element(line: &str) -> Option<(&str, String)> {
    let (tag, rest) = line.strip_prefix('<')?.split_once('>')?;
    let text = rest.strip_suffix('>')?.strip_suffix(tag)?.strip_suffix("</")?;
    Some((tag, text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")))
}
