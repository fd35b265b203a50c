//! Ranks over threads and over both MPI libraries: messages, collectives, jobs, and failures.

mod conformance;
mod faults;
mod jobs;
mod launched;
mod lost;
mod timing;
