//! The server of the Game of the Amazons: what touches files, processes and terminals.
//!
//! [`cli`] is what a person may type, of [`values`]; [`game`] checks it and gives each [`participant`] a seat; [`command`]
//! does the rest. A game is played by [`referee`] between two seats that [`host`] provides, and told to [`record`] and
//! [`terminal`] as it happens. [`analysis`] is what the engine thinks of positions and games, [`mod@bench`] how fast it does.
//! [`bridge`] gives seats to other programs and [`human`] to people; [`engine`] lets a player serve another program.
//! [`watch`] shows games to browsers, [`tournament`] plays many of them and says who is stronger.

pub mod analysis;
pub mod bench;
pub mod bridge;
pub mod check;
pub mod cli;
pub mod command;
pub mod doctor;
pub mod engine;
mod files;
pub mod game;
pub mod host;
pub mod human;
pub mod new_player;
pub mod participant;
pub mod record;
pub mod referee;
pub mod terminal;
pub mod tournament;
pub mod values;
pub mod watch;

use std::io::{self, Write};

use amazons_sandbox::text;
use clap::Parser;
use command::Exit;

/// Runs the server: reads the command line, does what it says, and returns the exit status.
///
/// Every failure is one line on standard error; what a check or a soak found wrong is on standard output.
#[must_use]
pub fn run() -> u8 {
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            complain(&cli::complaint(&error));
            return Exit::usage("").status();
        }
        Err(help) => return finish(help.print().map(|()| Exit::Success).map_err(anyhow::Error::from)),
    };
    finish(command::run(cli))
}

/// Says what is left to be said and returns the exit status.
fn finish(result: anyhow::Result<Exit>) -> u8 {
    match result {
        Ok(exit) => {
            if let Some(reason) = exit.complaint() {
                complain(reason);
            }
            exit.status()
        }
        Err(error) if command::is_broken_pipe(&error) => Exit::BrokenPipe.status(),
        Err(error) => {
            complain(&text::error_chain(error.as_ref()));
            command::FAILURE
        }
    }
}

/// Writes a line to standard error; files, records and arguments may have put anything into it.
fn complain(line: &str) {
    // There is nobody left to be told that standard error is closed.
    let _ = writeln!(io::stderr(), "server: {}", text::visible(line));
}
