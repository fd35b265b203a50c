//! Measures visits of the best-first search, and nodes of alpha-beta, on a made-up game whose evaluation is all but
//! free: `cargo run --release --package amazons-search --example measure [threads]`.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use amazons_search::{
    AlphaBeta, AlphaBetaConfig, Evaluator, Game, Limits, Mcts, MctsConfig, Outcome, Player, Searcher,
};

const MOVES: u32 = 30;

/// Moves played by all searches: what a visit costs grows with its plies.
static PLAYED: AtomicU64 = AtomicU64::new(0);

/// Every position has `MOVES` moves and no end; the turn passes after every second move.
#[derive(Clone)]
struct Endless {
    keys: Vec<u64>,
}

impl Endless {
    fn after(&self, mv: u32) -> u64 {
        let bits = (self.key() ^ u64::from(mv)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        bits ^ bits >> 29
    }
}

impl Game for Endless {
    type Move = u32;

    fn pack(mv: u32) -> u32 {
        mv
    }

    fn unpack(packed: u32) -> u32 {
        packed
    }

    fn turn(&self) -> Player {
        if self.keys.len() & 2 == 0 { Player::First } else { Player::Second }
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        moves.clear();
        moves.extend(0..MOVES);
    }

    fn play(&mut self, mv: u32) {
        PLAYED.fetch_add(1, Ordering::Relaxed);
        self.keys.push(self.after(mv));
    }

    fn undo(&mut self, _: u32) {
        self.keys.pop();
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn key(&self) -> u64 {
        self.keys.last().copied().unwrap_or(1)
    }
}

/// Hashes a position to a value between −1/4 and 1/4.
#[derive(Clone)]
struct Hash;

fn value(key: u64) -> f32 {
    f32::from(i16::from_le_bytes([key.to_le_bytes()[4], key.to_le_bytes()[5]])) / 131_072.0
}

impl Evaluator<Endless> for Hash {
    fn evaluate(&mut self, game: &Endless) -> f32 {
        value(game.key())
    }

    fn evaluate_moves(&mut self, game: &mut Endless, moves: &[u32], values: &mut Vec<f32>) {
        values.clear();
        values.extend(moves.iter().map(|&mv| value(game.after(mv))));
    }
}

fn main() {
    let threads = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(1);
    let game = Endless { keys: Vec::new() };
    // The colder the priors, the deeper the lines.
    for temperature in [0.1, 1.0] {
        for expand_after in [1, 2, 4] {
            let config =
                MctsConfig { expand_after, temperature, cpuct: 10.0 * temperature, threads, ..MctsConfig::default() };
            let mut mcts = Mcts::new(config, Hash);
            for visits in [100_000, 100_000, 1_000_000] {
                mcts.clear();
                PLAYED.store(0, Ordering::Relaxed);
                let start = Instant::now();
                let report = mcts.search(&game, &mut Limits::nodes(visits));
                let seconds = start.elapsed().as_secs_f64();
                println!(
                    "mcts, temperature {temperature}, expand after {expand_after}: {:.2} M visits/s of {:.1} plies, {} nodes",
                    count(report.nodes) / seconds / 1e6,
                    count(PLAYED.load(Ordering::Relaxed)) / count(report.nodes),
                    mcts.tree_nodes()
                );
            }
            let best = mcts.search(&game, &mut Limits::nodes(0)).best.into_iter().collect::<Vec<_>>();
            let start = Instant::now();
            mcts.advance(&best);
            println!("  advance keeps {} nodes in {:?}", mcts.tree_nodes(), start.elapsed());
        }
    }
    let start = Instant::now();
    let report = AlphaBeta::new(AlphaBetaConfig::default(), Hash).search(&game, &mut Limits::nodes(5_000_000));
    println!(
        "alpha-beta: {:.2} M nodes/s, depth {}",
        count(report.nodes) / start.elapsed().as_secs_f64() / 1e6,
        report.depth
    );
}

#[expect(clippy::cast_precision_loss, reason = "figures of three digits")]
fn count(nodes: u64) -> f64 {
    nodes as f64
}
