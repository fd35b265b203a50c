use std::fmt;

use crate::{Budget, Game, Outcome};

/// Anything that chooses a move.
pub trait Searcher<G: Game> {
    /// Searches until the budget ends it, the outcome is proven, or nothing is left to search.
    ///
    /// Even with an empty budget the report names a move, if there is one.
    fn search(&mut self, game: &G, budget: &mut dyn Budget) -> Report<G::Move> {
        self.search_avoiding(game, budget, None)
    }

    /// Searches as [`Searcher::search`] does, and takes an avoided line only where it is better by more than a margin.
    fn search_avoiding(&mut self, game: &G, budget: &mut dyn Budget, avoided: Avoid<G::Move>) -> Report<G::Move>;

    /// Follows moves that were played from the position of the last search, for a searcher that keeps something for the next.
    ///
    /// Never needed: a search in another position finds out by itself.
    fn advance(&mut self, _moves: &[G::Move]) {}

    /// Returns the best lines of the last search, at most so many, that differ within their first `plies` moves; the first is
    /// the one to play. A searcher that only knows the best line returns none.
    #[must_use]
    fn lines(&self, _plies: u32, _count: usize) -> Vec<Line<G::Move>> {
        Vec::new()
    }
}

/// The lines to avoid, if any.
pub type Avoid<'a, M> = Option<&'a Avoided<'a, M>>;

/// Lines that are to be played only where no other is about as good.
pub struct Avoided<'a, M> {
    /// Returns whether a line that begins with these two moves is one of them.
    pub is_avoided: &'a dyn Fn(M, M) -> bool,
    /// The value that may be lost for another line.
    pub margin: f32,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// The move to play; `None` when the game is over.
    pub best: Option<M>,
    /// The value of the position, seen from First: ±1 for a proven win.
    pub value: f32,
    /// The line that both play, beginning with `best`.
    pub principal_variation: Vec<M>,
    /// Nodes visited: moves played by a depth-first search, descents from the root by a best-first one.
    pub nodes: u64,
    /// Plies of the last finished iteration, or of the deepest line visited.
    pub depth: u32,
    /// The outcome with best play, when it is certain.
    pub proof: Option<Proof>,
    /// Every move of the root, best first.
    pub moves: Vec<RootMove<M>>,
}

/// A certain outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The result of best play.
    pub outcome: Outcome,
    /// Plies within which the winner can force a position whose [`Game::outcome`] is known.
    pub plies: u32,
}

/// The statistics of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// Nodes spent on it, those kept from earlier searches included.
    pub visits: u64,
    /// Its value, seen from First. A depth-first search knows the best move's only, and gives a bound for others.
    pub value: f32,
    /// The outcome after it, when it is certain; plies count from the position after the move.
    pub proof: Option<Proof>,
}

/// A way to go on, as far as a search has looked.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<M> {
    /// The moves: those that tell it from other lines, then what both play best.
    pub moves: Vec<M>,
    /// The value of the position after the moves that tell it from others, seen from First.
    pub value: f32,
    /// Visits of that position, those kept from earlier searches included.
    pub visits: u64,
    /// The outcome of that position, when it is certain; plies count from there.
    pub proof: Option<Proof>,
}

impl<M> fmt::Debug for Avoided<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Avoided").field("margin", &self.margin).finish_non_exhaustive()
    }
}

impl<M> Report<M> {
    /// The report on a game that is over.
    pub(crate) const fn over(outcome: Outcome) -> Self {
        Self {
            best: None,
            value: outcome.value(),
            principal_variation: Vec::new(),
            nodes: 0,
            depth: 0,
            proof: Some(Proof { outcome, plies: 0 }),
            moves: Vec::new(),
        }
    }
}
