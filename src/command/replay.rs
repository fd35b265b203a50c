use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;

use anyhow::Context;

use crate::command::Exit;
use crate::record::Record;
use crate::terminal::{Palette, draw_board};
use crate::text::{error_chain, printable};

/// Plays a record again, and shows the end unless told to be quiet.
pub(super) fn run(path: &Path, quiet: bool, out: &mut impl Write) -> anyhow::Result<Exit> {
    let name = path.display();
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) => return Ok(Exit::usage(format_args!("cannot read {name}: {error}"))),
    };
    let record = match Record::read(BufReader::new(file)) {
        Ok(record) => record,
        Err(error) => return Ok(Exit::usage(format_args!("{name}: {}", error_chain(&error)))),
    };
    let position = match record.verify() {
        Ok(position) => position,
        Err(error) => return Ok(Exit::Refuted(format!("{name}: {error}"))),
    };
    if !quiet {
        let last = record.moves.last().map(crate::referee::MoveEvent::played);
        let winner = record.end.winner.map_or_else(
            || "nobody wins".to_owned(),
            |winner| {
                let name = record.start.players[winner].name.as_deref().unwrap_or("no name");
                format!("{winner} ({}) wins", printable(name.as_bytes()))
            },
        );
        writeln!(
            out,
            "{}verified: {} moves, {}, {winner}",
            draw_board(&position, last, Palette::Plain),
            record.end.moves,
            record.end.termination
        )
        .context("cannot write the result")?;
    }
    Ok(Exit::Success)
}
