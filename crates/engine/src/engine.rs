use amazons_rules::{Move, Position};
use amazons_search::{Budget, Proof};

/// Chooses moves on one board; it keeps its tree from move to move.
pub trait Engine: Send {
    /// Searches until the budget ends it; `None` when the side to move is blocked.
    ///
    /// Positions of one game should come in their order, each one or two moves after the one before: then what the tree
    /// knows of the next is kept.
    fn search(&mut self, position: &Position, budget: &mut dyn Budget) -> Option<SearchResult>;

    /// Returns the best moves of the position that was searched last, at most so many, in the order in which they would
    /// be chosen; a depth-first search knows one only.
    fn lines(&self, count: usize) -> Vec<Variation>;
}

/// A move, and what follows as far as the search has looked.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    /// The move and those that follow if both play their best.
    pub moves: Vec<Move>,
    /// The value of the move for the side to move: 1 for a certain win, -1 for a certain loss.
    pub value: f32,
    /// Visits of the tree that went this way, those of earlier searches included.
    pub visits: u64,
    /// The outcome after the move, when it is certain; plies, which are half-moves, count from before the move.
    pub proof: Option<Proof>,
}

/// The choice of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The move to play.
    pub mv: Move,
    /// The value for the side to move: 1 for a certain win, -1 for a certain loss.
    pub value: f32,
    /// The outcome, when it is certain.
    pub proof: Option<Proof>,
    /// Visits of the tree in this search.
    pub nodes: u64,
    /// Half-moves of the longest line.
    pub depth: u32,
    /// The move, and those that follow if both play their best.
    pub principal_variation: Vec<Move>,
}

/// Which of about equally good moves an engine prefers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrows {
    /// Any of them.
    #[default]
    Any,
    /// Those whose arrow neither passes nor hits the vertex that the queen left: some servers forbid such arrows.
    Clear,
}
