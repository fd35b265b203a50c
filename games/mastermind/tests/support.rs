//! The program, alone and under the launchers of both MPI libraries.

use std::env;
use std::fs;
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

/// Returns the processor time of a process, in the kernel's ticks of 10 ms.
pub(crate) fn ticks(id: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    // The name may contain spaces: user and system time are the 12th and 13th words behind it.
    let words = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().skip(11).take(2);
    words.filter_map(|word| word.parse::<u64>().ok()).sum()
}

/// Returns the processes of the program below a launcher, each with its rank.
pub(crate) fn ranks_of(launcher: u32) -> Vec<(u32, u32)> {
    let mut ranks = Vec::new();
    for entry in fs::read_dir("/proc").expect("processes").flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let is_ours = fs::read_link(entry.path().join("exe")).is_ok_and(|exe| exe.to_str() == Some(PROGRAM));
        if !is_ours || !is_below(id, launcher) {
            continue;
        }
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        let text = String::from_utf8_lossy(&environment).into_owned();
        let number = |word: &str| {
            ["OMPI_COMM_WORLD_RANK=", "PMI_RANK="].iter().find_map(|name| word.strip_prefix(name)?.parse().ok())
        };
        if let Some(rank) = text.split('\0').find_map(number) {
            ranks.push((rank, id));
        }
    }
    ranks.sort_unstable();
    ranks
}

/// Returns whether a process descends from another.
fn is_below(mut id: u32, ancestor: u32) -> bool {
    while id > 1 {
        if id == ancestor {
            return true;
        }
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
        id = parent.unwrap_or(0);
    }
    false
}

/// Returns whether a process is there and has not ended.
pub(crate) fn is_running(id: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}
