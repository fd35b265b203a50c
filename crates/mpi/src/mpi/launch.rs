use std::{env, fmt};

/// This process as one of many, according to its launcher's environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The program that started the ranks.
    pub launcher: Launcher,
    /// The number of this rank, from 0.
    pub rank: usize,
    /// The number of ranks.
    pub size: usize,
}

/// Programs that start ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launcher {
    /// `mpirun` of Open MPI.
    OpenMpi,
    /// `mpiexec.hydra` of MPICH and its derivatives, or `srun --mpi=pmi2`.
    Mpich,
    /// `srun --mpi=pmix`, which supports both.
    Pmix,
    /// `srun` without MPI.
    Srun,
}

impl Launch {
    /// Looks for a launcher's variables in the environment; `None` if this process is alone.
    pub fn from_env() -> Option<Self> {
        Self::detect(|name| env::var(name).ok())
    }

    /// As [`Launch::from_env`], with a function that returns a variable.
    pub fn detect(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let number = |name: &str| variable(name)?.trim().parse::<usize>().ok();
        // A Slurm job step has its own variables besides MPI's; a batch script also has them, but no step.
        let is_step = variable("SLURM_STEP_ID").is_some() && variable("SLURM_PROCID").is_some();
        let of = |launcher, rank: &str, size: &str| {
            let (rank, size) = (number(rank)?, number(size)?);
            (rank < size).then_some(Self { launcher, rank, size })
        };
        of(Launcher::OpenMpi, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE")
            .or_else(|| of(Launcher::Mpich, "PMI_RANK", "PMI_SIZE"))
            .or_else(|| of(Launcher::Pmix, "PMIX_RANK", "SLURM_STEP_NUM_TASKS"))
            .or_else(|| is_step.then(|| of(Launcher::Srun, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"))?)
    }
}

impl Launcher {
    /// Returns the names of the libraries that may belong to it, most likely first.
    pub const fn libraries(self) -> &'static [&'static str] {
        match self {
            Self::OpenMpi => &["libmpi.so.40", "libmpi_abi.so.1", "libmpi_abi.so.0"],
            Self::Mpich => &["libmpi.so.12", "libmpich.so.12", "libmpi_abi.so.1", "libmpi_abi.so.0"],
            Self::Pmix => &["libmpi.so.40", "libmpi.so.12", "libmpich.so.12", "libmpi_abi.so.1", "libmpi_abi.so.0"],
            Self::Srun => &[],
        }
    }
}

impl fmt::Display for Launcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OpenMpi => "mpirun of Open MPI",
            Self::Mpich => "a launcher of MPICH",
            Self::Pmix => "srun --mpi=pmix",
            Self::Srun => "srun without MPI",
        })
    }
}
