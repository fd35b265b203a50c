//! Observations: what a state looks like as planes of zeros and ones.

use amazons_rules::Color;

use crate::staged::Staged;

/// Name and meaning of each plane, in order.
pub(crate) const PLANES: [(&str, &str); 10] = [
    ("own queens", "queens of the side to move; during a turn the moving queen still stands on its origin"),
    ("other queens", "queens of the other side"),
    ("arrows", "vertices that an arrow has hit"),
    ("holes", "cells that the shape lacks"),
    ("side to move", "all ones when Black is to move, all zeros when White is"),
    ("choose queen", "all ones while the queen is to be chosen"),
    ("choose target", "all ones while its target is to be chosen"),
    ("choose arrow", "all ones while its arrow is to be chosen"),
    ("origin", "the queen chosen in this turn"),
    ("target", "the target chosen in this turn"),
];

/// Writes all planes, each row by row from the top.
pub(crate) fn write(state: &Staged, out: &mut [f32]) {
    let position = &state.position;
    let board = position.board();
    let side = position.side_to_move();
    out.fill(0.0);
    let mut planes = out.chunks_mut(board.vertex_ids());
    let mut next = || planes.next().unwrap_or_default();
    for color in [side, side.opposite()] {
        let plane = next();
        position.queens(color).iter().for_each(|&queen| plane[queen as usize] = 1.0);
    }
    let (arrows, holes) = (next(), next());
    for id in (0..).take(arrows.len()).filter(|&id| !position.is_free(id)) {
        let plane = if board.is_vertex(id) { &mut *arrows } else { &mut *holes };
        plane[id as usize] = 1.0;
    }
    position.queens(Color::Black).iter().chain(position.queens(Color::White)).for_each(|&at| arrows[at as usize] = 0.0);
    for is_set in [side == Color::Black, state.phase() == 0, state.phase() == 1, state.phase() == 2] {
        let plane = next();
        if is_set {
            plane.fill(1.0);
        }
    }
    for chosen in state.chosen() {
        let plane = next();
        if let Some(at) = chosen {
            plane[at as usize] = 1.0;
        }
    }
}
