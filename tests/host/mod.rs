//! The host: frames, calls, faults, and what is left behind.

mod calls;
mod clocks;
mod confinement;
mod crash_reports;
mod degraded;
mod exceptions;
mod fair_clocks;
mod faults;
mod fork_server;
mod frames;
mod in_process;
mod inherited;
mod leftovers;
mod loading;
mod memory;
mod notices;
mod programs;
mod rig;
mod runtimes;
mod sandbox;
mod seccomp;
mod set_up;
mod shared_core;
mod symbols;
mod thread_libraries;
mod wire;
