use std::fs;
use std::io::{self, Write};
use std::path::Path;

use amazons_formats::{Format, Look, Shading};
use amazons_program::files::{write_new, write_whole};
use anyhow::Context;

use crate::cli::ConvertArgs;
use crate::command::Exit;
use crate::command::games::{STANDARD, Source, by_name, by_path, cut, read};
use crate::record::Record;
use crate::text::error_chain;

/// Writes a game in another format.
pub(super) fn run(args: &ConvertArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    let bytes = converted(args)?;
    if args.output.as_os_str() == STANDARD {
        out.write_all(&bytes).context("cannot write the game")?;
        return Ok(Exit::Success);
    }
    let path = args.output.display();
    let written = match fs::metadata(&args.output) {
        Ok(found) if args.force && !found.is_file() => Err(io::Error::other("it is there and is not a regular file")),
        _ if args.force => write_whole(&args.output, &bytes),
        _ => write_new(&args.output, &bytes),
    };
    Ok(match written {
        Ok(()) => Exit::Success,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => exists(&args.output),
        Err(error) => Exit::usage(format_args!("cannot write {path}: {error}")),
    })
}

fn exists(path: &Path) -> Exit {
    let path = path.display();
    Exit::usage(format_args!("{path} exists, and nothing is overwritten: name another file, or add --force"))
}

/// Returns what is to be written, or what is wrong with what was asked for.
fn converted(args: &ConvertArgs) -> Result<Vec<u8>, Exit> {
    let is_standard = args.output.as_os_str() == STANDARD;
    let format = match &args.to {
        Some(name) => by_name("--to", name)?,
        None if is_standard => return Err(Exit::usage("--to FORMAT is needed when the game goes to standard output")),
        None => by_path(&args.output).ok_or_else(|| {
            Exit::usage(format_args!("cannot tell the format from '{}': add --to FORMAT", args.output.display()))
        })?,
    };
    let look = look(args, format)?;
    if !is_standard && !args.force && args.output.exists() {
        return Err(exists(&args.output));
    }
    let source = read(&args.input, args.from.as_deref(), args.game)?;
    if format.name == "json" && source.format.name == "json" && args.ply.is_none() {
        return rewritten(&source, args.game);
    }
    let game = cut(source.game, &source.name, args.ply)?;
    format.write(&game, &look).map_err(|error| Exit::usage(format_args!("{}: {error}", source.name)))
}

/// Refuses options that this format has no use for.
fn look(args: &ConvertArgs, format: Format) -> Result<Look, Exit> {
    let given = [
        ("--size", args.size.is_some(), &["svg", "png", "gif"][..]),
        ("--territory", args.territory, &["svg", "png", "gif"][..]),
        ("--delay", args.delay.is_some(), &["gif"][..]),
    ];
    for (option, is_given, formats) in given {
        if is_given && !formats.contains(&format.name) {
            let (name, formats) = (format.name, formats.join(", "));
            return Err(Exit::usage(format_args!("{option} has no effect on {name}: it is for {formats}")));
        }
    }
    let usual = Look::default();
    Ok(Look {
        size: args.size.unwrap_or(usual.size),
        delay_ms: args.delay.unwrap_or(usual.delay_ms),
        shading: if args.territory { Shading::Territory } else { Shading::None },
    })
}

/// Writes a record again, with everything that only records have.
fn rewritten(source: &Source, number: Option<u32>) -> Result<Vec<u8>, Exit> {
    let failed = |reason: String| Exit::usage(format_args!("{}: {reason}", source.name));
    let read = Record::read_game(&source.bytes[..], number.unwrap_or(1) as usize);
    let (record, _) = read.map_err(|error| failed(error_chain(&error)))?;
    record.into_lines().map_err(|error| failed(error.to_string()))
}
