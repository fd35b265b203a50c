use std::fmt::Display;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use amazons_program::files::{open, text};
use anyhow::Context;

use crate::command::Exit;
use crate::command::games::note_games;
use crate::record::{ReadError, Record, Step};
use crate::referee::{Event, Observer};
use crate::terminal::{Boards, Narrator, Palette};
use crate::text::error_chain;

/// Checks a record, and shows the game again unless `quiet`.
pub(super) fn run(path: &Path, number: Option<u32>, quiet: bool, out: &mut impl Write) -> anyhow::Result<Exit> {
    let name = path.display();
    let file = open(path).and_then(|file| text(BufReader::new(file)));
    let file = file.map_err(|error| Exit::usage(format_args!("cannot read {name}: {error}")))?;
    let record = verified(&name, file, number)?;
    if !quiet {
        tell(record, out).context("cannot write the game")?;
    }
    Ok(Exit::Success)
}

/// Reads a record and checks it by the rules.
pub(super) fn verified(name: &impl Display, source: impl BufRead, number: Option<u32>) -> Result<Record, Exit> {
    let (record, games) = Record::read_game(source, number.unwrap_or(1) as usize).map_err(|error| match error {
        ReadError::CutOff(_) => Exit::Refuted(format!("{name}: {error}")),
        error => Exit::usage(format_args!("{name}: {}", error_chain(&error))),
    })?;
    note_games(name, number, games);
    record.verify().map_err(|error| Exit::Refuted(format!("{name}: {error}")))?;
    Ok(record)
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
