//! How many players an event has, and how they are called.

/// Fewer players than this make no event; more are a typing error.
pub(super) const PLAYERS: std::ops::RangeInclusive<usize> = 2..=1000;

/// The longest name of a player.
pub(super) const NAME_MAX: usize = 40;

/// Returns whether something can stand in a table and in a file's name.
pub(in crate::tournament) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().count() <= NAME_MAX && text.chars().all(is_plain)
}

/// Returns the rule for names, for messages.
pub(crate) fn name_rule() -> String {
    format!("use letters, digits, '.', '-' and '_', at most {NAME_MAX}")
}

pub(super) fn is_plain(letter: char) -> bool {
    letter.is_alphanumeric() || ".-_".contains(letter)
}
