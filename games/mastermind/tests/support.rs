//! The program, alone and under the launchers of both MPI libraries.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};

use amazons_launchers::Mpi;

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_mastermind");

/// The command that starts the program on that many ranks.
pub(crate) fn launch(mpi: &Mpi, ranks: usize, options: &[&str]) -> Command {
    let mut command = mpi.launch(ranks);
    command.args(options).arg(PROGRAM);
    command
}

/// Starts a command whose input never comes and never ends.
pub(crate) fn start(command: &mut Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it can be run")
}

/// Waits until rank 0 has printed some lines: all ranks have met by then. The whole output comes at the end.
pub(crate) fn after_lines(child: &mut Child, lines: usize) -> JoinHandle<String> {
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut text = String::new();
    for _ in 0..lines {
        out.read_line(&mut text).expect("a line");
    }
    thread::spawn(move || {
        out.read_to_string(&mut text).expect("text");
        text
    })
}
