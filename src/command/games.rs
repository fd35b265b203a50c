//! Games in any format, found and read.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, Read};
use std::path::Path;

use amazons_formats::{FORMATS, Format, Game, by_extension};

use crate::command::Exit;
use crate::files::open;
use crate::record::RECORD_FORMAT;

/// The largest game that is read.
const SIZE_MAX: u64 = 64 << 20;

/// Stands for standard input or output.
pub(super) const STANDARD: &str = "-";

/// A game as it was read.
pub(super) struct Source {
    /// The file, for messages.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) format: Format,
    pub(super) game: Game,
}

/// Finds the format that a file's name ends with.
pub(super) fn by_path(path: &Path) -> Option<Format> {
    let extension = path.extension().and_then(OsStr::to_str)?;
    let is_record = RECORD_FORMAT.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension));
    if is_record { Some(RECORD_FORMAT) } else { by_extension(extension) }
}

/// Finds the format of a name that was typed.
pub(super) fn by_name(option: &str, name: &str) -> Result<Format, Exit> {
    let found = if name == RECORD_FORMAT.name { Some(RECORD_FORMAT) } else { amazons_formats::by_name(name) };
    found.ok_or_else(|| {
        let names: Vec<&str> = std::iter::once(RECORD_FORMAT.name).chain(FORMATS.map(|format| format.name)).collect();
        Exit::usage(format_args!("{option}: unknown format '{name}': use {}", names.join(", ")))
    })
}

/// Reads a game from a file or standard input; without a format, by the file's name or by how it begins.
pub(super) fn read(path: &Path, from: Option<&str>) -> Result<Source, Exit> {
    let told = from.map(|name| by_name("--from", name)).transpose()?;
    let is_standard = path.as_os_str() == STANDARD;
    let name = if is_standard { "standard input".to_owned() } else { path.display().to_string() };
    let failed = |error: io::Error| Exit::usage(format_args!("cannot read {name}: {error}"));
    let bytes =
        if is_standard { read_all(io::stdin().lock()) } else { open(path).and_then(read_all) }.map_err(failed)?;
    let by_name = by_path(path).filter(|_| !is_standard);
    let format = told.or(by_name).unwrap_or_else(|| by_beginning(&bytes));
    let game = parse(&name, &bytes, format)?;
    Ok(Source { name, bytes, format, game })
}

/// Reads a game in a format.
pub(super) fn parse(name: &impl Display, bytes: &[u8], format: Format) -> Result<Game, Exit> {
    let Some(reader) = format.reader else {
        return Err(Exit::usage(format_args!(
            "{name}: {} is for looking at, and no game can be read from it",
            format.name
        )));
    };
    reader(bytes).map_err(|error| Exit::usage(format_args!("{name}: {error}")))
}

/// Cuts a game off where the user says.
pub(super) fn cut(game: Game, name: &impl Display, ply: Option<u32>) -> Result<Game, Exit> {
    let Some(ply) = ply else { return Ok(game) };
    let moves = game.moves().len();
    let kept = usize::try_from(ply).ok().and_then(|ply| game.until(ply));
    kept.ok_or_else(|| Exit::usage(format_args!("--ply {ply}: the game in {name} has {moves} moves")))
}

pub(super) fn read_all(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(SIZE_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > SIZE_MAX {
        return Err(io::Error::other(format!("it is larger than {} MiB, which no game is", SIZE_MAX >> 20)));
    }
    Ok(bytes)
}

/// Recognises a format by its first character; anything else is tried as a position.
pub(super) fn by_beginning(bytes: &[u8]) -> Format {
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
    match text.first() {
        Some(b'{') => RECORD_FORMAT,
        Some(b'(') => amazons_formats::SGF,
        Some(b'[') => amazons_formats::PGN,
        _ => amazons_formats::POSITION_TEXT,
    }
}
