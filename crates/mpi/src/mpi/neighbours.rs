//! Ranks on the same machine: the list of processes shows that they have ended, long before a timeout would.

use std::fs;
use std::io::ErrorKind;
use std::process;
use std::time::{Duration, Instant};

use crate::message::{Message, TAG_MAX, Tag};

/// The tag of greetings.
pub(crate) const GREETING: Tag = TAG_MAX + 3;

/// How often to look for a process.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How long the last messages of a process that has ended may take to arrive.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// The ranks that have sent a greeting from this machine.
#[derive(Debug)]
pub(crate) struct Neighbours(Vec<Option<Neighbour>>);

#[derive(Debug)]
struct Neighbour {
    process: u32,
    /// The kernel's time of its start, which tells it from a later process with the same number.
    started: u64,
    looked: Instant,
    /// When its end was noticed.
    ended: Option<Instant>,
}

/// Returns what others need to find this process, if the kernel tells it: the machine, the number and the start.
pub(crate) fn greeting() -> Option<Vec<u8>> {
    let number = process::id();
    let State::Running(started) = state(number) else { return None };
    Some(format!("{} {number} {started}", machine()?).into_bytes())
}

/// Returns what all processes of this machine, and no others, have in common; containers are machines of their own.
fn machine() -> Option<String> {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let numbering = fs::read_link("/proc/self/ns/pid").ok()?;
    Some(format!("{} {}", boot.trim(), numbering.display()))
}

impl Neighbours {
    /// Makes a list for `size` ranks, none of them known yet.
    pub(crate) fn new(ranks: usize) -> Self {
        Self((0..ranks).map(|_| None).collect())
    }

    /// Reads a greeting, perhaps after its sender has ended. One from another machine is ignored.
    pub(crate) fn meet(&mut self, message: &Message) {
        let text = String::from_utf8_lossy(&message.bytes);
        let mut words = text.rsplitn(3, ' ');
        let mut number = || words.next().and_then(|word| word.parse::<u64>().ok());
        let (Some(started), Some(process)) = (number(), number().and_then(|number| u32::try_from(number).ok())) else {
            return;
        };
        if let Some(place) = self.0.get_mut(message.from)
            && words.next().is_some_and(|own| machine().as_deref() == Some(own))
        {
            *place = Some(Neighbour { process, started, looked: Instant::now(), ended: None });
        }
    }

    /// Returns whether a rank is known to have ended, and has had time for its last messages.
    pub(crate) fn is_gone(&mut self, rank: usize) -> bool {
        let Some(Some(it)) = self.0.get_mut(rank) else { return false };
        if it.ended.is_none() && it.looked.elapsed() >= LOOK_EVERY {
            it.looked = Instant::now();
            let is_there = match state(it.process) {
                State::Running(started) => started == it.started,
                State::Ended => false,
                State::Unknown => true,
            };
            it.ended = (!is_there).then_some(it.looked);
        }
        it.ended.is_some_and(|at| at.elapsed() >= LAST_WORDS)
    }
}

/// The state of a process, as the kernel reports it.
#[derive(Debug, PartialEq, Eq)]
enum State {
    /// It was started at this time.
    Running(u64),
    Ended,
    Unknown,
}

fn state(process: u32) -> State {
    let stat = match fs::read_to_string(format!("/proc/{process}/stat")) {
        Ok(stat) => stat,
        Err(error) if error.kind() == ErrorKind::NotFound => return State::Ended,
        Err(_) => return State::Unknown,
    };
    // The name in brackets may hold anything; the third word is the state, the 22nd the start.
    let words: Vec<&str> = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
    match (words.first(), words.get(19).and_then(|word| word.parse().ok())) {
        (Some(&("Z" | "X")), _) => State::Ended,
        (Some(_), Some(started)) => State::Running(started),
        _ => State::Unknown,
    }
}
