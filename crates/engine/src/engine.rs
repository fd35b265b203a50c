use amazons_rules::{Move, Position};
use amazons_search::{Budget, Proof};

/// Chooses moves on one board; keeps its tree from move to move.
pub trait Engine: Send {
    /// Searches until the budget ends it; `None` when the side to move is blocked.
    /// Pass positions of one game in order, each one or two moves after the last, to keep the matching part of the
    /// tree.
    fn search(&mut self, position: &Position, budget: &mut dyn Budget) -> Option<SearchResult>;

    /// Returns at most `count` best moves of the last position searched, best first; a depth-first search returns one.
    fn lines(&self, count: usize) -> Vec<Variation>;

    /// Allows only these moves, which are legal, in the position of the next searches; an empty list allows all.
    /// Earlier searches are forgotten.
    fn restrict(&mut self, moves: &[Move]);

    /// Returns how full the memory for the search is, 0 to 1; `None` if that is unknown.
    fn fullness(&self) -> Option<f32> {
        None
    }
}

/// A move and its expected continuation.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    /// The move, then the best play of both sides.
    pub moves: Vec<Move>,
    /// The value of the move for the side to move: 1 for a certain win, -1 for a certain loss; people are told its
    /// [`chance`](crate::chance).
    pub value: f32,
    /// Visits of the tree through this move, including those of earlier searches.
    pub visits: u64,
    /// The outcome after the move, if certain; plies (half-moves) count from before the move.
    pub proof: Option<Proof>,
}

/// The choice of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The move to play.
    pub mv: Move,
    /// The value for the side to move: 1 for a certain win, -1 for a certain loss; people are told its
    /// [`chance`](crate::chance).
    pub value: f32,
    /// The outcome, if certain.
    pub proof: Option<Proof>,
    /// Visits of the tree in this search.
    pub nodes: u64,
    /// Half-moves of the longest line.
    pub depth: u32,
    /// The move, then the best play of both sides.
    pub principal_variation: Vec<Move>,
}

/// The arrows that an engine prefers among about equally good moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrows {
    /// Any of them.
    #[default]
    Any,
    /// Arrows that neither pass nor hit the vertex the queen left: some servers forbid the others.
    Clear,
}
