//! A small process that forks others, started once for many games.
//!
//! Starting an executable costs more than half a millisecond, most of it for mapping libraries; a fork of a small
//! process that has done all that costs a fraction. The fork server has one thread, a clean environment and no memory
//! of any game, and it never runs foreign code: each fork gets its set-up over its own pipe and locks itself down.
//!
//! As the parent it also knows how each process ended, and as a subreaper it inherits what a process left behind where
//! the sandbox could not prevent that. It ends when the server's end of the socket is closed, however that happens.

mod client;
mod serve;
mod wire;

pub use client::ForkServer;
pub(crate) use serve::serve;
pub use wire::ProcessEnd;
