//! What tests of several parts need.

pub(crate) mod alone;
mod install;

pub(crate) use install::{compile_c, compiler, player, server, write_headers};
