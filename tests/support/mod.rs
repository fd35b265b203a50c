//! What tests of several parts need.

mod install;

pub(crate) use install::{compile_c, compiler, player, server, write_headers};
