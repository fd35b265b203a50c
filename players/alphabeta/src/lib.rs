//! An example of a depth-first search: every move and every answer, deeper and deeper until the time is over.
//!
//! A ply of the search is half a move, a queen's step or its arrow, so depth 4 is a move and its answer. Read
//! `crates/search/src/alpha_beta` for how it leaves out what cannot matter.

use std::ffi::CStr;
use std::sync::Arc;

use amazons_engine::{Isa, Method, Table, Think, Weights, thinker};
use amazons_player::rules::{Move, Position};
use amazons_player::{Game, MoveClock, Player, Rng, TimeLimits, export_player};
use amazons_search::AlphaBetaConfig;

struct AlphaBetaPlayer {
    /// Nothing on boards that are larger than what a search can see through.
    thinker: Option<Box<dyn Think>>,
    limits: TimeLimits,
    rng: Rng,
}

impl Player for AlphaBetaPlayer {
    const NAME: &'static CStr = c"alphabeta";

    fn new(game: &Game) -> Self {
        let table = Arc::new(Table::new(Weights::standard()));
        let method = Method::DepthFirst(AlphaBetaConfig::default());
        let thinker = thinker(Arc::clone(&game.board), table, Isa::best(), &method).ok();
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

export_player!(AlphaBetaPlayer);
