//! Ranks over threads and over both MPI libraries: messages, collectives, jobs, and what goes wrong with them.

mod conformance;
mod faults;
mod idle;
mod jobs;
mod launched;
mod lost;
