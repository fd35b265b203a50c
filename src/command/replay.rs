use std::io::{self, BufReader, Write};
use std::path::Path;

use anyhow::Context;

use crate::command::Exit;
use crate::command::files::verified;
use crate::files::open;
use crate::record::{Record, Step};
use crate::referee::{Event, Observer};
use crate::terminal::{Boards, Narrator, Palette};

/// Checks a record, and tells the game again unless told to be quiet.
pub(super) fn run(path: &Path, quiet: bool, out: &mut impl Write) -> anyhow::Result<Exit> {
    let name = path.display();
    let file = match open(path) {
        Ok(file) => file,
        Err(error) => return Ok(Exit::usage(format_args!("cannot read {name}: {error}"))),
    };
    let record = match verified(&name, BufReader::new(file)) {
        Ok(record) => record,
        Err(exit) => return Ok(exit),
    };
    if !quiet {
        tell(record, out).context("cannot write the game")?;
    }
    Ok(Exit::Success)
}

fn tell(record: Record, out: &mut impl Write) -> io::Result<()> {
    let mut position = record.starting_position().map_err(io::Error::other)?;
    let mut narrator = Narrator::new(&mut *out, Palette::Plain, Boards::Ends);
    narrator.observe(&Event::Start(Box::new(record.start)), &position)?;
    for step in record.steps {
        if let Step::Move(mv) = &step {
            position.play_unchecked(mv.played());
        }
        narrator.observe(&step.into(), &position)?;
    }
    narrator.observe(&Event::End(record.end), &position)?;
    writeln!(out, "verified: the moves follow the rules, and the end follows from them")
}
