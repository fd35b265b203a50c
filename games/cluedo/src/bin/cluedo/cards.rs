use std::io::Write;

use amazons_program::Exit;
use cluedo::card_names::CardNames;

/// Prints a line for each card: number, type, English and French name.
pub(crate) fn run(out: &mut impl Write) -> Result<Exit, Exit> {
    let CardNames { deck, kinds, .. } = CardNames::classic();
    for card in deck.all().iter() {
        let names = CardNames::classic().names(card);
        writeln!(out, "{card:2}  {:8} {:16} {}", kinds[deck.kind(card)], names[0], names[1])?;
    }
    Ok(Exit::Success)
}
