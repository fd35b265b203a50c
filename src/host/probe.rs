//! What this machine lets the host do, tried out.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sprs::CsMatI;

use super::config::SeatConfig;
use super::error::HostError;
use super::fork_server::ForkServer;
use super::process_player::ProcessPlayer;
use super::sandbox::SandboxMode;
use crate::referee::Sandbox;

/// What a player's process reaches on this machine.
#[derive(Debug)]
pub struct Probe {
    /// How it is confined, or why it cannot be confined enough to run a player.
    pub sandbox: Result<Sandbox, HostError>,
    /// How long it took from the wish for a process until it was ready to load a player, at best.
    pub start: Duration,
    /// Whether the kernel tells at once when it ends.
    pub has_pidfd: bool,
    /// Whether its processor time can be read.
    pub has_clock: bool,
}

/// The fastest of so many starts is told.
const STARTS: u32 = 10;

impl Probe {
    /// Starts players' processes, without any player.
    ///
    /// # Errors
    /// When not even that works.
    pub fn run() -> Result<Self, HostError> {
        let parent = Arc::new(ForkServer::start(Path::new("/proc/self/exe"))?);
        let mut probe = Self::once(&parent, SandboxMode::Auto)?;
        for _ in 1..STARTS {
            let again = Self::once(&parent, SandboxMode::Auto)?;
            probe.start = probe.start.min(again.start);
        }
        Ok(probe)
    }

    fn once(parent: &Arc<ForkServer>, mode: SandboxMode) -> Result<Self, HostError> {
        let matrix = CsMatI::zero((0, 0));
        let config = SeatConfig { sandbox: mode, ..SeatConfig::new("/dev/null", 0, matrix.view(), [&[], &[]]) };
        let clock = Instant::now();
        let mut player = ProcessPlayer::start(parent, &config)?;
        let sandbox = player.prepare();
        let start = clock.elapsed();
        let (has_pidfd, has_clock) = player.conveniences();
        match sandbox {
            Ok(sandbox) => Ok(Self { sandbox: Ok(sandbox), start, has_pidfd, has_clock }),
            Err(refused @ HostError::Sandbox(_)) => Ok(Self { sandbox: Err(refused), start, has_pidfd, has_clock }),
            Err(error) => Err(error),
        }
    }
}

/// What the kernel says of Landlock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LandlockSupport {
    /// It has rules of this version.
    Version(u32),
    /// It is built in and not switched on.
    Disabled,
    /// The kernel does not know it, or something hides it.
    Missing,
}

impl LandlockSupport {
    /// Asks the kernel.
    #[must_use]
    pub fn ask() -> Self {
        const VERSION: libc::c_ulong = 1;
        // SAFETY: with this flag and without rules, the call only answers a number.
        let answer =
            unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0_usize, VERSION) };
        match u32::try_from(answer) {
            Ok(version) => Self::Version(version),
            Err(_) if io::Error::last_os_error().raw_os_error() == Some(libc::EOPNOTSUPP) => Self::Disabled,
            Err(_) => Self::Missing,
        }
    }
}
