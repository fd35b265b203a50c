//! Standings as files: one format each.

mod csv;
mod games;
mod html;
mod plots;
mod text;

pub(in crate::tournament) use amazons_formats::escape_xml as escaped;
pub use csv::csv;
pub(in crate::tournament) use csv::field;
pub use games::games_csv;
pub(in crate::tournament) use html::STYLE;
pub use html::{PAIRS_SHOWN, PairLink, html};
pub(in crate::tournament) use plots::{Bar, bars_of};
pub use text::text;
pub(in crate::tournament) use text::{cells, table};

use crate::tournament::{Standings, Timing};

/// What all formats are made of.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The name of the event.
    pub title: &'a str,
    /// What was played, in words.
    pub subtitle: &'a str,
    /// The tables.
    pub standings: &'a Standings,
    /// What depends on time; none for standings that were computed from several journals.
    pub timing: Option<&'a Timing>,
}

/// Returns standings as JSON, without anything that depends on time.
#[must_use]
pub fn json(standings: &Standings) -> String {
    let mut text = serde_json::to_string_pretty(standings).unwrap_or_default();
    text.push('\n');
    text
}
