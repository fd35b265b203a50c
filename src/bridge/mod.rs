//! Other programs as players.
//!
//! A [`ProgramCommand`] describes how to run one. It gets a [`BotzoneSeat`] or, for any other protocol, an
//! [`EngineSeat`].

mod botzone;
mod codingame;
mod engine;
mod hint;
mod options;
mod program_command;
mod time_left;

pub use amazons_sandbox::{WordsError, words};
pub use botzone::BotzoneSeat;
pub use codingame::is_its_board;
pub use engine::{EngineSeat, Language};
pub use options::{EngineOption, NamelessOption, engine_options};
pub use program_command::{CommandError, ProgramCommand};

use std::sync::Arc;

use amazons_protocol::Dialect;
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
    options: Option<&str>,
) -> Result<Box<dyn Seat>, HostError> {
    let language = match protocol {
        Protocol::Engine(Dialect::Uci) => {
            let options = engine_options(options.unwrap_or_default());
            Language::Engine(Dialect::Uci, options.map_err(|error| HostError::Guest(error.to_string()))?)
        }
        // Its options are a variable, which it reads as it likes.
        Protocol::Engine(dialect) => Language::Engine(dialect, Vec::new()),
        Protocol::Codingame => Language::Codingame,
        Protocol::Botzone(form) => return Ok(Box::new(BotzoneSeat::new(parent, program, limits, form))),
    };
    Ok(Box::new(EngineSeat::start(parent, &program, limits.clone(), language, position.clone())?))
}
