//! One game with scripted players: turns, legality, endings, reports.

mod endings;
mod events;
mod scripted;

pub(crate) use scripted::{Collected, Script, Scripted, a_match, play};
