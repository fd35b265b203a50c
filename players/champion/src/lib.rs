//! The strongest player: a best-first search on half-moves, with a learned evaluation of all distances on the board.
//!
//! It thinks as long as the server allows and keeps its tree between moves. The search is in `amazons-engine` and
//! `amazons-search`; for its strength see `docs/strength.md`.

use std::ffi::CStr;

use amazons_engine::{EvalTable, Method};
use amazons_engine_player::EnginePlayer;
use amazons_player::rules::{Move, Position};
use amazons_player::{GameInfo, Opinion, Player, export_player};
use amazons_search::MctsConfig;

/// Bytes for the tree: about four seconds' worth on one thread and the standard board; a full tree drops the least
/// visited nodes.
const TREE: usize = 512 << 20;

struct Champion(EnginePlayer);

impl Player for Champion {
    const NAME: &'static CStr = c"champion";

    fn new(game: &GameInfo) -> Self {
        let config = MctsConfig { memory_bytes: TREE, threads: game.limits.threads.get(), ..MctsConfig::default() };
        Self(EnginePlayer::new(game, Method::BestFirst(config), EvalTable::standard))
    }

    fn play(&mut self, position: &Position) -> Option<Move> {
        self.0.play(position)
    }

    fn opinion(&self) -> Option<Opinion> {
        self.0.opinion()
    }
}

export_player!(Champion);
