//! Fixed amounts of work for the engine: counts are the same on every machine, times are not.
//!
//! All times are processor time, so other work on the machine counts little.

mod compare;

use std::sync::Arc;

use amazons_engine::{AnyGame, BareReport, EngineConfig, EvalTable, Isa, Method};
use amazons_program::speedup::Stopwatch;
use amazons_rules::Position;
use amazons_search::{AlphaBetaConfig, Limits, MctsConfig};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

pub use compare::{BenchRow, RowRatio, bench_rows, ratios};

const SEED: u64 = 1;
const GAMES: u32 = 40;

/// The result of evaluating positions.
#[derive(Clone, Copy, Debug)]
pub struct Evaluated {
    /// Evaluations made, at least as many as requested.
    pub evaluations: u64,
    /// The sum of all scores, the same for every instruction set.
    pub sum: i64,
    /// The time in seconds.
    pub seconds: f64,
}

/// Evaluates the positions of 40 random games repeatedly, at least `evaluations` times in all.
pub fn evaluate(start: &Position, isa: Isa, evaluations: u64) -> Evaluated {
    let positions = positions(start);
    let round = AnyGame::new(Arc::clone(start.board()), Arc::new(EvalTable::standard()), isa).evaluator(&positions);
    let rounds = evaluations.div_ceil(positions.len() as u64);
    let (sum, seconds) = timed(|| (0..rounds).map(|_| round()).sum());
    Evaluated { evaluations: rounds * positions.len() as u64, sum, seconds }
}

/// Runs some work and returns its result and the processor time that this process used for it, in seconds.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let watch = Stopwatch::of_process();
    let result = work();
    (result, watch.busy().as_secs_f64())
}

/// Returns the middle one of some numbers, or the higher one of the two in the middle; zero if there are none.
pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or_default()
}

/// Returns every position of random games, from open ones to closed ones.
pub fn positions(start: &Position) -> Vec<Position> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut positions = vec![start.clone()];
    for _ in 0..GAMES {
        let mut position = start.clone();
        while let Some(mv) = position.random_move(&mut rng) {
            position.play_unchecked(mv);
            positions.push(position.clone());
        }
    }
    positions
}

/// The result of a search of fixed size.
#[derive(Clone, Copy, Debug)]
pub struct Searched {
    /// Moves played by a depth-first search, or visits of a best-first one.
    pub nodes: u64,
    /// A number that changes with the search: the nodes of a depth-first search, the tree size of a best-first one.
    pub signature: u64,
    /// Half-moves: those requested, or those of the longest line.
    pub depth: u32,
    /// The time in seconds, without preparing the board.
    pub seconds: f64,
}

/// Bytes of a depth-first search's table: searches here visit no more nodes than it has entries.
const TABLE: usize = 16 << 20;
/// Bytes for a best-first search's tree, which it does not fill.
const TREE: usize = 256 << 20;

/// Searches all lines of `depth` half-moves.
pub fn depth_first(position: &Position, isa: Isa, depth: u32) -> Searched {
    let config = AlphaBetaConfig { table_bytes: TABLE, ..AlphaBetaConfig::default() };
    let (report, seconds) = search(position, isa, &Method::DepthFirst(config), &mut Limits::depth(depth));
    Searched { nodes: report.nodes, signature: report.nodes, depth: report.depth, seconds }
}

/// Visits `visits` leaves on one thread.
pub fn best_first(position: &Position, isa: Isa, visits: u64) -> Searched {
    let judge_first = EngineConfig::judged(position.board().vertex_count());
    let config = MctsConfig { memory_bytes: TREE, judge_first, ..MctsConfig::default() };
    let (report, seconds) = search(position, isa, &Method::BestFirst(config), &mut Limits::nodes(visits));
    Searched { nodes: report.nodes, signature: report.tree_nodes as u64, depth: report.depth, seconds }
}

fn search(position: &Position, isa: Isa, method: &Method, limits: &mut Limits) -> (BareReport, f64) {
    let game = AnyGame::new(Arc::clone(position.board()), Arc::new(EvalTable::standard()), isa);
    let search = game.bare_search(position, method);
    timed(|| search(limits))
}
