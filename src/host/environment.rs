//! The environment variables of players and programs.

use std::num::NonZeroU32;
use std::time::Duration;

use super::config::SeatConfig;
use super::time_account::TimeAccount;
use crate::referee::Call;

/// Variables that OpenMP (GCC's, LLVM's and Intel's), OpenBLAS, MKL, BLIS, NumExpr, rayon, Go and Julia read for the
/// number of threads; without them they start one for each processor.
const THREAD_COUNTS: [&str; 9] = [
    "OMP_NUM_THREADS",
    "OMP_THREAD_LIMIT",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "GOMAXPROCS",
    "JULIA_NUM_THREADS",
];

/// Threads waiting for work must not compute during the opponent's turn, and none may choose its processor.
const THREAD_MANNERS: [(&str, &str); 4] =
    [("OMP_WAIT_POLICY", "passive"), ("OMP_PROC_BIND", "false"), ("KMP_BLOCKTIME", "0"), ("KMP_AFFINITY", "disabled")];

/// Returns the variables that tell libraries how many threads they may start; a player's own take precedence.
pub fn thread_variables(threads: NonZeroU32) -> impl Iterator<Item = (String, String)> {
    let counts = THREAD_COUNTS.into_iter().map(move |name| (name.to_owned(), threads.to_string()));
    counts.chain(THREAD_MANNERS.map(|(name, value)| (name.to_owned(), value.to_owned())))
}

/// Returns the variables of a player besides the standard ones.
pub(super) fn environment_of(config: &SeatConfig<'_>) -> Vec<(String, String)> {
    let limits = &config.limits;
    let allowance = TimeAccount::new(limits).allowance(Call::Play);
    let millis = |time: Duration| time.as_millis().to_string();
    // More threads do not get more processor time while the judged clock runs.
    let cpu = allowance.judged.saturating_mul(limits.threads.get());
    let mut variables = vec![
        ("AMAZONS_MOVE_WALL_MS", millis(allowance.wall)),
        ("AMAZONS_MOVE_CPU_MS", millis(cpu)),
        ("AMAZONS_THREADS", limits.threads.to_string()),
        ("AMAZONS_SEED", config.seed.to_string()),
    ];
    if let Some(game) = limits.game {
        variables.push(("AMAZONS_GAME_MS", millis(game.bank)));
        variables.push(("AMAZONS_INCREMENT_MS", millis(game.increment)));
    }
    let variables = variables.into_iter().map(|(name, value)| (name.to_owned(), value));
    thread_variables(limits.threads).chain(config.environment.iter().cloned()).chain(variables).collect()
}
