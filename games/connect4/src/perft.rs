//! Counting positions, which checks the rules.

use std::collections::HashSet;

use crate::Position;
use crate::geometry::{AnySize, Geometry};

/// Counts the sequences of that many moves, and those of them that win with the last one.
///
/// A finished game has no continuation.
pub fn sequences(position: &Position, depth: u32) -> (u64, u64) {
    if position.ending().is_some() && depth > 0 {
        return (0, 0);
    }
    count(AnySize::new(position.size()), position.own(), position.stones(), depth)
}

fn count(geometry: AnySize, own: u64, stones: u64, depth: u32) -> (u64, u64) {
    if depth == 0 {
        return (1, 0);
    }
    let playable = geometry.playable(stones);
    let wins = playable & geometry.fours(own, stones);
    if depth == 1 {
        return (u64::from(playable.count_ones()), u64::from(wins.count_ones()));
    }
    let (mut sum, mut left) = ((0, 0), playable & !wins);
    while left != 0 {
        let cell = left & left.wrapping_neg();
        left ^= cell;
        let (all, won) = count(geometry, own ^ stones, stones | cell, depth - 1);
        sum = (sum.0 + all, sum.1 + won);
    }
    sum
}

/// Returns the different positions after that many moves, and how many of them are won by the last one.
pub fn distinct(position: &Position, depth: u32) -> (HashSet<Position>, usize) {
    let mut layer = HashSet::from([*position]);
    for _ in 0..depth {
        layer = layer.iter().flat_map(|position| position.columns().map(|column| position.after(column))).collect();
    }
    let won = layer.iter().filter(|position| matches!(position.ending(), Some(crate::Ending::Win(_)))).count();
    (layer, won)
}
