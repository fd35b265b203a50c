//! Other programs as players.
//!
//! A [`ProgramCommand`] says how one is run. It takes an [`EngineSeat`] or a [`BotzoneSeat`], by the protocol that it
//! speaks.

mod botzone;
mod clock;
mod engine;
mod program_command;
mod words;

pub use botzone::BotzoneSeat;
pub use engine::EngineSeat;
pub use program_command::{CommandError, ProgramCommand};
pub use words::{WordsError, words};

use std::path::PathBuf;
use std::sync::Arc;

use amazons_rules::Position;
use amazons_sandbox::ProgramConfig;

use crate::host::{ForkServer, HostError, Limits, Printed, SandboxMode};
use crate::participant::Protocol;
use crate::referee::Seat;

/// A game as a program's seat needs it.
#[derive(Clone, Debug)]
pub struct BridgeConfig {
    /// Where the game starts.
    pub position: Position,
    /// Its limits.
    pub limits: Limits,
    /// The seed in its environment.
    pub seed: u64,
    /// The reaction to a kernel that has less than the sandbox needs.
    pub sandbox: SandboxMode,
    /// The files and folders that it may read besides its own folder and the system's.
    pub allow_read: Vec<PathBuf>,
    /// Shows what it prints besides its answers while it runs.
    pub printed: Option<Printed>,
}

/// Gives a program a seat; it runs from here on.
///
/// # Errors
/// When the host fails.
pub fn seat(
    parent: &Arc<ForkServer>,
    protocol: Protocol,
    command: &ProgramCommand,
    config: BridgeConfig,
) -> Result<Box<dyn Seat>, HostError> {
    let program = program_config(command, &config);
    Ok(match protocol {
        Protocol::Engine(dialect) => Box::new(EngineSeat::start(parent, &program, dialect, config)?),
        Protocol::Botzone(form) => Box::new(BotzoneSeat::start(parent, program, form, config)?),
    })
}

/// Describes the process that the program runs in.
pub(crate) fn program_config(command: &ProgramCommand, config: &BridgeConfig) -> ProgramConfig {
    let limits = &config.limits;
    let environment = [("AMAZONS_THREADS", limits.threads.to_string()), ("AMAZONS_SEED", config.seed.to_string())];
    ProgramConfig {
        path: command.program.clone(),
        arguments: command.words.clone(),
        environment: environment.into_iter().map(|(name, value)| format!("{name}={value}").into()).collect(),
        memory: limits.memory,
        log: limits.log,
        sandbox: config.sandbox,
        readable: config.allow_read.iter().chain(&command.folders).cloned().collect(),
        printed: config.printed.clone(),
    }
}
