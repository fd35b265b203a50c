//! A small process that forks others, started once for many games.
//!
//! Starting an executable costs more than half a millisecond, most of it for mapping libraries; forking a small process
//! that has already started costs a fraction. The fork server has one thread, a clean environment and no memory of any
//! game, and never runs foreign code: each fork receives its set-up over its own pipe and locks itself down.
//!
//! As the parent it learns how each process ended, and as a subreaper it inherits leftover processes that the sandbox
//! could not prevent. It ends when the server's end of the socket is closed for any reason.

mod client;
mod serve;
mod wire;

pub use client::ForkServer;
pub(crate) use client::PROGRAM_PATH;
pub(crate) use serve::serve;
pub use wire::ProcessEnd;
