//! An evaluation by territory.

use amazons_player::rules::{Board, DistanceMap, Position};

/// The value of a vertex that one side reaches first.
const OWNED: i32 = 32;
/// The value, for the side to move, of a vertex that both reach equally soon.
const TIED: i32 = 6;
/// The value of a vertex one queen move away; it halves with each further move.
const CLOSE: i32 = 16;
/// The value of a won game, above any sum over a board.
const WON: i32 = i32::MAX;

/// Measures positions on one board, with both sides' distances in reused memory.
pub(crate) struct Evaluation {
    ours: DistanceMap,
    theirs: DistanceMap,
}

impl Evaluation {
    pub(crate) fn new(board: &Board) -> Self {
        Self { ours: DistanceMap::new(board), theirs: DistanceMap::new(board) }
    }

    /// Returns the value of a position for the side that has just moved.
    pub(crate) fn after_move(&mut self, position: &Position) -> i32 {
        if !position.has_moves() {
            return WON;
        }
        let to_move = position.side_to_move();
        let theirs = self.theirs.queen_distances(position, to_move);
        let ours = self.ours.queen_distances(position, to_move.opposite());
        ours.iter().zip(theirs).map(|(&ours, &theirs)| vertex_value(ours, theirs)).sum()
    }
}

/// Returns the value of a vertex for the side not to move; `UNREACHABLE` exceeds all other distances.
fn vertex_value(ours: u8, theirs: u8) -> i32 {
    let owner = match ours.cmp(&theirs) {
        std::cmp::Ordering::Less => OWNED,
        std::cmp::Ordering::Greater => -OWNED,
        std::cmp::Ordering::Equal if ours == DistanceMap::UNREACHABLE => 0,
        std::cmp::Ordering::Equal => -TIED,
    };
    owner + closeness(ours) - closeness(theirs)
}

/// Early in a game territory is nearly equal; then being near to many vertices is worth more.
fn closeness(distance: u8) -> i32 {
    (2 * CLOSE) >> distance.min(31)
}
