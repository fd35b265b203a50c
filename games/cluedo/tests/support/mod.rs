//! Running the program, alone or under a launcher of MPI.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_cluedo");

/// A launcher as Debian installs it.
pub(crate) struct Mpi {
    pub(crate) program: &'static str,
    args: &'static [&'static str],
    package: &'static str,
}

const MPIS: [Mpi; 2] = [
    Mpi { program: "mpirun.openmpi", args: &["--allow-run-as-root", "--oversubscribe"], package: "openmpi-bin" },
    Mpi { program: "mpirun.mpich", args: &[], package: "mpich" },
];

impl Mpi {
    /// The installed ones; prints which are missing.
    pub(crate) fn installed() -> impl Iterator<Item = &'static Self> {
        MPIS.iter().filter(|mpi| {
            let found = Command::new(mpi.program).arg("--version").output();
            let is_there = found.is_ok_and(|output| output.status.success());
            if !is_there {
                println!("skipped: {} is not installed (Debian: apt-get install {})", mpi.program, mpi.package);
            }
            is_there
        })
    }

    /// The program on that many ranks, for at most two minutes.
    pub(crate) fn command(&self, ranks: usize, args: &[&str]) -> Command {
        let mut command = Command::new("timeout");
        command.args(["120", self.program]).args(self.args).args(["-np", &ranks.to_string(), PROGRAM]).args(args);
        command
    }
}

/// The program without a launcher, for at most two minutes.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new("timeout");
    command.args(["120", PROGRAM]).args(args);
    command
}

/// Runs a command with some input.
pub(crate) fn run(mut command: Command, input: &[u8]) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let (mut stdin, input) = (child.stdin.take().expect("a pipe"), input.to_vec());
    // It may end before it has read everything.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("written");
    output
}

/// Standard output of a run that must succeed.
pub(crate) fn said(command: Command, input: &[u8]) -> String {
    let output = run(command, input);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// A file name that no other test uses; the file is removed in the end.
pub(crate) struct TemporaryFile(pub(crate) PathBuf);

impl TemporaryFile {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Self(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("cluedo-{}-{number}", std::process::id())))
    }

    pub(crate) fn name(&self) -> &str {
        self.0.to_str().expect("text")
    }

    pub(crate) fn text(&self) -> String {
        fs::read_to_string(&self.0).expect("the file")
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
