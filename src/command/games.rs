//! Games in any format, found and read.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, Read};
use std::path::Path;

use amazons_formats::{FORMATS, Format, Game, PGN, REPLAY, by_extension};
use amazons_program::files::{open, read_bytes};

use crate::command::Exit;
use crate::complain;
use crate::record::{RECORD_FORMAT, begins_with_event};

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
pub(super) fn read(path: &Path, from: Option<&str>, number: Option<u32>) -> Result<Source, Exit> {
    let told = from.map(|name| by_name("--from", name)).transpose()?;
    let (name, bytes) = load(path)?;
    let format = format_of(path, told, &bytes);
    let game = parse(&name, &bytes, format, number)?;
    Ok(Source { name, bytes, format, game })
}

/// Reads all games of a file or of standard input, whose name for messages comes first.
pub(super) fn read_games(path: &Path) -> Result<(String, Vec<Game>), Exit> {
    let (name, bytes) = load(path)?;
    let format = format_of(path, None, &bytes);
    let mut games = Vec::new();
    loop {
        let (game, count) = found(&name, &bytes, format, games.len() + 1)?;
        games.push(game);
        if games.len() >= count {
            return Ok((name, games));
        }
    }
}

/// Returns the format that was told, or that of the file's name, or that of its beginning.
fn format_of(path: &Path, told: Option<Format>, bytes: &[u8]) -> Format {
    let by_name = by_path(path).filter(|_| path.as_os_str() != STANDARD);
    let format = told.or(by_name).unwrap_or_else(|| by_beginning(bytes));
    if format.name == RECORD_FORMAT.name && !begins_with_event(bytes) { REPLAY } else { format }
}

/// Reads the whole text of a file or of standard input, and returns its name for messages, too.
pub(super) fn load(path: &Path) -> Result<(String, Vec<u8>), Exit> {
    let is_standard = path.as_os_str() == STANDARD;
    let name = if is_standard { "standard input".to_owned() } else { path.display().to_string() };
    let bytes = if is_standard { read_all(io::stdin().lock()) } else { open(path).and_then(read_all) };
    let bytes = bytes.map_err(|error| Exit::usage(format_args!("cannot read {name}: {error}")))?;
    Ok((name, bytes))
}

/// Reads a game in a format: the first, with a note if there are several, or the one that the user names.
pub(super) fn parse(name: &impl Display, bytes: &[u8], format: Format, number: Option<u32>) -> Result<Game, Exit> {
    let (game, games) = found(name, bytes, format, number.unwrap_or(1) as usize)?;
    note_games(name, number, games);
    Ok(game)
}

/// Reads the game of a number, and the number of games.
fn found(name: &impl Display, bytes: &[u8], format: Format, number: usize) -> Result<(Game, usize), Exit> {
    let Some(reader) = format.reader else {
        return Err(Exit::usage(format_args!(
            "{name}: {} is for looking at, and no game can be read from it",
            format.name
        )));
    };
    let found = reader(bytes, number).map_err(|error| Exit::usage(format_args!("{name}: {error}")))?;
    Ok((found.game, found.games))
}

/// Notes which of several games was read, unless the user named it.
pub(super) fn note_games(name: &impl Display, number: Option<u32>, games: usize) {
    if number.is_none() && games > 1 {
        complain(&format!("{name} holds {games} games: this is the first, --game N takes another"));
    }
}

/// Cuts a game off where the user says.
pub(super) fn cut(game: Game, name: &impl Display, ply: Option<u32>) -> Result<Game, Exit> {
    let Some(ply) = ply else { return Ok(game) };
    let moves = game.moves().len();
    let kept = usize::try_from(ply).ok().and_then(|ply| game.until(ply));
    kept.ok_or_else(|| Exit::usage(format_args!("--ply {ply}: the game in {name} has {moves} moves")))
}

/// Reads the text of a game.
pub(super) fn read_all(source: impl Read) -> io::Result<Vec<u8>> {
    read_bytes(source, SIZE_MAX)
}

/// Recognises a format by its first character; anything else is tried as a position.
pub(super) fn by_beginning(bytes: &[u8]) -> Format {
    let text = bytes.trim_ascii_start();
    match text.first() {
        Some(b'{') => RECORD_FORMAT,
        Some(b'(') => amazons_formats::SGF,
        // A tag has a name; anything else is JSON.
        Some(b'[') if text[1..].trim_ascii_start().first().is_some_and(u8::is_ascii_alphabetic) => PGN,
        Some(b'[') => RECORD_FORMAT,
        Some(b'0'..=b'9') if text.iter().find(|byte| !byte.is_ascii_digit()) == Some(&b'.') => PGN,
        _ => amazons_formats::POSITION_TEXT,
    }
}
