//! Where games start: boards by name, positions from files.

use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use amazons_formats::{BoardName, UnknownBoard};
use amazons_program::files::read_file;
use amazons_rules::Position;

use super::PlanError;

const OPENINGS_MAX: usize = 100_000;
const OPENING_FILE_MAX: u64 = 32 << 20;

/// Returns the starting position on a board by its name.
pub(super) fn board_of(name: &str) -> Result<Position, PlanError> {
    match name {
        "standard" => Ok(Position::standard()),
        _ => {
            let refuse = |error: &dyn Display| PlanError(format!("boards: {error}"));
            let name: BoardName = name.parse().map_err(|error: UnknownBoard| refuse(&error))?;
            Ok(Position::start(Arc::new(name.build().map_err(|error| refuse(&error))?)))
        }
    }
}

/// Returns the start of a game by the board's name; a rectangle has queens only when it is a square.
pub(in crate::tournament) fn start_of(name: &str) -> Result<Position, PlanError> {
    let position = board_of(name)?;
    if !position.has_moves() {
        return Err(PlanError(format!("boards: no player can move at the start on {name}")));
    }
    Ok(position)
}

/// Reads position texts, one a line; empty lines and those that begin with '#' are left out.
pub(super) fn read_openings(path: &Path) -> Result<Vec<String>, PlanError> {
    let unreadable = |error| PlanError(format!("cannot read {}: {error}", path.display()));
    let text = read_file(path, OPENING_FILE_MAX).map_err(unreadable)?;
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let texts: Vec<(usize, &str)> = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).collect();
    let wrong = |line, reason: String| PlanError(format!("{}: line {line}: {reason}", path.display()));
    match texts.len() {
        0 => return Err(wrong(1, "there is no position in it".to_owned())),
        count if count > OPENINGS_MAX => return Err(wrong(1, format!("more than {OPENINGS_MAX} positions"))),
        _ => {}
    }
    for &(line, text) in &texts {
        // The shape is not known here; text that is invalid on a rectangle is invalid on every shape.
        if let Err(error) = Position::parse(text) {
            return Err(wrong(line, error.to_string()));
        }
    }
    Ok(texts.into_iter().map(|(_, text)| text.to_owned()).collect())
}
