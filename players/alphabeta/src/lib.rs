//! An example of a depth-first search: every move and every answer, ever deeper until the time is up.
//!
//! A ply of the search is half a move, a queen's step or its arrow, so depth 4 is a move and its answer. See
//! `crates/search/src/alpha_beta` for how it skips irrelevant lines.

use std::ffi::CStr;

use amazons_engine::{EvalTable, Method, Weights};
use amazons_engine_player::EnginePlayer;
use amazons_player::rules::{Move, Position};
use amazons_player::{GameInfo, Opinion, Player, export_player};
use amazons_search::AlphaBetaConfig;

struct AlphaBetaPlayer(EnginePlayer);

impl Player for AlphaBetaPlayer {
    const NAME: &'static CStr = c"alphabeta";

    fn new(game: &GameInfo) -> Self {
        let method = Method::DepthFirst(AlphaBetaConfig::default());
        Self(EnginePlayer::new(game, method, || EvalTable::new(Weights::standard())))
    }

    fn play(&mut self, position: &Position) -> Option<Move> {
        self.0.play(position)
    }

    fn opinion(&self) -> Option<Opinion> {
        self.0.opinion()
    }
}

export_player!(AlphaBetaPlayer);
