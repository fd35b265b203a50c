use thiserror::Error;

use crate::message::LibraryError;

/// Why this process cannot join its job.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum JoinError {
    /// The launcher gives its processes no way to communicate.
    #[error("which cannot talk to each other (use mpirun, srun --mpi=pmix or srun --mpi=pmi2)")]
    Mute,
    /// No library can be used.
    #[error("cannot use its MPI library ({0}): install it, or set AMAZONS_MPI to its file")]
    Library(String),
    /// This process has already joined.
    #[error("a process can join an MPI job only once")]
    Twice,
    /// A call into the library failed.
    #[error(transparent)]
    Call(#[from] LibraryError),
    /// The library sees a different number of ranks than the launcher started.
    #[error("the MPI library that was found knows nothing of them: it belongs to another launcher")]
    Mismatch,
}
