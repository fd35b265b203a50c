//! Messages between the ranks of an MPI job, without MPI at build time.
//!
//! 1. [`Launch::detect`] says from the environment which launcher started this process, if any, and as which rank.
//! 2. [`World::join`] opens the library that belongs to that launcher and begins; its symbols tell whose binary interface
//!    it has, Open MPI's or MPICH's. Each process may do so once, and uses the world from the thread that made it.
//! 3. [`World::send`] and [`World::receive`] never wait, so that whoever waits may sleep: the libraries' own calls would
//!    burn a core.
//! 4. [`World::leave`] ends it, when all ranks do the same; dropping a world leaves the job without a word, which is
//!    what is left to do when other ranks have died.
//!
//! Handles are pointers to symbols in Open MPI and numbers in MPICH; that, the layout of a status and a constant are all in
//! which the two differ here. They are taken from the `mpi.h` of Open MPI 4.1 and 5.0 and of MPICH 4.0, which promises the
//! same for all that share its binary interface (Intel MPI, MVAPICH2, Cray MPICH).

mod functions;
mod launch;
mod library;
mod ranks;
mod world;

pub use launch::{Launch, Launcher};
pub use world::{MESSAGE_MAX, MpiError, World};
