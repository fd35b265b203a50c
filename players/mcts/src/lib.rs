//! An example of a best-first search with a simple evaluation: the side nearer to more of the board is ahead.
//!
//! A ply of the search is half a move, a queen's step or its arrow. See `crates/search/src/mcts` for the steps of a
//! visit, `crates/engine-player` for its settings, and `players/champion` for the same search with better weights.

use amazons_engine_player::{Bundled, export_bundled};

export_bundled!(Bundled::Mcts);
