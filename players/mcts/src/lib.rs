//! An example of a best-first search with a simple evaluation: the side nearer to more of the board is ahead.
//!
//! A ply of the search is half a move, a queen's step or its arrow. See `crates/search/src/mcts` for the steps of a
//! visit, and `players/champion` for the same search with better weights.

use std::ffi::CStr;

use amazons_engine::{EvalTable, Method, Weights};
use amazons_engine_player::EnginePlayer;
use amazons_player::rules::{Move, Position};
use amazons_player::{GameInfo, Opinion, Player, export_player};
use amazons_search::MctsConfig;

/// Bytes for the tree.
const TREE: usize = 128 << 20;

/// The worth, in log-odds, of being nearer to a vertex than the opponent.
const VERTEX: f32 = 0.15;

struct MctsPlayer(EnginePlayer);

impl Player for MctsPlayer {
    const NAME: &'static CStr = c"mcts";

    fn new(game: &GameInfo) -> Self {
        // The champion's refinements are turned off: no minimax in the values, every child considered.
        let config = MctsConfig {
            minimax_weight: 0.0,
            widening_factor: f32::INFINITY,
            temperature: 0.5,
            memory_bytes: TREE,
            threads: game.limits.threads.get(),
            ..MctsConfig::default()
        };
        Self(EnginePlayer::new(game, Method::BestFirst(config), || EvalTable::new(&territory())))
    }

    fn play(&mut self, position: &Position) -> Option<Move> {
        self.0.play(position)
    }

    fn opinion(&self) -> Option<Opinion> {
        self.0.opinion()
    }
}

/// Weights that only count the vertices that a side reaches in fewer queen moves.
fn territory() -> Weights {
    let mut weights = Weights { values: [[0.0; Weights::PHASES]; Weights::COUNT] };
    for (name, values) in Weights::names().iter().zip(&mut weights.values) {
        if name.starts_with("queen") && !name.contains("tie") {
            values.fill(VERTEX);
        }
    }
    weights
}

export_player!(MctsPlayer);
