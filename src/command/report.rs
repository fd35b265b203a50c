use std::io::Write;
use std::path::Path;

use anyhow::Context;

use crate::command::Exit;
use crate::command::event::refused;
use crate::publish::publish;
use crate::tournament::EventError;

/// Publishes an event, a ladder or a course.
pub(super) fn run(source: &Path, out_folder: &Path, out: &mut impl Write) -> anyhow::Result<Exit> {
    let usage = |error: anyhow::Error| error.downcast::<EventError>().map_or_else(|error| error, refused);
    let [games, played] = publish(source, out_folder).map_err(usage)?;
    let without = match played - games {
        0 => String::new(),
        without => format!("; {without} more have no record"),
    };
    let index = out_folder.join("index.html");
    writeln!(out, "{} shows {games} games{without}", index.display()).context("cannot write")?;
    Ok(Exit::Success)
}
