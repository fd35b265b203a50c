//! Running the program, alone or under a launcher of MPI.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use amazons_launchers::Mpi;
use amazons_testing::output_of;

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_cluedo");

/// The program on that many ranks, for at most two minutes.
pub(crate) fn launch(mpi: &Mpi, ranks: usize, args: &[&str]) -> Command {
    let mut command = mpi.launch_for(120, ranks);
    command.arg(PROGRAM).args(args);
    command
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
    let output = output_of(child);
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

/// A folder that every user can read, which that of the sources may not be; programs in the sandbox have no rights.
pub(crate) struct PublicFolder(pub(crate) PathBuf);

impl PublicFolder {
    pub(crate) fn new() -> Self {
        let name = TemporaryFile::new().0.file_name().expect("a name").to_owned();
        // A blank in the name, because users' folders have.
        let folder = std::env::temp_dir().join(format!("{} of tests", name.display()));
        // What tests that were killed left behind, in a process that had the same number.
        let _ = fs::remove_dir_all(&folder);
        create_public(&folder);
        Self(folder)
    }

    /// Returns the name of a copy of the program in a folder of its own, as a word of a command.
    pub(crate) fn program(&self) -> String {
        let copy = self.0.join("program/cluedo");
        if !copy.exists() {
            create_public(&self.0.join("program"));
            fs::copy(PROGRAM, &copy).expect("a copy");
            fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).expect("rights");
        }
        format!("'{}'", copy.display())
    }
}

/// Creates a folder that every user can read, whatever this one's mask takes away.
pub(crate) fn create_public(folder: &Path) {
    fs::create_dir_all(folder).expect("a temporary folder");
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("rights");
}

impl Drop for PublicFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
