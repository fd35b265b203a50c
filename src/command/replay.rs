use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;

use anyhow::Context;

use crate::command::Exit;
use crate::record::Record;
use crate::referee::{Event, Observer};
use crate::terminal::{Boards, Narrator, Palette};
use crate::text::error_chain;

/// Checks a record, and tells the game again unless told to be quiet.
pub(super) fn run(path: &Path, quiet: bool, out: &mut impl Write) -> anyhow::Result<Exit> {
    let name = path.display();
    let file = match open(path) {
        Ok(file) => file,
        Err(error) => return Ok(Exit::usage(format_args!("cannot read {name}: {error}"))),
    };
    let record = match Record::read(BufReader::new(file)) {
        Ok(record) => record,
        Err(error) => return Ok(Exit::usage(format_args!("{name}: {}", error_chain(&error)))),
    };
    if let Err(error) = record.verify() {
        return Ok(Exit::Refuted(format!("{name}: {error}")));
    }
    if !quiet {
        tell(record, out).context("cannot write the game")?;
    }
    Ok(Exit::Success)
}

/// Opens a file that is one: a folder has no lines, and a pipe without a writer never ends.
fn open(path: &Path) -> io::Result<File> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    File::open(path)
}

fn tell(record: Record, out: &mut impl Write) -> io::Result<()> {
    let mut position = record.starting_position().map_err(io::Error::other)?;
    let mut narrator = Narrator::new(&mut *out, Palette::Plain, Boards::Ends);
    narrator.observe(&Event::Start(Box::new(record.start)), &position)?;
    for mv in record.moves {
        position.play_unchecked(mv.played());
        narrator.observe(&Event::Move(mv), &position)?;
    }
    for fault in record.faults {
        narrator.observe(&Event::Fault(fault), &position)?;
    }
    narrator.observe(&Event::End(record.end), &position)?;
    writeln!(out, "verified: the moves follow the rules, and the end follows from them")
}
