//! An example of a depth-first search: every move and every answer, ever deeper until the time is up.
//!
//! A ply of the search is half a move, a queen's step or its arrow, so depth 4 is a move and its answer. See
//! `crates/search/src/alpha_beta` for how it skips irrelevant lines, and `crates/engine-player` for
//! its settings.

use amazons_engine_player::{Bundled, export_bundled};

export_bundled!(Bundled::AlphaBeta);
