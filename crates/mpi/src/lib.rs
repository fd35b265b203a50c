//! A world of ranks that send each other messages: threads of this process, or the processes of an MPI job.
//!
//! ```
//! use std::convert::Infallible;
//! use amazons_mpi::{Deadline, Filter, ThreadWorld, World, jobs};
//!
//! /// Every rank runs this, in any kind of world.
//! fn squares(world: &mut impl World) -> Vec<u64> {
//!     // Messages are bytes with a tag, to one rank or from any; a rank that waits sleeps.
//!     if world.rank() == 1 {
//!         world.send(0, 7, b"here I am".to_vec()).unwrap();
//!     } else if world.rank() == 0 {
//!         let message = world.receive(Filter::ANY.with_tag(7), Deadline::NEVER).unwrap();
//!         assert_eq!((message.from, &message.bytes[..]), (1, &b"here I am"[..]));
//!     }
//!     let limit = world.broadcast(0, vec![9], Deadline::NEVER).unwrap()[0];
//!
//!     // Rank 0 hands out jobs, all do them, and the results are put into the order of the jobs.
//!     let square = |task: jobs::Task<'_, u64>| Ok::<_, Infallible>(task.job * task.job);
//!     let led = jobs::lead(world, &jobs::Options::default(), square, |ranks| {
//!         let (mut results, mut squares) = (jobs::InOrder::default(), Vec::new());
//!         (0..limit.into()).for_each(|number| results.expect(ranks.push(&number)));
//!         while !results.is_empty() {
//!             let event = ranks.next_event(Deadline::NEVER).expect("a rank that works");
//!             if let Some(jobs::Event::Result { job, answer, .. }) = event {
//!                 results.insert(job, answer);
//!             }
//!             squares.extend(std::iter::from_fn(|| results.pop()).map(|(_, square)| square));
//!         }
//!         squares
//!     });
//!     led.unwrap().0.unwrap_or_default()
//! }
//!
//! let results = ThreadWorld::run(3, |world| squares(world));
//! assert_eq!(results[0].as_ref().unwrap(), &[0, 1, 4, 9, 16, 25, 36, 49, 64]);
//! assert!(results[1].as_ref().unwrap().is_empty(), "rank 0 has them");
//! ```
//!
//! Under `mpirun` the same function runs on an [`MpiWorld`]. [`MpiWorld::start`] finds this process's launcher in the
//! environment and opens its MPI library, Open MPI or MPICH, so the build needs none; [`MpiWorld::leave`] ends it.
//!
//! | | |
//! |---|---|
//! | [`World`] | send, receive, probe, broadcast, gather, barrier, abort; the calls of a back-end |
//! | [`ThreadWorld`], [`MpiWorld`] | the back-ends; [`AnyWorld`] is either |
//! | [`TracedWorld`] | wraps any other: counts messages and bytes, and may keep them |
//! | [`jobs`] | jobs for free ranks, results in order, lost ranks |
//! | [`encode`], [`decode`] | the bytes of any value |
//! | [`physical_cores`] | the cores that ranks may use |
#![warn(missing_docs)]

mod any;
mod codec;
mod cores;
mod deadline;
pub mod jobs;
mod message;
mod mpi;
mod threads;
mod traced;
mod world;

pub use any::AnyWorld;
pub use codec::{DecodeError, EncodeError, Json, Payload, decode, encode};
pub use cores::{allowed_processors, one_of_each, physical_cores};
pub use deadline::{Backoff, Deadline};
pub use message::{Filter, LibraryError, MESSAGE_MAX, Message, TAG_MAX, Tag, WorldError};
pub use mpi::{JoinError, Launch, Launcher, MpiWorld, Start};
pub use threads::ThreadWorld;
pub use traced::{Entry, Keep, Trace, TracedWorld, Traffic};
pub use world::{World, abort_on_panic};
