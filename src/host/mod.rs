//! Runs players: calls their libraries, each in its own process or in this one, and judges failures.
//!
//! The life of a player, as [`crate::referee::Seat`] shows it:
//!
//! 1. A [`Launcher`] starts the server's executable again, once for many games, with `__host` as its first argument:
//!    [`entry`], called first in `main`, turns that into a [`ForkServer`], which forks a process for each player and
//!    game. Such a process reads its task and limits, then its game ([`SetUp`]), and gives up what a player must not
//!    have. All that is in [`amazons_sandbox`].
//! 2. `load` opens the library. The player's code runs from here on, and only from here on is the player to blame.
//! 3. `initialize`, `name`, `play`, `finalize` send one [`frame::Request`] each and wait for one [`frame::Reply`], for
//!    the end of the process, or for the end of its time or memory, whichever comes first.
//! 4. Dropping the seat kills the process and everything it started.
//!
//! A player's mistake is a [`crate::referee::Fault`]; a [`HostError`] is the host's own failure. Only evidence from the
//! kernel decides between them: wait status, clocks, and frames that passed every check.
//!
//! With [`Isolation::None`] the same calls run in the server's own process, unprotected.

mod border;
mod c_rand;
mod call_order;
mod child;
mod config;
mod dynamic_section;
mod environment;
mod error;
pub mod frame;
mod heap;
mod in_process;
mod launcher;
mod library;
mod load_error;
mod loaded_file;
mod process_player;
mod program;
mod setup;
mod time_account;
mod verdict;

pub use amazons_sandbox::{
    ForkServer, Printed, Probe, SandboxMode, Tail, available_memory, cpu_time_of_all, landlock_error, proc_is_ours,
    seccomp_error, unchanged_user,
};
pub use child::{HOST_MODE, entry};
pub use config::{GameTime, Limits, SeatConfig};
pub use environment::thread_variables;
pub use error::HostError;
pub use frame::TEXT_MAX as NAME_MAX;
pub(crate) use in_process::leave_threads;
pub use in_process::{InProcessPlayer, own_stdout};
pub use launcher::{Launcher, check_limits, fork_server, server, use_server};
pub use library::{LoadError, LoadedPlayer, has_gsl};
pub(crate) use load_error::{clash_advice, clashes};
pub use process_player::ProcessPlayer;
pub use program::Wait;
pub use setup::SetUp;
pub(crate) use time_account::TimeAccount;
pub(crate) use verdict::{UNDEFINED_SYMBOL, beside, missing_functions};

pub use crate::referee::{Clock, Isolation, Pondering};
