use std::hint::black_box;
use std::sync::Arc;

use amazons_rules::Position;
use amazons_search::{AlphaBeta, Budget, Mcts, Searcher};

use crate::{AnyGame, Game, HalfMoves, Method, NetworkEvaluator};

/// The result of a bare search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BareReport {
    /// Moves played by a depth-first search, or visits of a best-first one.
    pub nodes: u64,
    /// Nodes in the tree of a best-first search; 0 for a depth-first one.
    pub tree_nodes: usize,
    /// Half-moves of the longest line.
    pub depth: u32,
}

/// A search that is ready to begin.
pub type BareSearch = Box<dyn FnOnce(&mut dyn Budget) -> BareReport>;

/// Calls a function with the game inside, whatever its type.
macro_rules! with_game {
    ($any:expr, $function:ident($($argument:expr),*)) => {
        match $any {
            AnyGame::Small(game) => $function(game, $($argument),*),
            AnyGame::Medium(game) => $function(game, $($argument),*),
            AnyGame::Large(game) => $function(game, $($argument),*),
            AnyGame::Graph(game) => $function(game, $($argument),*),
        }
    };
}

impl AnyGame {
    /// Prepares a search with an empty tree and no endgame counting, to measure search and evaluation alone and to
    /// compare builds.
    #[must_use]
    pub fn bare_search(self, position: &Position, method: &Method) -> BareSearch {
        with_game!(self, bare_search(position, method))
    }

    /// Prepares to evaluate the positions repeatedly and to sum their scores.
    #[must_use]
    pub fn evaluator(self, positions: &[Position]) -> Box<dyn Fn() -> i64> {
        with_game!(self, evaluator(positions))
    }
}

fn bare_search<G>(game: G, position: &Position, method: &Method) -> BareSearch
where
    G: Game<State: Send> + Send + Sync + 'static,
{
    let root = HalfMoves::new(Arc::new(game), position);
    match method.clone() {
        Method::BestFirst(config) => {
            let mut search = Mcts::new(config, NetworkEvaluator::default());
            Box::new(move |budget| {
                let report = search.search(&root, budget);
                BareReport { nodes: report.nodes, tree_nodes: search.tree_nodes(), depth: report.depth }
            })
        }
        Method::DepthFirst(config) => {
            let mut search = AlphaBeta::new(config, NetworkEvaluator::default());
            Box::new(move |budget| {
                let report = search.search(&root, budget);
                BareReport { nodes: report.nodes, tree_nodes: 0, depth: report.depth }
            })
        }
    }
}

fn evaluator<G: Game + 'static>(game: G, positions: &[Position]) -> Box<dyn Fn() -> i64> {
    let states: Vec<G::State> = positions.iter().map(|position| game.state(position)).collect();
    Box::new(move || states.iter().map(|state| i64::from(game.evaluate(black_box(state)).score)).sum())
}
