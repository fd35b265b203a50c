//! The ranks of an MPI job, through their launcher's library.
//!
//! The three families differ in three ways: handles are pointers to symbols in Open MPI, numbers in MPICH and small
//! numbers as pointers in the standard interface of MPI 5; a status and constants differ. These facts come from `mpi.h`
//! of Open MPI 4.1 and 5.0, of MPICH 4.0, which promises the same for all that share its binary interface (Intel MPI,
//! MVAPICH2, Cray MPICH), and of the standard.

mod communicator;
mod error;
mod functions;
mod launch;
mod library;
mod neighbours;
mod world;

pub use error::JoinError;
pub use launch::{Launch, Launcher};
pub use world::{MpiWorld, Start};
