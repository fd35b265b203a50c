//! Other programs as players.
//!
//! A [`ProgramCommand`] describes how to run one. It gets an [`EngineSeat`] or a [`BotzoneSeat`], depending on its
//! protocol.

mod botzone;
mod clock;
mod engine;
mod hint;
mod program_command;

pub use amazons_sandbox::{WordsError, words};
pub use botzone::BotzoneSeat;
pub use engine::EngineSeat;
pub use program_command::{CommandError, ProgramCommand};

use std::sync::Arc;

use amazons_rules::Position;
use amazons_sandbox::ProgramConfig;

use crate::host::{ForkServer, HostError, Limits};
use crate::participant::Protocol;
use crate::referee::Seat;

/// Gives a program a seat in a game from this position.
pub fn seat(
    parent: &Arc<ForkServer>,
    protocol: Protocol,
    program: ProgramConfig,
    limits: &Limits,
    position: &Position,
) -> Result<Box<dyn Seat>, HostError> {
    Ok(match protocol {
        Protocol::Engine(dialect) => {
            Box::new(EngineSeat::start(parent, &program, limits.clone(), dialect, position.clone())?)
        }
        Protocol::Botzone(form) => Box::new(BotzoneSeat::new(parent, program, limits, form)),
    })
}
