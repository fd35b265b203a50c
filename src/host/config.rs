use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use amazons_player::GraphFields;
use amazons_sandbox::{Printed, SandboxMode};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use sprs::CsMatViewI;

/// Bounds what a player may use; enforced for players in processes of their own only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For opening the library, constructors included.
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
    /// The clock of these times.
    pub clock: Clock,
    /// The treatment of a player that computes in its opponent's turn.
    pub pondering: Pondering,
    /// The threads that a player may run; with one, it cannot start any.
    pub threads: NonZeroU32,
    /// The bytes of memory that a player may keep.
    pub memory: u64,
    /// The bytes that a player may print; its further writes fail, which `printf` ignores.
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

/// The clock that a player's time is measured with.
///
/// Processor time is that of all its threads, divided by [`Limits::threads`]: fair on a busy machine. The wall clock then
/// only ends a call that takes three times the limit and 200 ms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// Processor time
    #[default]
    Cpu,
    /// The wall clock
    Wall,
}

/// The treatment of a player that computes in its opponent's turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pondering {
    /// Its next move is charged with the processor time.
    #[default]
    Charged,
    /// It cannot: its process is stopped between its calls.
    Frozen,
}

impl Limits {
    /// As much memory as a player gets by default, if there is enough for both.
    pub const MEMORY: u64 = 4 << 30;
}

impl Default for Limits {
    /// Generous enough for every honest player that is known.
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
    /// The player's library; a relative path is taken from the current folder.
    pub path: PathBuf,
    /// The id that the player is told: 0 moves first, 1 second.
    pub abi_id: u32,
    /// The graph, in CSR form: square, entries are directions.
    pub matrix: CsMatViewI<'a, u32, i32>,
    /// What the graph's fields say, if it is one as other servers hand it out: then the matrix need not be square and
    /// may have zeros. For players in processes of their own only.
    pub foreign: Option<GraphFields>,
    /// The vertices of the queens of the first and of the second player to move.
    pub queens: [&'a [u32]; 2],
    /// The limits.
    pub limits: Limits,
    /// Seeds the player's `rand`, and is told to it as `AMAZONS_SEED`.
    pub seed: u64,
    /// The reaction to a kernel that has less than the sandbox needs.
    pub sandbox: SandboxMode,
    /// Files and folders that the player may read besides its own file and the system's libraries.
    pub allow_read: Vec<PathBuf>,
    /// Shows what the player prints while it runs.
    pub printed: Option<Printed>,
}

impl<'a> SeatConfig<'a> {
    /// The usual player: default limits, seed 0, as much sandbox as the kernel has.
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
            sandbox: SandboxMode::default(),
            allow_read: Vec::new(),
            printed: None,
        }
    }
}
