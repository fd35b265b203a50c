use std::io::Write;

use amazons_program::Exit;
use cluedo::deck::KINDS;

/// Prints a line for each card: number, type, English and French name.
pub(crate) fn run(out: &mut impl Write) -> Result<Exit, Exit> {
    for kind in KINDS {
        for card in kind.cards() {
            writeln!(out, "{:2}  {:8} {:16} {}", card.number(), kind.to_string(), card.name(), card.french())?;
        }
    }
    Ok(Exit::Success)
}
