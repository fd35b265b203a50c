//! The host: frames, calls, faults, and what is left behind.

mod calls;
mod confinement;
mod faults;
mod frames;
mod in_process;
mod inherited;
mod leftovers;
mod loading;
mod rig;
mod seccomp;
mod set_up;
mod symbols;
mod wire;
