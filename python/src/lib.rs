//! The module `amazons._amazons` of the Python package.
//!
//! Rules come from `amazons_rules` and file formats from `amazons_formats`; this crate only converts. Errors in texts,
//! boards and moves are `ValueError`s with the sentences of those crates. Long calls release the interpreter's lock and
//! look for signals several times a second, see `signals`.

mod board;
mod engine;
mod moves;
mod perft;
mod player;
mod position;
mod signals;

use pyo3::prelude::*;

#[pymodule]
fn _amazons(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    board::register(module)?;
    moves::register(module)?;
    position::register(module)?;
    engine::register(module)?;
    player::register(module)
}
