//! Results that are shipped.

use amazons_formats::color::named;
use amazons_rules::{Color, Move, Position};

/// Returns the winner of a position and a move that wins, if the result is shipped.
pub(crate) fn known(position: &Position) -> Option<(Color, Option<Move>)> {
    let text = position.to_string();
    let line = include_str!("known.txt").lines().find(|line| {
        let start = line.split('\t').next().unwrap_or_default();
        text.strip_prefix(start).is_some_and(|rest| rest.starts_with(" - "))
    })?;
    let mut words = line.split('\t').skip(1);
    Some((named(words.next()?).ok()?, position.board().parse_move(words.next()?).ok()))
}
