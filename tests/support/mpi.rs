//! The launchers of MPI jobs.

use std::process::{Command, Stdio};

/// A launcher as Debian installs it.
pub(crate) struct Mpi {
    pub(crate) program: &'static str,
    pub(crate) args: &'static [&'static str],
    pub(crate) package: &'static str,
    /// The variable that tells a process its rank.
    pub(crate) rank: &'static str,
    /// Keeps the other ranks alive when one dies.
    pub(crate) keep_others: &'static str,
}

const MPIS: [Mpi; 2] = [
    Mpi {
        program: "mpirun.openmpi",
        args: &["--allow-run-as-root", "--oversubscribe"],
        package: "openmpi-bin",
        rank: "OMPI_COMM_WORLD_RANK",
        keep_others: "--enable-recovery",
    },
    Mpi {
        program: "mpirun.mpich",
        args: &[],
        package: "mpich",
        rank: "PMI_RANK",
        keep_others: "-disable-auto-cleanup",
    },
];

impl Mpi {
    /// The installed ones; prints which are missing.
    pub(crate) fn installed() -> impl Iterator<Item = &'static Self> {
        MPIS.iter().filter(|mpi| {
            let is_there =
                Command::new(mpi.program).arg("--version").output().is_ok_and(|output| output.status.success());
            if !is_there {
                println!("skipped: {} is not installed (Debian: apt-get install {})", mpi.program, mpi.package);
            }
            is_there
        })
    }

    /// The command that runs something on that many ranks; test machines have few cores.
    pub(crate) fn launch(&self, ranks: usize) -> Command {
        let mut command = Command::new(self.program);
        command.args(self.args).args(["-np", &ranks.to_string()]).stdin(Stdio::null());
        command
    }
}
