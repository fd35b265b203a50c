//! Records: written, read back, replayed, and refused when wrong.

mod command;
mod counting;
mod elsewhere;
mod forging;
mod reading;
mod replaying;

use std::io::Cursor;

use amazons::record::{JsonLines, ReadError, Record, ReplayError, Step};
use amazons::referee::{Event, FaultEvent, LimitsEvent, MoveEvent, Observer, PlayerNumber};
use amazons_rules::Position;

use crate::referee::{Script, a_match, play};

/// The bytes of a record of a game between two scripts.
pub(crate) fn written(scripts: [Script; 2], max_moves: Option<u32>) -> Vec<u8> {
    let game = a_match("q2q/4/4/Q2Q b", PlayerNumber::One, max_moves);
    let (_, events, _) = play(&game, scripts);
    lines(&events, &game.position)
}

fn lines(events: &[Event], position: &Position) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = JsonLines::new(&mut bytes);
    for event in events {
        writer.observe(event, position).expect("memory takes everything");
    }
    bytes
}

fn read(bytes: &[u8]) -> Result<Record, ReadError> {
    Record::read(Cursor::new(bytes))
}

/// The record of a game between two scripts.
fn recorded(scripts: [Script; 2], max_moves: Option<u32>) -> Record {
    read(&written(scripts, max_moves)).expect("our own record")
}

fn honest() -> Record {
    recorded([Script::Honest; 2], None)
}

fn count_moves(record: &Record) -> usize {
    record.steps.iter().filter(|step| matches!(step, Step::Move(_))).count()
}

/// The move at an index of a record's steps.
fn move_of(record: &mut Record, index: usize) -> &mut MoveEvent {
    match &mut record.steps[index] {
        Step::Move(mv) => mv,
        Step::Fault(fault) => panic!("{fault:?}"),
    }
}

/// The limits of a game played here.
fn limits(record: &mut Record) -> &mut LimitsEvent {
    record.start.limits.as_mut().expect("limits")
}

/// The first fault of a record.
fn fault_of(record: &mut Record) -> &mut FaultEvent {
    record
        .steps
        .iter_mut()
        .find_map(|step| match step {
            Step::Fault(fault) => Some(fault),
            Step::Move(_) => None,
        })
        .expect("a fault")
}

/// Changes a record and returns why it no longer verifies.
fn refuted(mut record: Record, change: impl FnOnce(&mut Record)) -> ReplayError {
    record.verify().expect("a true record");
    change(&mut record);
    record.verify().expect_err("a false record")
}
