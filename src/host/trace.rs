//! From the addresses of a dead player's last words to functions, files and lines.

use std::sync::Arc;
use std::time::Duration;

use sprs::CsMatI;

use super::fork_server::ForkServer;
use super::frame::{Outcome, Topic};
use super::process::{Process, Timeouts};
use super::report::{Frame, Report};
use super::resource_watch::{Bounds, Scope};
use super::setup::{ProcessSpec, SetUp, Task};
use crate::text::printable;

/// How long reading debug information may take; without it, addresses must do.
const LIMIT: Duration = Duration::from_secs(2);

/// How much memory that may take.
const MEMORY: u64 = 1 << 30;

/// The number of the player's library in a report, and the name of the server's own part.
const PLAYER: u32 = 0;
const SERVER: &str = "server";

/// Looks up places in the player's library, in a process as confined as the player's own: debug information is the
/// player's work, too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tracer<'a> {
    pub(super) parent: &'a Arc<ForkServer>,
    pub(super) orders: &'a ProcessSpec,
}

impl Tracer<'_> {
    /// Describes where a process was, innermost function first, up to where the server had called the player.
    ///
    /// A line is `FUNCTION at FILE:LINE (LIBRARY+OFFSET)`, or as much of it as is known.
    pub(super) fn backtrace(&self, report: &Report) -> Vec<String> {
        let player = printable(self.orders.path.file_name().unwrap_or_default().as_encoded_bytes());
        let module = |frame: &Frame| match usize::try_from(frame.module) {
            Ok(0) => Some(player.as_str()),
            Ok(index) => report.modules.get(index).map(String::as_str),
            Err(_) => None,
        };
        let frames: Vec<&Frame> = report.frames.iter().take_while(|frame| module(frame) != Some(SERVER)).collect();
        let offsets: Vec<u64> =
            frames.iter().filter(|frame| frame.module == PLAYER).map(|frame| frame.offset).collect();
        let mut places = self.locate(offsets).into_iter();
        let describe = |frame: &Frame| {
            let place = if frame.module == PLAYER { places.next() } else { None };
            let Some(module) = module(frame) else {
                return format!("{:#x}, which belongs to no library", frame.offset);
            };
            match place.filter(|place| !place.is_empty()) {
                Some(place) => format!("{place} ({module}+{:#x})", frame.offset),
                None => format!("{module}+{:#x}", frame.offset),
            }
        };
        fold(frames.into_iter().map(describe).collect())
    }

    /// Names the places of these offsets, as far as that succeeds.
    fn locate(&self, offsets: Vec<u64>) -> Vec<String> {
        let count = offsets.len();
        if count == 0 {
            return Vec::new();
        }
        let orders = ProcessSpec { task: Task::Locate(offsets), data_limit: MEMORY, ..self.orders.clone() };
        let set_up = SetUp::encode(&orders, CsMatI::zero((0, 0)).view(), [&[], &[]]);
        let Ok(mut process) =
            Process::start(self.parent, set_up, 0, Bounds { memory: MEMORY, threads: 1, scope: Scope::Process })
        else {
            return Vec::new();
        };
        let timeouts = Timeouts::wall(LIMIT);
        let mut next = |sequence, topic, outcome| {
            let reply = process.receive(timeouts).ok()?;
            (reply.check(sequence, topic).is_ok() && reply.outcome == outcome).then(|| printable(&reply.text))
        };
        if next(0, Topic::SetUp, Outcome::Ready).is_none() {
            return Vec::new();
        }
        (1..).map_while(|sequence| next(sequence, Topic::Place, Outcome::Located)).take(count).collect()
    }
}

/// Tells lines that follow each other and are the same, as those of a recursion, only once.
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
