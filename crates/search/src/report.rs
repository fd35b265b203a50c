use std::fmt;

use crate::{Budget, Game, Outcome};

/// A search algorithm.
pub trait Searcher<G: Game> {
    /// Searches until the budget ends it, the outcome is proven, or nothing is left to search.
    /// Even with an empty budget the report has a move, if one exists.
    fn search(&mut self, game: &G, budget: &mut dyn Budget) -> SearchReport<G::Move> {
        self.search_avoiding(game, budget, None)
    }

    /// As [`Searcher::search`], but takes an avoided line only if it is better by more than a margin.
    fn search_avoiding(&mut self, game: &G, budget: &mut dyn Budget, avoided: Avoid<G::Move>) -> SearchReport<G::Move>;

    /// Follows moves from the last searched position, for a searcher that keeps its tree.
    /// Optional: a search of another position notices the change.
    fn advance(&mut self, _moves: &[G::Move]) {}

    /// Forgets all searches.
    fn clear(&mut self);

    /// Returns how full the memory is, 0 to 1; `None` if that is unknown.
    fn fullness(&self) -> Option<f32> {
        None
    }

    /// Returns at most `count` best lines of the last search that differ within their first `plies` moves; the first is
    /// the one to play. A searcher that only knows the best line returns an empty list.
    fn lines(&self, _plies: u32, _count: usize) -> Vec<SearchLine<G::Move>> {
        Vec::new()
    }
}

/// The lines to avoid, if any.
pub type Avoid<'a, M> = Option<&'a Avoided<'a, M>>;

/// Lines to play only if no other is about as good.
pub struct Avoided<'a, M> {
    /// Returns whether to avoid lines that begin with these two moves.
    pub is_avoided: &'a dyn Fn(M, M) -> bool,
    /// The value to give up for another line.
    pub margin: f32,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchReport<M> {
    /// The move to play; `None` when the game is over.
    pub best: Option<M>,
    /// The value of the position from First's view: ±1 for a proven win.
    pub value: f32,
    /// The best play of both sides, beginning with `best`.
    pub principal_variation: Vec<M>,
    /// Nodes visited: moves played by a depth-first search, descents from the root by a best-first one.
    pub nodes: u64,
    /// Plies of the last finished iteration, or of the deepest line visited.
    pub depth: u32,
    /// The outcome with best play, if certain.
    pub proof: Option<Proof>,
    /// Every move of the root, best first.
    pub moves: Vec<RootMove<M>>,
}

/// A certain outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The result of best play.
    pub outcome: Outcome,
    /// Plies within which the winner can force a position with a known [`Game::outcome`].
    pub plies: u32,
}

/// The statistics of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// Nodes spent on it, including those kept from earlier searches.
    pub visits: u64,
    /// Its value from First's view. A depth-first search knows only that of the best move; the others are bounds.
    pub value: f32,
    /// The outcome after it, if certain; plies count from the position after the move.
    pub proof: Option<Proof>,
}

/// A continuation, as far as searched.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchLine<M> {
    /// The moves: those that distinguish the line, then the best play of both.
    pub moves: Vec<M>,
    /// The value after the distinguishing moves, from First's view.
    pub value: f32,
    /// Visits of that position, including those kept from earlier searches.
    pub visits: u64,
    /// The outcome of that position, if certain; plies count from there.
    pub proof: Option<Proof>,
}

impl<M> fmt::Debug for Avoided<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Avoided").field("margin", &self.margin).finish_non_exhaustive()
    }
}

impl<M> SearchReport<M> {
    /// Returns the report on a finished game.
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
