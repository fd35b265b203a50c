//! What tests of several parts need.

pub(crate) mod alone;
mod install;
mod mpi;
mod processes;
mod without;

pub(crate) use install::{compile_c, compiler, player, server, write_headers};
pub(crate) use mpi::Mpi;
pub(crate) use processes::process_with;
pub(crate) use without::without;
