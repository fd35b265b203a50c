//! The engine's analysis of positions and games.

mod annotations;
mod command;
mod facts;
mod queries;
mod territory;

use std::sync::Arc;

use amazons::analysis::{Analyst, Effort};
use amazons_rules::{Board, Position, Shape};
use rand_xoshiro::Xoshiro256PlusPlus;

/// An analyst with a budget of visits: its results are the same everywhere.
fn analyst(position: &Position, nodes: u64) -> Analyst {
    let effort = Effort { nodes: Some(nodes), ..Effort::default() };
    Analyst::new(position.board(), effort).expect("a board that is small enough")
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
