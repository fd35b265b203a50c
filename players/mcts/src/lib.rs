//! An example of a best-first search with a simple evaluation: whoever is nearer to more of the board is ahead.
//!
//! A ply of the search is half a move, a queen's step or its arrow. Read `crates/search/src/mcts` for what a visit does, and
//! `players/champion` for what the same search does with better weights.

use std::ffi::CStr;
use std::sync::Arc;

use amazons_engine::{Isa, Method, Table, Think, Weights, thinker};
use amazons_player::rules::{Move, Position};
use amazons_player::{Game, MoveClock, Player, Rng, TimeLimits, export_player};
use amazons_search::MctsConfig;

/// Bytes for the tree.
const TREE: usize = 128 << 20;

/// What it is worth, in log-odds, to be nearer to a vertex than the opponent.
const VERTEX: f32 = 0.15;

struct MctsPlayer {
    /// Nothing on boards that are larger than what a search can see through.
    thinker: Option<Box<dyn Think>>,
    limits: TimeLimits,
    rng: Rng,
}

impl Player for MctsPlayer {
    const NAME: &'static CStr = c"mcts";

    fn new(game: &Game) -> Self {
        // What makes the champion's search better is turned off: no minimax in the values, every child considered.
        let config = MctsConfig {
            minimax_weight: 0.0,
            widening_factor: f32::INFINITY,
            temperature: 0.5,
            memory_bytes: TREE,
            threads: game.limits.threads.get(),
            ..MctsConfig::default()
        };
        let table = Arc::new(Table::new(&territory()));
        let thinker = thinker(Arc::clone(&game.board), table, Isa::best(), &Method::BestFirst(config)).ok();
        Self { thinker, limits: game.limits, rng: game.rng() }
    }

    fn play(&mut self, position: &Position) -> Option<Move> {
        let mut clock = MoveClock::start(&self.limits);
        match &mut self.thinker {
            Some(thinker) => thinker.think(position, &mut |_: &_| clock.is_over()).map(|thought| thought.mv),
            None => position.random_move(&mut self.rng),
        }
    }
}

/// Weights that count which vertices a side reaches in fewer queen moves, and nothing else.
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
