//! The engine's analysis of positions and games.

mod annotations;
mod command;
mod facts;
mod queries;
mod territory;
mod timing;

use std::sync::Arc;

use amazons::analysis::{Analyst, Effort};
use amazons_engine::{EngineConfig, Method};
use amazons_rules::{Board, Position, Shape};
use amazons_search::MctsConfig;
use rand_xoshiro::Xoshiro256PlusPlus;

/// An analyst with a budget of visits: its results are the same everywhere.
fn analyst(position: &Position, nodes: u64) -> Analyst {
    let effort = Effort { nodes: Some(nodes), ..Effort::default() };
    // Its usual tree takes longer to lay out than such searches.
    let tree = MctsConfig { memory_bytes: 4 << 20, ..MctsConfig::default() };
    Analyst::with_config(position.board(), effort, EngineConfig::new(Method::BestFirst(tree)))
        .expect("a board that is small enough")
}

/// A position after some random moves.
fn any_position(shape: Shape, m: u32, plies: usize, rng: &mut Xoshiro256PlusPlus) -> Position {
    let mut position = Position::start(Arc::new(Board::new(shape, m).expect("a legal size")));
    for _ in 0..plies {
        let Some(mv) = position.random_move(rng) else { break };
        position.play_unchecked(mv);
    }
    position
}
