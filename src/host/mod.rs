//! Runs players: the processes around them, their limits, and the frames between.
//!
//! The life of a player, as [`crate::referee::Seat`] shows it:
//!
//! 1. [`spawn`] or [`spawn_both`] starts the server's executable again, with `__host` as its first argument: [`entry`],
//!    called first thing in `main`, turns that into a player's process. It gives up what a player must not have and reads
//!    the set-up: which library, which graph, which queens, which limits.
//! 2. `load` opens the library. Only from here on does code of the player run, and is the player to blame.
//! 3. `initialize`, `name`, `play`, `finalize` send one [`frame::Request`] each and wait for one [`frame::Reply`], for
//!    the process's end or for the deadline, whichever comes first.
//! 4. Dropping the seat kills the process, with everything that it started in its process group.
//!
//! What a player does wrong is a [`crate::referee::Fault`]; a [`HostError`] is our own failure. Which of the two it is
//! follows from what the kernel says: wait status, clocks, and frames that passed every check.
//!
//! With [`Isolation::None`] the same calls run in the server's own process, without any protection.

mod bytes;
mod c_rand;
mod child;
mod clock;
mod config;
mod error;
pub mod frame;
mod in_process;
mod library;
mod lockdown;
mod needs;
mod process;
mod process_player;
mod setup;
mod stage;
mod start;
mod verdict;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use child::entry;
pub use config::{Limits, SeatConfig};
pub use error::HostError;
pub use frame::TEXT_MAX as NAME_MAX;
pub use in_process::{InProcessPlayer, own_stdout};
pub use library::{LoadError, LoadedPlayer};
pub use process_player::ProcessPlayer;
pub use setup::{SetUp, SetUpError};
pub use start::start;

use crate::referee::Seat;

/// Says what stands between players and the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// Each player has a process of its own for each game.
    #[default]
    Process,
    /// Players run in the server's process: nothing does.
    None,
}

impl fmt::Display for Isolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Process => "process",
            Self::None => "none",
        })
    }
}

/// Prepares one player.
///
/// # Errors
/// When the host fails; a player cannot fail before it is loaded.
pub fn spawn(isolation: Isolation, config: &SeatConfig<'_>) -> Result<Box<dyn Seat>, HostError> {
    Ok(match isolation {
        Isolation::Process => Box::new(ProcessPlayer::start(config)?),
        Isolation::None => Box::new(InProcessPlayer::start(config)?),
    })
}

/// Prepares both players of a game; players in processes of their own already load, at the same time.
///
/// # Errors
/// When the host fails; a player cannot fail before it is loaded.
pub fn spawn_both(
    isolation: Isolation,
    [first, second]: [&SeatConfig<'_>; 2],
) -> Result<[Box<dyn Seat>; 2], HostError> {
    if isolation == Isolation::None {
        return Ok([spawn(isolation, first)?, spawn(isolation, second)?]);
    }
    let mut first = ProcessPlayer::start(first)?;
    let mut second = ProcessPlayer::start(second)?;
    first.begin_load()?;
    second.begin_load()?;
    Ok([Box::new(first), Box::new(second)])
}
