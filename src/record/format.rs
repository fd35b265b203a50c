use amazons_formats::{CannotWrite, Format, Found, Game, Look, ReadError};

use crate::record::{self, Record};
use crate::text::error_chain;

/// Records as a game format.
pub const RECORD_FORMAT: Format =
    Format { name: "json", extensions: &["jsonl", "json"], writer: write, reader: Some(read) };

fn write(game: &Game, _: &Look) -> Result<Vec<u8>, CannotWrite> {
    Record::from(game).into_lines().map_err(|error| CannotWrite::Other(error.to_string()))
}

fn read(bytes: &[u8], number: usize) -> Result<Found, ReadError> {
    let (record, games) = Record::read_game(bytes, number).map_err(|error| {
        let (line, column) = error.place();
        // The place is reported separately.
        let message = match &error {
            record::ReadError::Json { reason, .. } => reason.clone(),
            other => {
                let text = error_chain(other);
                let rest = text.strip_prefix(&format!("line {line}: ")).map(str::to_owned);
                rest.unwrap_or(text)
            }
        };
        ReadError { line, column, message }
    })?;
    let game = Game::try_from(&record);
    let game = game.map_err(|error| ReadError { line: 1, column: 1, message: error.to_string() })?;
    Ok(Found { game, games })
}
