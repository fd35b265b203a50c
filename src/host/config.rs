use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use sprs::CsMatViewI;

/// Bounds what a player may use; deadlines are enforced for players in processes of their own only.
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
    /// How many bytes a player may print; its further writes fail, which `printf` ignores.
    pub log: u64,
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
            log: 1 << 20,
        }
    }
}

/// Describes one player of one game to the host.
#[derive(Clone, Debug)]
pub struct SeatConfig<'a> {
    /// The player's library; a relative path is taken from the current folder.
    pub path: PathBuf,
    /// What the player is told it is: 0 moves first, 1 second.
    pub abi_id: u32,
    /// The graph, in CSR form: square, entries are directions.
    pub matrix: CsMatViewI<'a, u32, i32>,
    /// The vertices of the queens of the first and of the second player to move.
    pub queens: [&'a [u32]; 2],
    /// What the player may use.
    pub limits: Limits,
    /// Seeds the player's `rand`, and is told to it as `AMAZONS_SEED`.
    pub seed: u64,
    /// How many threads the player is asked to use at most, as `AMAZONS_THREADS`.
    pub threads: NonZeroU32,
    /// The executable to run as the player's process: one whose `main` starts with [`crate::host::entry`].
    pub executable: PathBuf,
}

impl<'a> SeatConfig<'a> {
    /// The usual player: default limits, seed 0, one thread, in a process that runs this very executable.
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
            queens,
            limits: Limits::default(),
            seed: 0,
            threads: NonZeroU32::MIN,
            executable: PathBuf::from("/proc/self/exe"),
        }
    }

    /// What a player finds in its environment, beyond what every process has.
    pub(super) fn environment(&self) -> [(&'static str, String); 4] {
        let move_ms = self.limits.play.as_millis().to_string();
        [
            ("AMAZONS_MOVE_WALL_MS", move_ms.clone()),
            // No thread gets more processor time than the wall clock allows it.
            ("AMAZONS_MOVE_CPU_MS", move_ms),
            ("AMAZONS_THREADS", self.threads.to_string()),
            ("AMAZONS_SEED", self.seed.to_string()),
        ]
    }
}
