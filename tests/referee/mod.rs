//! One game with players that follow a script: whose turn, what is legal, how it ends, what is reported.

mod endings;
mod events;
mod scripted;

pub(crate) use scripted::{Collected, Script, Scripted, a_match, play};
