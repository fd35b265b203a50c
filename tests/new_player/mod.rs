//! `server new-player`: its output is built for real and plays.

mod build;
mod refusals;
