//! The environment variables of a player's process.

use std::time::Duration;

use super::config::SeatConfig;
use super::time_account::TimeAccount;
use crate::referee::Call;

/// Returns the variables of a player besides the standard ones.
pub(super) fn environment_of(config: &SeatConfig<'_>) -> Vec<(String, String)> {
    let limits = &config.limits;
    let allowance = TimeAccount::new(limits).allowance(Call::Play);
    let millis = |time: Duration| time.as_millis().to_string();
    // No number of threads gets more processor time while the judged clock runs.
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
    config.environment.iter().cloned().chain(variables).collect()
}
