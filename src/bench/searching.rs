use std::sync::Arc;
use std::time::Instant;

use amazons_engine::{AnyGame, Game, HalfMoves, Isa, Judge, Table};
use amazons_rules::Position;
use amazons_search::{AlphaBeta, AlphaBetaConfig, Limits, Mcts, MctsConfig, Searcher};

/// What a search of fixed size came to.
#[derive(Clone, Copy, Debug)]
pub struct Searched {
    /// Moves played by a depth-first search, visits of a best-first one.
    pub nodes: u64,
    /// What tells two builds apart: the nodes of a depth-first search, the size of a best-first one's tree.
    pub signature: u64,
    /// Half-moves: those that were asked for, or those of the longest line.
    pub depth: u32,
    /// Seconds that it took, without preparing the board.
    pub seconds: f64,
}

/// Bytes of a depth-first search's table: more nodes than it has entries are never searched here.
const TABLE: usize = 16 << 20;
/// Bytes for a best-first search's tree, which it does not fill.
const TREE: usize = 256 << 20;

/// Searches all lines of so many half-moves.
#[must_use]
pub fn depth_first(position: &Position, isa: Isa, depth: u32) -> Searched {
    match game(position, isa) {
        AnyGame::Small(game) => deepen(game, position, depth),
        AnyGame::Medium(game) => deepen(game, position, depth),
        AnyGame::Large(game) => deepen(game, position, depth),
        AnyGame::Graph(game) => deepen(game, position, depth),
    }
}

/// Visits leaves so many times, on one thread.
#[must_use]
pub fn best_first(position: &Position, isa: Isa, visits: u64) -> Searched {
    match game(position, isa) {
        AnyGame::Small(game) => visit(game, position, visits),
        AnyGame::Medium(game) => visit(game, position, visits),
        AnyGame::Large(game) => visit(game, position, visits),
        AnyGame::Graph(game) => visit(game, position, visits),
    }
}

fn game(position: &Position, isa: Isa) -> AnyGame {
    AnyGame::new(Arc::clone(position.board()), Arc::new(Table::standard()), isa)
}

fn deepen<G: Game>(game: G, position: &Position, depth: u32) -> Searched {
    let root = HalfMoves::new(Arc::new(game), position);
    let config = AlphaBetaConfig { table_bytes: TABLE, ..AlphaBetaConfig::default() };
    let mut search = AlphaBeta::new(config, Judge::default());
    let start = Instant::now();
    let report = search.search(&root, &mut Limits::depth(depth));
    let seconds = start.elapsed().as_secs_f64();
    Searched { nodes: report.nodes, signature: report.nodes, depth: report.depth, seconds }
}

fn visit<G: Game<State: Send> + Send + Sync>(game: G, position: &Position, visits: u64) -> Searched {
    let root = HalfMoves::new(Arc::new(game), position);
    let config = MctsConfig { memory_bytes: TREE, ..MctsConfig::default() };
    let mut search = Mcts::new(config, Judge::default());
    let start = Instant::now();
    let report = search.search(&root, &mut Limits::nodes(visits));
    let seconds = start.elapsed().as_secs_f64();
    Searched { nodes: report.nodes, signature: search.tree_nodes() as u64, depth: report.depth, seconds }
}
