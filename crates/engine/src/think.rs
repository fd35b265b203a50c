use amazons_rules::{Move, Position};
use amazons_search::{Budget, Proof};

/// Chooses moves on one board; it keeps its tree from move to move.
pub trait Think: Send {
    /// Searches until the budget ends it; `None` when the side to move is blocked.
    ///
    /// Positions of one game should come in their order, each one or two moves after the one before: then what the tree
    /// knows of the next is kept.
    fn think(&mut self, position: &Position, budget: &mut dyn Budget) -> Option<Thought>;

    /// Returns the best moves of the position that was thought about last, at most so many, in the order in which
    /// they would be chosen; a depth-first search knows one only.
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

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
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
    /// The moves that follow if both play their best.
    pub principal_variation: Vec<Move>,
}

/// What a thinker prefers among moves that are about equally good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrows {
    /// Nothing.
    #[default]
    Any,
    /// Arrows that neither pass the vertex that the queen left nor land on it: there are servers that forbid those.
    Clear,
}
