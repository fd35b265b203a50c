//! The common part of all searching players: they search until their clock tells them to answer.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

use std::fmt;
use std::sync::Arc;

use amazons_engine::{Arrows, Engine, EngineConfig, EvalTable, Method, SearchResult, engine};
use amazons_player::rules::{Move, Position};
use amazons_player::{GameClock, GameInfo, Opinion, Rng};
use amazons_search::Progress;

/// A search with a clock.
pub struct EnginePlayer {
    /// `None` on boards too large to search.
    engine: Option<Box<dyn Engine>>,
    clock: GameClock,
    /// The option `nodes`: a search ends after about this many nodes.
    nodes: u64,
    rng: Rng,
    opinion: Option<Opinion>,
}

impl EnginePlayer {
    /// Prepares for a game with this search and the evaluation that `table` makes.
    pub fn new(game: &GameInfo, method: Method, table: impl FnOnce() -> EvalTable) -> Self {
        let mut clock = GameClock::new(&game.limits);
        let arrows = if game.limits.are_told() { Arrows::Any } else { Arrows::Clear };
        let config = EngineConfig { arrows, ..EngineConfig::new(method) };
        let engine = clock.charge(|| engine(Arc::clone(&game.board), Arc::new(table()), config)).ok();
        Self { engine, clock, nodes: game.option("nodes").unwrap_or(u64::MAX), rng: game.rng(), opinion: None }
    }

    /// Returns what the last search found; `None` after a move drawn at random.
    pub fn opinion(&self) -> Option<Opinion> {
        self.opinion.clone()
    }

    /// Chooses a move; draws one at random if there is no search or no time.
    pub fn play(&mut self, position: &Position) -> Option<Move> {
        self.opinion = None;
        match (&mut self.engine, self.clock.start_move(position)) {
            (Some(engine), Some(mut clock)) => {
                let nodes = self.nodes;
                let mut budget = |progress: &Progress| progress.nodes >= nodes || clock.is_over();
                let result = engine.search(position, &mut budget)?;
                self.opinion = Some(opinion(&result));
                Some(result.mv)
            }
            _ => position.random_move(&mut self.rng),
        }
    }
}

/// Returns the value of a search with its size; for a search without a time limit, the same in every game.
fn opinion(result: &SearchResult) -> Opinion {
    let proven = result.proof.map_or("", |_| ", proven");
    Opinion { value: result.value.into(), text: format!("depth {}, {} nodes{proven}", result.depth, result.nodes) }
}

impl fmt::Debug for EnginePlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EnginePlayer").field("clock", &self.clock).finish_non_exhaustive()
    }
}
