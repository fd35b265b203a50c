//! Untrusted programs and libraries, each in a confined, limited and monitored process.
//!
//! A [`ForkServer`] is the executable itself, started again with an argument that its `main` passes to [`entry`]. It
//! forks a process for each program or library, which locks itself down before any foreign code runs: Landlock,
//! seccomp, resource limits, and if it was root, a user without rights ([`confinement`]). The caller waits for replies
//! with deadlines, by the wall clock or the process's own; meanwhile it monitors the memory, threads and processor time
//! of all processes of its fork server. `docs/security.md` lists what that guarantees.
//!
//! A [`Program`] communicates in lines of text:
//!
//! ```no_run
//! use std::path::Path;
//! use std::process::ExitCode;
//! use std::time::{Duration, Instant};
//!
//! use amazons_sandbox::{ForkServer, Program, ProgramConfig, entry, no_library};
//!
//! const MODE: &str = "__sandbox";
//!
//! fn main() -> ExitCode {
//!     if let Some(served) = entry(MODE, no_library) {
//!         return if served.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
//!     }
//!     let parent = ForkServer::start(Path::new("/proc/self/exe"), MODE).unwrap();
//!     let mut bot = Program::start(&parent, &ProgramConfig::new("bots/alice")).unwrap();
//!     println!("confined: {}", bot.await_ready().unwrap());
//!     let end = Instant::now() + Duration::from_secs(1);
//!     match bot.send("your guess?", end).and_then(|()| bot.line(end)) {
//!         Ok(Some(line)) => println!("it says {line}"),
//!         Ok(None) => println!("it is over: {}", bot.silence()),
//!         Err(error) => println!("it failed: {error}"),
//!     }
//!     ExitCode::SUCCESS
//! }
//! ```
//!
//! For a library, the caller supplies code that runs in the process: a [`Prepare`] reads the caller's own message and
//! returns a [`Serve`], which opens the library and answers requests. The caller starts a [`Process`] with
//! [`ProcessTask::Serve`] and interprets the replies.
#![warn(missing_docs)]

pub mod bytes;
mod call_meter;
mod child;
pub mod confinement;
mod crash;
mod entry;
mod error;
mod family;
mod fork_server;
mod handover;
mod installation;
mod interference;
mod limits;
mod lockdown;
mod memory;
mod notice;
mod printed;
mod probe;
mod process;
mod program;
mod queue;
mod refusals;
pub mod report;
mod resource_watch;
mod sandbox;
mod shared_core;
mod signals;
mod spec;
mod start;
mod symbols;
mod task_clock;
pub mod text;
mod time;
mod trace;
mod words;

pub use bytes::SetUpError;
pub use child::{DISCONNECTED, Prepare, Serve, no_library};
pub use confinement::{SandboxMode, TEMPORARY, landlock_error, unchanged_user};
pub use crash::{REPORTED, WHERE};
pub use entry::entry;
pub use error::Error;
pub use fork_server::{ForkServer, ProcessEnd};
pub use installation::{find_program, installations};
pub use interference::Interference;
pub use limits::{address_space_hint, be_idle, limits_objection, raise_limits, soft_limit};
pub use lockdown::{FAMILY_LIMIT, mapping_limits, raise_stack_limit};
pub use memory::{available as available_memory, kernel_kills, left_in_groups, proc_is_ours};
pub use notice::{NOTICE_LEN, Notice, NoticeKind};
pub use printed::{Printed, Tail};
pub use probe::{Probe, seccomp_error};
pub use process::{NoReply, Process, START_LIMIT};
pub use program::{Program, ProgramConfig, ProgramError};
pub use refusals::Refusal;
pub use resource_watch::Overrun;
pub use sandbox::{RefusedStep, Sandbox, SandboxLevel, SandboxUser};
pub use shared_core::Cores;
pub use signals::signal_name;
pub use spec::{ProcessSpec, ProcessTask, absolute};
pub use start::start;
pub use symbols::{LIBRARY_MAX, SourceLocation, is_foreign, locate, locate_in};
pub use time::{CpuLimit, Deadline, Timeouts, cpu_time_of_all};
pub use trace::backtrace;
pub use words::{WordsError, words};
