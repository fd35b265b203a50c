//! Measures the best-first search: visits and evaluations per second of CPU time, and a number that changes when the
//! tree does: `cargo run --release -p amazons-engine --example visits [VISITS [BOARDS [THREADS [MIB]]]]`.

#![expect(clippy::cast_precision_loss, reason = "figures for people")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use amazons_engine::{AnyGame, EvalTable, Game, HalfMove, HalfMoves, Isa, NetworkEvaluator};
use amazons_rules::{Board, Position, Shape};
use amazons_search::{Evaluator, Game as _, Limits, Mcts, MctsConfig, SearchReport, Searcher};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

const SEED: u64 = 1;
const VISITS: u64 = 100_000;
/// Random plies before each search.
const PLIES: [u32; 6] = [0, 8, 16, 24, 32, 40];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let visits = arguments.next().map_or(VISITS, |text| text.parse().expect("VISITS is a number"));
    let boards = arguments.next().unwrap_or_else(|| "10x10,c8,d9,c20,c40".to_owned());
    let threads = arguments.next().map_or(1, |text| text.parse().expect("THREADS is a number"));
    let mib: usize = arguments.next().map_or(1024, |text| text.parse().expect("MIB is a number"));
    println!(
        "searches of {visits} visits after {PLIES:?} random plies, seed {SEED}; {threads} threads, CPU time of all, trees of {mib} MiB"
    );
    let config = MctsConfig { memory_bytes: mib << 20, threads, ..MctsConfig::default() };
    for name in boards.split(',') {
        let start = start(name);
        let table = Arc::new(EvalTable::standard());
        // Larger boards get fewer visits, for about the same time.
        let visits = visits / (start.board().vertex_count() as u64 / 100).pow(2).max(1);
        match AnyGame::new(Arc::clone(start.board()), table, Isa::best()) {
            AnyGame::Small(game) => measure(name, game, &start, visits, &config),
            AnyGame::Medium(game) => measure(name, game, &start, visits, &config),
            AnyGame::Large(game) => measure(name, game, &start, visits, &config),
            AnyGame::Graph(game) => measure(name, game, &start, visits, &config),
        }
    }
}

fn start(name: &str) -> Position {
    let start = |shape, m: &str| {
        let m = m.parse().expect("a board is 10x10, or c, d, t and a size");
        Position::start(Arc::new(Board::new(shape, m).expect("a legal size")))
    };
    match name.split_at(1) {
        ("c", m) => start(Shape::Square, m),
        ("d", m) => start(Shape::Donut, m),
        ("t", m) => start(Shape::Clover, m),
        _ => Position::standard(),
    }
}

/// Counts evaluations.
#[derive(Clone)]
struct Counting {
    evaluator: NetworkEvaluator,
    count: Arc<AtomicU64>,
}

impl<G: Game> Evaluator<HalfMoves<G>> for Counting {
    fn evaluate(&mut self, game: &HalfMoves<G>) -> f32 {
        self.count.fetch_add(1, Relaxed);
        self.evaluator.evaluate(game)
    }

    fn evaluate_moves(&mut self, game: &mut HalfMoves<G>, moves: &[HalfMove], values: &mut Vec<f32>) {
        self.count.fetch_add(moves.len() as u64, Relaxed);
        self.evaluator.evaluate_moves(game, moves, values);
    }
}

fn measure<G>(name: &str, game: G, start: &Position, visits: u64, config: &MctsConfig)
where
    G: Game<State: Send> + Send + Sync,
{
    let game = Arc::new(game);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let (mut made, mut evaluations, mut depth, mut seconds, mut check) = (0, 0, 0, 0.0, 0);
    for plies in PLIES {
        let mut position = start.clone();
        for _ in 0..plies {
            let Some(mv) = position.random_move(&mut rng) else { break };
            position.play_unchecked(mv);
        }
        let root = HalfMoves::new(Arc::clone(&game), &position);
        let counter = Counting { evaluator: NetworkEvaluator::default(), count: Arc::default() };
        let mut mcts = Mcts::new(config.clone(), counter.clone());
        let before = cpu_now();
        let report = mcts.search(&root, &mut Limits::nodes(visits));
        seconds += cpu_now() - before;
        made += report.nodes;
        evaluations += counter.count.load(Relaxed);
        depth += report.depth;
        check ^= checksum::<G>(&report).rotate_left(plies);
    }
    println!(
        "{name:6} {:8.0} visits/s ({:5.0} ns), {:6.3} M evaluations/s ({:4.1} a visit), depth {:5.1}, check {check:016x}",
        made as f64 / seconds,
        seconds * 1e9 / made as f64,
        evaluations as f64 / seconds / 1e6,
        evaluations as f64 / made as f64,
        f64::from(depth) / PLIES.len() as f64,
    );
}

/// Hashes the statistics of the root's moves.
fn checksum<G: Game>(report: &SearchReport<<HalfMoves<G> as amazons_search::Game>::Move>) -> u64 {
    report.moves.iter().fold(report.nodes, |sum, root| {
        let parts = [u64::from(HalfMoves::<G>::pack(root.mv)), root.visits, root.value.to_bits().into()];
        parts.iter().fold(sum, |sum, part| (sum ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29))
    })
}

/// Returns this process's CPU time in seconds by Linux's scheduler; ended threads count in clock ticks only.
fn cpu_now() -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0;
    let statistics = std::fs::read_to_string("/proc/self/stat").expect("Linux with /proc");
    let (_, fields) = statistics.rsplit_once(')').expect("the name stands in parentheses");
    let number = |at| fields.split_whitespace().nth(at).and_then(|field| field.parse::<f64>().ok());
    let ticks = number(11).zip(number(12)).map(|(user, system)| user + system);
    ticks.expect("fields 14 and 15 are the times in user and system mode") / TICKS_PER_SECOND
}
