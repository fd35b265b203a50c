//! The module `amazons._amazons` of the Python package.
//!
//! Rules come from `amazons_rules` and file formats from `amazons_formats`; this crate only converts. Errors in texts,
//! boards and moves are `ValueError`s with the sentences of those crates. Long calls release the interpreter's lock and
//! look for signals several times a second, see `signals`.

mod arrays;
mod batch;
mod board;
mod classes;
mod engine;
mod move_list;
mod moves;
mod numbers;
mod planes;
mod player;
mod position;
mod random;
mod records;
mod search;
mod signals;
mod staged;
mod state;

use pyo3::prelude::*;

#[pymodule]
fn _amazons(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // Its C interface panics when the first call cannot import it.
    module.py().import("numpy")?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    board::register(module)?;
    moves::register(module)?;
    position::register(module)?;
    state::register(module)?;
    batch::register(module)?;
    records::register(module)?;
    engine::register(module)?;
    player::register(module)?;
    // The package's own list says what is public.
    module.delattr("__all__")
}
