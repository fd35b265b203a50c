//! The strongest player: a best-first search on half-moves, with a learned evaluation of all distances on the board.
//!
//! It thinks as long as the server lets it and keeps its tree from move to move. What it does is in `amazons-engine`
//! and `amazons-search`; how strong that is, in `docs/strength.md`.

use std::ffi::CStr;
use std::sync::Arc;

use amazons_engine::{Isa, Method, Table, Think, thinker};
use amazons_player::rules::{Move, Position};
use amazons_player::{Game, MoveClock, Player, Rng, TimeLimits, export_player};
use amazons_search::MctsConfig;

/// Bytes for the tree: some four seconds' worth on one thread and the standard board; a full one forgets the least visited.
const TREE: usize = 512 << 20;

struct Champion {
    /// Nothing on boards that are larger than what a search can see through.
    thinker: Option<Box<dyn Think>>,
    limits: TimeLimits,
    rng: Rng,
}

impl Player for Champion {
    const NAME: &'static CStr = c"champion";

    fn new(game: &Game) -> Self {
        let config = MctsConfig { memory_bytes: TREE, threads: game.limits.threads.get(), ..MctsConfig::default() };
        let table = Arc::new(Table::standard());
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

export_player!(Champion);
