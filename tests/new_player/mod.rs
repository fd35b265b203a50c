//! `server new-player`: what it writes is built for real and plays.

mod build;
mod refusals;
