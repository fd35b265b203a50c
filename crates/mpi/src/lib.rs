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
//!
//! ```
//! use amazons_mpi::{Launch, World};
//!
//! // Rank 0 greets the others. A process that no launcher started stands alone.
//! if let Some(launch) = Launch::detect(|name| std::env::var(name).ok()) {
//!     let mut world = World::join(&launch)?;
//!     if world.rank() == 0 {
//!         for rank in 1..world.size() {
//!             world.send(rank, b"hello".to_vec())?;
//!         }
//!         while world.unsent()? > 0 {
//!             std::thread::sleep(std::time::Duration::from_millis(1));
//!         }
//!     } else {
//!         let (from, bytes) = loop {
//!             match world.receive()? {
//!                 Some(message) => break message,
//!                 None => std::thread::sleep(std::time::Duration::from_millis(1)),
//!             }
//!         };
//!         assert_eq!((from, &bytes[..]), (0, &b"hello"[..]));
//!     }
//!     world.leave()?;
//! }
//! # Ok::<(), amazons_mpi::MpiError>(())
//! ```

mod functions;
mod launch;
mod library;
mod ranks;
mod world;

pub use launch::{Launch, Launcher};
pub use world::{MESSAGE_MAX, MpiError, World};
