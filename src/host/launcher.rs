use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use amazons_sandbox::{ForkServer, limits_objection};

use super::Isolation;
use super::child::HOST_MODE;
use super::config::SeatConfig;
use super::error::HostError;
use super::in_process::InProcessPlayer;
use super::process_player::ProcessPlayer;
use crate::referee::Seat;

/// Prepares players, one game after another.
#[derive(Clone, Debug)]
pub enum Launcher {
    /// Each player in its own process.
    Processes(Arc<ForkServer>),
    /// All players in this process.
    InProcess,
}

/// The server's executable, where this process is another program.
static SERVER: OnceLock<PathBuf> = OnceLock::new();

/// Sets the server's executable for a process that is another program; the first call counts.
pub fn use_server(executable: &Path) {
    SERVER.get_or_init(|| executable.to_owned());
}

/// Returns the server's executable, beside which the bundled players are.
pub fn server() -> PathBuf {
    SERVER.get().cloned().or_else(|| env::current_exe().ok()).unwrap_or_default()
}

/// Starts the server's executable, usually this one, as the parent of players' processes.
pub fn fork_server() -> Result<Arc<ForkServer>, HostError> {
    check_limits(1)?;
    Ok(ForkServer::start(SERVER.get().map_or(Path::new("/proc/self/exe"), PathBuf::as_path), HOST_MODE)?)
}

/// Checks that this process's own limits allow `games` simultaneous games.
pub fn check_limits(games: usize) -> Result<(), HostError> {
    limits_objection(games).map_or(Ok(()), |objection| Err(HostError::Limits(objection)))
}

impl Launcher {
    /// Prepares to run players with this isolation; processes are forks of this executable.
    pub fn new(isolation: Isolation) -> Result<Self, HostError> {
        Ok(match isolation {
            Isolation::Process => Self::Processes(fork_server()?),
            Isolation::None => Self::InProcess,
        })
    }

    /// Prepares one player. Fails when the host fails; a player cannot fail before it is loaded.
    pub fn seat(&self, config: &SeatConfig<'_>) -> Result<Box<dyn Seat>, HostError> {
        Ok(match self {
            Self::Processes(parent) => Box::new(ProcessPlayer::start(parent, config)?),
            Self::InProcess => Box::new(InProcessPlayer::start(config)?),
        })
    }

    /// Returns the parent of players' processes, if they have processes.
    pub const fn parent(&self) -> Option<&Arc<ForkServer>> {
        match self {
            Self::Processes(parent) => Some(parent),
            Self::InProcess => None,
        }
    }

    /// Prepares both players of a game; players in their own processes already load, at the same time.
    /// Fails when the host fails; a player cannot fail before it is loaded.
    pub fn seats(&self, [first, second]: [&SeatConfig<'_>; 2]) -> Result<[Box<dyn Seat>; 2], HostError> {
        let Self::Processes(parent) = self else {
            return Ok([self.seat(first)?, self.seat(second)?]);
        };
        let mut players = [ProcessPlayer::start(parent, first)?, ProcessPlayer::start(parent, second)?];
        for player in &mut players {
            player.begin_load()?;
        }
        let [first, second] = players;
        Ok([Box::new(first), Box::new(second)])
    }
}
