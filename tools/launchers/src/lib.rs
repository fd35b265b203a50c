//! The launchers of MPI jobs for tests, where they are installed.

#![forbid(unsafe_code)]

mod processes;

use std::process::{Command, Stdio};

use amazons_testing::skip;
pub use processes::{is_running, ranks_of, ticks};
use tempfile::TempDir;

thread_local! {
    /// The folder for the launcher's own files, one for each test. Otherwise all jobs of a user share one folder, which
    /// the last job that ends removes, under the feet of one that starts.
    static SESSIONS: TempDir = tempfile::tempdir().expect("a folder");
}

/// A launcher as Debian installs it.
#[derive(Debug)]
pub struct Mpi {
    /// Its name.
    pub program: &'static str,
    /// Options that let it run as root, and start more ranks than there are cores.
    args: &'static [&'static str],
    /// The setting that says where the launcher's own files are, if it has any.
    sessions: Option<&'static str>,
    /// The package that has it.
    package: &'static str,
    /// The variable that tells a process its rank.
    pub rank: &'static str,
    /// The option that keeps the other ranks alive when one dies.
    pub keep_others: &'static str,
}

/// How often to run a job whose launcher dies.
const ATTEMPTS: u32 = 5;

const MPIS: [Mpi; 2] = [
    Mpi {
        program: "mpirun.openmpi",
        args: &["--allow-run-as-root", "--oversubscribe"],
        sessions: Some("orte_tmpdir_base"),
        package: "openmpi-bin",
        rank: "OMPI_COMM_WORLD_RANK",
        keep_others: "--enable-recovery",
    },
    Mpi {
        program: "mpirun.mpich",
        args: &[],
        sessions: None,
        package: "mpich",
        rank: "PMI_RANK",
        keep_others: "-disable-auto-cleanup",
    },
];

impl Mpi {
    /// The installed ones; notes which are missing.
    pub fn installed() -> impl Iterator<Item = &'static Self> {
        MPIS.iter().filter(|mpi| {
            let is_there =
                Command::new(mpi.program).arg("--version").output().is_ok_and(|output| output.status.success());
            if !is_there {
                skip(format!("{} is not installed (Debian: apt-get install {})", mpi.program, mpi.package));
            }
            is_there
        })
    }

    /// The command that runs something on that many ranks, whose input is empty. More options of the launcher may follow.
    #[must_use]
    pub fn launch(&self, ranks: usize) -> Command {
        let mut command = Command::new(self.program);
        command.args(self.args).args(["-np", &ranks.to_string()]).stdin(Stdio::null());
        if let Some(setting) = self.sessions {
            SESSIONS.with(|folder| command.args(["--mca", setting]).arg(folder.path()));
        }
        command
    }

    /// The same, ended after so many seconds.
    #[must_use]
    pub fn launch_for(&self, seconds: u32, ranks: usize) -> Command {
        let launched = self.launch(ranks);
        let mut command = Command::new("timeout");
        command.arg(seconds.to_string()).arg(launched.get_program()).args(launched.get_args()).stdin(Stdio::null());
        command
    }

    /// Runs a job whose ranks end with an error status, and once more when its launcher has died of a signal: then
    /// `status` is `None`.
    ///
    /// After an error, the launcher of MPICH tells its proxy to end the other ranks. If all have ended and the proxy has
    /// gone, the launcher dies of SIGPIPE, and may take the ranks' last lines with it: about one job in 300 on a busy
    /// machine.
    pub fn repeat<T>(&self, job: impl Fn() -> T, status: impl Fn(&T) -> Option<i32>) -> T {
        let mut ended = job();
        for _ in 1..ATTEMPTS {
            if status(&ended).is_some() {
                break;
            }
            println!("once more: {} has died", self.program);
            ended = job();
        }
        ended
    }
}
