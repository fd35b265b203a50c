//! The server of the Game of the Amazons: everything that uses files, processes and terminals.
//!
//! [`cli`] parses the command line, with [`values`]; [`game`] checks it and gives each [`participant`] a seat;
//! [`command`] does the rest. The [`referee`] plays a game between two seats that [`host`] provides, and reports it to
//! [`record`] and [`terminal`]. [`analysis`] is the engine's view of positions and games, [`mod@bench`] measures its
//! speed. [`bridge`] gives seats to other programs and [`human`] to people; [`engine_protocol`] lets a player serve
//! another program. [`watch`] shows games to browsers, [`tournament`] plays many of them and rates the players,
//! [`course`] takes players from teams for a ladder, and [`publish`] makes pages of all that. `prover` proves who wins,
//! and `proof_file` keeps that; [`puzzles`] finds positions with one winning move. [`check`] and [`doctor`] try out a
//! player and the machine, [`new_player`] begins a player, and `files` copies and names files.

pub mod analysis;
pub mod bench;
pub mod bridge;
pub mod check;
pub mod cli;
pub mod command;
pub mod course;
pub mod doctor;
pub mod engine_protocol;
mod files;
pub mod game;
pub mod host;
pub mod human;
pub mod new_player;
mod page_types;
pub mod participant;
mod proof_file;
mod prover;
pub mod publish;
pub mod puzzles;
pub mod record;
pub mod referee;
pub mod terminal;
pub mod tournament;
pub mod values;
pub mod watch;

use std::io::{self, Write};

use amazons_sandbox::{raise_limits, raise_stack_limit, soft_limit, text};
use command::Exit;
pub use page_types::page_types;
use rustix::process::{Pid, Resource, Signal, getppid, set_parent_process_death_signal};

/// Minimum stack of the main thread; every other thread has its own.
const STACK_MIN: u64 = 2 << 20;

/// Runs the server: executes the command line and returns the exit status.
///
/// Every failure is one line on standard error; findings of a check or a soak go to standard output.
pub fn run() -> u8 {
    if asks_for_version() {
        return finish(writeln!(io::stdout(), "server {VERSION}").map(|()| Exit::Success).map_err(anyhow::Error::from));
    }
    raise_limits();
    end_with_parent();
    let stack = || soft_limit(Resource::Stack).unwrap_or(u64::MAX);
    if stack() < STACK_MIN {
        // The kernel lets the main thread's stack grow to the new limit at once.
        let _ = raise_stack_limit();
    }
    if stack() < STACK_MIN {
        complain(&format!("the stack is limited to {} KiB: raise the limit with 'ulimit -s 8192'", stack() >> 10));
        return Exit::usage("").status();
    }
    host::leave_threads(run_command())
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Name and version of this program, as records have them.
const PROGRAM: &str = concat!("amazons ", env!("CARGO_PKG_VERSION"));

/// Returns whether the version is all that the command line asks for: describing everything else takes longer.
fn asks_for_version() -> bool {
    let mut arguments = std::env::args_os().skip(1);
    arguments.next().is_some_and(|first| first == "--version" || first == "-V") && arguments.next().is_none()
}

/// The variable that holds the process of a server which started this one for a visitor.
const PARENT: &str = "AMAZONS_PARENT";

/// Lets this process end with the server that started it for a visitor.
fn end_with_parent() {
    let parent = std::env::var(PARENT).ok().and_then(|number| number.parse().ok());
    if parent.is_some() && parent == getppid().map(Pid::as_raw_nonzero).map(std::num::NonZero::get) {
        // Where that is not allowed, it ends by itself.
        let _ = set_parent_process_death_signal(Some(Signal::KILL));
    }
}

/// Its arguments alone take more stack than some limits leave, so it must not be inlined into its caller.
#[inline(never)]
fn run_command() -> u8 {
    let cli = match cli::Cli::parse_quickly(&std::env::args_os().collect::<Vec<_>>()) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            complain(&cli::complaint(&error));
            return Exit::usage("").status();
        }
        Err(help) => return finish(help.print().map(|()| Exit::Success).map_err(anyhow::Error::from)),
    };
    finish(command::run(cli))
}

/// Prints an error, if any, and returns the exit status.
fn finish(result: anyhow::Result<Exit>) -> u8 {
    let exit = result.unwrap_or_else(|error| match command::is_broken_pipe(&error) {
        true => Exit::BrokenPipe,
        false => Exit::Failure(text::error_chain(error.as_ref())),
    });
    if let Some(reason) = exit.complaint() {
        complain(reason);
    }
    exit.status()
}

/// Writes a line to standard error; it may contain anything from files, records and arguments.
fn complain(line: &str) {
    // If standard error is closed, the line is lost.
    let _ = writeln!(io::stderr(), "server: {}", text::visible(line));
}
