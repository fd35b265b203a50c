//! The program as a person starts it, and the launchers of MPI jobs.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::{env, fs, thread};

use amazons_launchers::Mpi;
use amazons_testing::output_of;
use connect4::{Position, Size};

/// Returns a position of the usual board.
pub(crate) fn position(moves: &str) -> Position {
    Position::from_moves(Size::STANDARD, moves).expect("legal moves")
}

/// What a program printed, and its status.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) status: Option<i32>,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        Self { out: text(output.stdout), err: text(output.stderr), status: output.status.code() }
    }
}

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_connect4");

/// The program.
pub(crate) fn connect4() -> Command {
    clean(Command::new(PROGRAM))
}

/// Removes what changes the program's ways.
fn clean(mut command: Command) -> Command {
    for (name, _) in env::vars_os() {
        let is_launcher = ["OMPI_", "PMI", "SLURM_"].iter().any(|start| name.to_string_lossy().starts_with(start));
        if is_launcher || name == "NO_COLOR" {
            command.env_remove(name);
        }
    }
    command
}

/// Runs it with these arguments and lines on standard input.
pub(crate) fn run(args: &str, input: &str) -> Ran {
    feed(connect4().args(args.split_whitespace()), input)
}

/// Runs a command with this standard input.
pub(crate) fn feed(command: &mut Command, input: &str) -> Ran {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program can be run");
    let (mut stdin, input) = (child.stdin.take().expect("a pipe"), input.to_owned());
    // It may end before it has read everything.
    let writer = thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = output_of(child);
    writer.join().expect("no panic");
    output.into()
}

/// A folder for a test's files, removed with it.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("connect4-{name}-{}", std::process::id()));
        // What tests that were killed left behind, in a process that had the same number.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left behind is small.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The command that starts the program on that many ranks.
pub(crate) fn launch(mpi: &Mpi, ranks: usize, options: &[&str]) -> Command {
    let mut command = clean(mpi.launch(ranks));
    command.args(options).arg(PROGRAM);
    command
}
