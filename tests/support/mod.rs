//! Helpers shared by several parts of the tests.

pub(crate) mod alone;
pub(crate) mod deaths;
mod install;
mod processes;
mod without;

pub(crate) use amazons_launchers::Mpi;
pub(crate) use install::{
    compile_c, compile_cpp, compile_program, compiler, install_dir, player, player_in_c, server, server_counts,
    slow_player, try_compile_c, write_headers,
};
pub(crate) use processes::{children, is_gone, process_with};
pub(crate) use without::without;
