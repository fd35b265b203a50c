//! The slow twin of the evaluation: breadth-first search over the rules' slides, class by class as documented.

use std::sync::Arc;

use amazons_engine::{Features, KING_CLASSES, NEIGHBOR_CLASSES, QUEEN_CLASSES};
use amazons_rules::{Color, DistanceMap, Move, Position, Step, Vertex};

/// The expected [`Features`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    queen: [[u32; QUEEN_CLASSES]; QUEEN_CLASSES],
    king: [[u32; KING_CLASSES]; KING_CLASSES],
    liberties: [[u32; 2]; NEIGHBOR_CLASSES],
    mobility: [[u32; 2]; NEIGHBOR_CLASSES],
    openness: u32,
    own_only: [u32; 2],
    free: u32,
    due: Step,
}

impl Counts {
    /// Counts in a position, or in one where an arrow is due because the other side is really to shoot.
    pub(crate) fn new(position: &Position, mover: Color, due: Step) -> Self {
        let board = position.board();
        let sides = [mover, mover.opposite()];
        let mut map = DistanceMap::new(board);
        let by_queen = sides.map(|side| map.queen_distances(position, side).to_vec());
        let by_king = sides.map(|side| king_distances(position, side));
        let mut counts = Self {
            queen: [[0; QUEEN_CLASSES]; QUEEN_CLASSES],
            king: [[0; KING_CLASSES]; KING_CLASSES],
            liberties: [[0; 2]; NEIGHBOR_CLASSES],
            mobility: [[0; 2]; NEIGHBOR_CLASSES],
            openness: 0,
            own_only: [0; 2],
            free: 0,
            due,
        };
        for vertex in board.vertices().filter(|&vertex| position.is_free(vertex)) {
            counts.free += 1;
            let queen = by_queen.each_ref().map(|distances| distances[vertex as usize]);
            let king = by_king.each_ref().map(|distances| distances[vertex as usize]);
            let reached = queen.map(|distance| distance != DistanceMap::UNREACHABLE);
            if !reached[0] && !reached[1] {
                continue;
            }
            let class = |distance: u8, classes: usize| match distance {
                DistanceMap::UNREACHABLE => classes - 1,
                _ => usize::from(distance).min(classes - 1) - 1,
            };
            counts.queen[class(queen[0], QUEEN_CLASSES)][class(queen[1], QUEEN_CLASSES)] += 1;
            counts.king[class(king[0], KING_CLASSES)][class(king[1], KING_CLASSES)] += 1;
            for side in 0..2 {
                counts.own_only[side] += u32::from(reached[side] && !reached[1 - side]);
                if queen[side] == 1 && reached[1 - side] {
                    counts.mobility[free_neighbors(position, vertex)][side] += 1;
                }
            }
            if reached[0] && reached[1] {
                counts.openness += 16 >> queen[0].min(5).abs_diff(queen[1].min(5));
            }
        }
        for (side, color) in sides.into_iter().enumerate() {
            for &queen in position.queens(color) {
                counts.liberties[free_neighbors(position, queen)][side] += 1;
            }
        }
        counts
    }

    pub(crate) fn of(features: &Features) -> Self {
        Self {
            queen: std::array::from_fn(|mover| std::array::from_fn(|opponent| features.queen(mover, opponent))),
            king: std::array::from_fn(|mover| std::array::from_fn(|opponent| features.king(mover, opponent))),
            liberties: std::array::from_fn(|count| features.liberties(count)),
            mobility: std::array::from_fn(|count| features.mobility(count)),
            openness: features.openness,
            own_only: features.own_only,
            free: features.free,
            due: features.due,
        }
    }
}

/// The next vertex in each direction, where it is free.
fn next_to(position: &Position, vertex: Vertex) -> impl Iterator<Item = Vertex> {
    position.board().neighbors(vertex).into_iter().flatten().flatten().filter(|&to| position.is_free(to))
}

fn free_neighbors(position: &Position, vertex: Vertex) -> usize {
    next_to(position, vertex).count()
}

fn king_distances(position: &Position, side: Color) -> Vec<u8> {
    let mut distances = vec![DistanceMap::UNREACHABLE; position.board().vertex_ids()];
    let mut frontier = position.queens(side).to_vec();
    let mut distance = 0u8;
    while !frontier.is_empty() {
        distance = (distance + 1).min(DistanceMap::UNREACHABLE - 1);
        let mut reached = Vec::new();
        for to in frontier.iter().flat_map(|&vertex| next_to(position, vertex)) {
            let known = &mut distances[to as usize];
            if *known == DistanceMap::UNREACHABLE {
                *known = distance;
                reached.push(to);
            }
        }
        frontier = reached;
    }
    distances
}

/// The position with the queen moved and no arrow, the same side to move.
pub(crate) fn stepped(position: &Position, mv: Move) -> Position {
    let queens = Color::ALL.map(|color| {
        let moved = |&queen: &Vertex| if queen == mv.from { mv.to } else { queen };
        position.queens(color).iter().map(moved).collect()
    });
    let arrows: Vec<Vertex> = position.arrows().collect();
    Position::new(Arc::clone(position.board()), queens, &arrows, position.side_to_move()).expect("a legal step")
}
