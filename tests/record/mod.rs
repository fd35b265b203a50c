//! Records: written, read back, replayed, and refused when they are wrong.

mod reading;
mod replaying;

use std::io::Cursor;

use amazons::record::{JsonLines, ReadError, Record};
use amazons::referee::{Event, Observer, PlayerNumber};
use amazons_rules::Position;

use crate::referee::{Script, a_match, play};

/// The bytes of a record of a game between two scripts.
fn written(scripts: [Script; 2], max_moves: Option<u32>) -> Vec<u8> {
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
