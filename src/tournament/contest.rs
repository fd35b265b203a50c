//! A game's description of the event that it is part of.

use std::path::Path;

use super::report::title;
use crate::referee::ContestEvent;

/// Returns the place of a game that begins now in the event of a folder.
pub(super) fn contest(folder: &Path, pair: u32, game: u8) -> ContestEvent {
    ContestEvent { event: title(folder), round: round_of(pair, game), date: date_of(since_1970()) }
}

/// The round of a game in its event.
pub(super) fn round_of(pair: u32, game: u8) -> String {
    format!("{pair}.{game}")
}

/// The day of a time in seconds since 1970, in UTC: `2026-01-31`.
fn date_of(seconds: u64) -> String {
    // Years begin in March, so that a leap day is the last one (Howard Hinnant, "chrono-compatible low-level date
    // algorithms").
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    format!("{:04}-{month:02}-{day:02}", 400 * era + year + u64::from(month <= 2))
}

/// Returns the seconds since 1970.
pub(crate) fn since_1970() -> u64 {
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    time.map_or(0, |time| time.as_secs())
}
