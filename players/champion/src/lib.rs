//! The strongest player: a best-first search on half-moves, with a learned evaluation of all distances on the board.
//!
//! It thinks as long as the server allows and keeps its tree between moves. The search is in `amazons-engine` and
//! `amazons-search`; for its strength see `docs/strength.md`.

use amazons_engine_player::{Bundled, export_bundled};

export_bundled!(Bundled::Champion);
