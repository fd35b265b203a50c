use crate::{Board, Color, Position, Vertex};

/// Queen-move distances from a colour's queens to every vertex, measured repeatedly without allocating.
#[derive(Clone, Debug)]
pub struct DistanceMap {
    distances: Vec<u8>,
    frontier: Vec<Vertex>,
    next: Vec<Vertex>,
}

impl DistanceMap {
    /// The distance of unreachable vertices, stones and holes.
    pub const UNREACHABLE: u8 = u8::MAX;

    /// Makes a map for positions on this board.
    pub fn new(board: &Board) -> Self {
        Self { distances: vec![Self::UNREACHABLE; board.vertex_ids()], frontier: Vec::new(), next: Vec::new() }
    }

    /// Returns for each vertex id the queen moves from the colour's nearest queen, at most 254. Panics when the
    /// position is on a board of another size.
    pub fn queen_distances(&mut self, position: &Position, color: Color) -> &[u8] {
        assert_eq!(self.distances.len(), position.board().vertex_ids(), "the map was made for another board");
        self.distances.fill(Self::UNREACHABLE);
        self.frontier.clear();
        self.frontier.extend_from_slice(position.queens(color));
        let lines = position.board().lines();
        let mut distance = 0;
        while !self.frontier.is_empty() {
            distance = (distance + 1).min(Self::UNREACHABLE - 1);
            self.next.clear();
            for at in 0..self.frontier.len() {
                let from = self.frontier[at];
                let spans = lines.spans(position.words(), from);
                for (span, place) in spans.into_iter().zip(lines.places(from)) {
                    self.reach(distance, lines.between(span.below, place).iter().rev());
                    self.reach(distance, lines.between(place, span.above).iter());
                }
            }
            std::mem::swap(&mut self.frontier, &mut self.next);
        }
        &self.distances
    }

    /// Marks a path, nearest vertex first, up to a vertex that was already nearer: from there the rest is reached as
    /// early.
    #[inline]
    fn reach<'a>(&mut self, distance: u8, way: impl Iterator<Item = &'a Vertex>) {
        for &to in way {
            let known = &mut self.distances[to as usize];
            if *known == Self::UNREACHABLE {
                *known = distance;
                self.next.push(to);
            } else if *known < distance {
                break;
            }
        }
    }
}
