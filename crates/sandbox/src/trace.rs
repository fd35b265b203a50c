//! Translates the addresses of a dying process's report to functions, files and lines.

use std::time::Duration;

use super::notice::NoticeKind;
use super::process::Process;
use super::report::{CrashReport, Frame};
use super::shared_core::Cores;
use super::spec::{ProcessSpec, ProcessTask};
use super::text::printable;
use super::time::Timeouts;

/// The time limit for reading debug information; without it, addresses are shown.
const LIMIT: Duration = Duration::from_secs(2);

/// The memory limit for that.
const MEMORY: u64 = 1 << 30;

/// The index of the player's library in a report, and the name of our own part.
const LIBRARY: u32 = 0;
const SERVER: &str = "server";

/// Describes where a process was, innermost function first, up to our own code's call into the library.
///
/// A line is `FUNCTION at FILE:LINE (LIBRARY+OFFSET)`, as far as known.
#[must_use]
pub fn backtrace(process: &Process, report: &CrashReport) -> Vec<String> {
    let library = printable(process.spec().path.file_name().unwrap_or_default().as_encoded_bytes());
    let module = |frame: &Frame| match usize::try_from(frame.module) {
        Ok(0) => Some(library.as_str()),
        Ok(index) => report.modules.get(index).map(String::as_str),
        Err(_) => None,
    };
    let frames: Vec<&Frame> = report.frames.iter().take_while(|frame| module(frame) != Some(SERVER)).collect();
    let offsets: Vec<u64> = frames.iter().filter(|frame| frame.module == LIBRARY).map(|frame| frame.offset).collect();
    let mut places = locate(process, offsets).into_iter();
    let describe = |frame: &Frame| {
        let place = if frame.module == LIBRARY { places.next() } else { None };
        let Some(module) = module(frame) else {
            return format!("{:#x}, not in any library", frame.offset);
        };
        match place.filter(|place| !place.is_empty()) {
            Some(place) => format!("{place} ({module}+{:#x})", frame.offset),
            None => format!("{module}+{:#x}", frame.offset),
        }
    };
    fold(frames.into_iter().map(describe).collect())
}

/// Finds the source locations of these offsets, if possible, in a process as confined as the library's own: debug
/// information is also foreign.
fn locate(process: &Process, offsets: Vec<u64>) -> Vec<String> {
    let count = offsets.len();
    if count == 0 {
        return Vec::new();
    }
    let spec = ProcessSpec { task: ProcessTask::Locate(offsets), memory: MEMORY, threads: 1, ..process.spec().clone() };
    let Ok(mut process) = Process::start(process.parent(), spec, Cores::All, |_| ()) else {
        return Vec::new();
    };
    let timeouts = Timeouts::wall(LIMIT);
    let mut next = |kind| {
        let notice = process.notice(timeouts).ok()?;
        (notice.kind == kind).then(|| printable(&notice.text))
    };
    if next(NoticeKind::Ready).is_none() {
        return Vec::new();
    }
    std::iter::from_fn(|| next(NoticeKind::Located)).take(count).collect()
}

/// Merges identical consecutive lines, as from a recursion.
fn fold(lines: Vec<String>) -> Vec<String> {
    let mut folded: Vec<String> = Vec::new();
    for run in lines.chunk_by(|a, b| a == b) {
        let [line, rest @ ..] = run else { continue };
        folded.push(line.clone());
        match rest {
            [] => {}
            [again] => folded.push(again.clone()),
            _ => folded.push(format!("the same {} more times", rest.len())),
        }
    }
    folded
}
