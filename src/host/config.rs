use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use amazons_player::GraphFields;
use amazons_sandbox::{Printed, SandboxMode};
use sprs::CsMatViewI;

use crate::referee::{Clock, Pondering};

/// A player's limits; enforced only for players in their own processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For opening the library, including constructors.
    pub load: Duration,
    /// For `initialize`.
    pub initialize: Duration,
    /// For `get_player_name`.
    pub name: Duration,
    /// For each `play`.
    pub play: Duration,
    /// For `finalize`.
    pub finalize: Duration,
    /// For all `play`s of a game together.
    pub game: Option<GameTime>,
    /// The clock for these times.
    pub clock: Clock,
    /// The treatment of computing during the opponent's turn.
    pub pondering: Pondering,
    /// Maximum number of threads; with one, the player cannot start any.
    pub threads: NonZeroU32,
    /// The memory limit in bytes.
    pub memory: u64,
    /// Maximum number of bytes of output; further writes fail, which `printf` ignores.
    pub log: u64,
}

/// The time of a whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameTime {
    /// The time at the start.
    pub bank: Duration,
    /// The time gained with each move.
    pub increment: Duration,
}

impl Limits {
    /// A player's default memory limit, if the machine has enough for both.
    pub const MEMORY: u64 = 4 << 30;

    /// The time for a move where only the game's time is limited.
    pub const NO_LIMIT: Duration = Duration::from_secs(7 * 24 * 3600);
}

impl Default for Limits {
    /// Generous enough for every known honest player.
    fn default() -> Self {
        Self {
            load: Duration::from_secs(5),
            initialize: Duration::from_secs(15),
            name: Duration::from_secs(1),
            play: Duration::from_secs(15),
            finalize: Duration::from_secs(1),
            game: None,
            clock: Clock::default(),
            pondering: Pondering::default(),
            threads: NonZeroU32::MIN,
            memory: Self::MEMORY,
            log: 1 << 20,
        }
    }
}

/// Describes one player of one game to the host.
#[derive(Clone, Debug)]
pub struct SeatConfig<'a> {
    /// The player's library; a relative path starts at the current folder.
    pub path: PathBuf,
    /// The player's id: 0 moves first, 1 second.
    pub abi_id: u32,
    /// The graph, in CSR form: square, entries are directions.
    pub matrix: CsMatViewI<'a, u32, i32>,
    /// The graph's fields if it imitates another server's: then the matrix need not be square and may have zeros. Only
    /// for players in their own processes.
    pub foreign: Option<GraphFields>,
    /// The vertices of the queens of the first and of the second player to move.
    pub queens: [&'a [u32]; 2],
    pub limits: Limits,
    /// The seed of the player's `rand` and its `AMAZONS_SEED`.
    pub seed: u64,
    /// Additional environment variables.
    pub environment: Vec<(String, String)>,
    /// The reaction to a kernel that offers less than the sandbox needs.
    pub sandbox: SandboxMode,
    /// Files and folders that the player may read besides its own file and the system's libraries.
    pub allow_read: Vec<PathBuf>,
    /// Shows the player's output while it runs.
    pub printed: Option<Printed>,
}

impl<'a> SeatConfig<'a> {
    /// A player with default limits, seed 0, and as much sandbox as the kernel supports.
    pub fn new(
        path: impl Into<PathBuf>,
        abi_id: u32,
        matrix: CsMatViewI<'a, u32, i32>,
        queens: [&'a [u32]; 2],
    ) -> Self {
        Self {
            path: path.into(),
            abi_id,
            matrix,
            foreign: None,
            queens,
            limits: Limits::default(),
            seed: 0,
            environment: Vec::new(),
            sandbox: SandboxMode::default(),
            allow_read: Vec::new(),
            printed: None,
        }
    }
}
