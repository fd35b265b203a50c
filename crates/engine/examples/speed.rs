//! Measures evaluations and half-moves per second of CPU time, on all boards or on those named:
//! `cargo run --release -p amazons-engine --example speed -- c20 c40`.

#![expect(clippy::cast_precision_loss, reason = "figures for people")]

use std::hint::black_box;
use std::sync::Arc;

use amazons_engine::{AnyGame, EvalTable, Game, Isa, Weights};
use amazons_rules::{Board, Position, Shape};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

const SEED: u64 = 1;
const EVALUATIONS: usize = 4_000_000;

fn main() {
    println!("positions of random games, all plies, seed {SEED}; one thread, CPU time");
    let starts = [
        ("10x10", Position::standard()),
        ("c8", start(Shape::Square, 8)),
        ("d10", start(Shape::Donut, 10)),
        ("c16", start(Shape::Square, 16)),
        ("c20", start(Shape::Square, 20)),
        ("c40", start(Shape::Square, 40)),
    ];
    let named: Vec<String> = std::env::args().skip(1).collect();
    for (name, position) in starts {
        if !named.is_empty() && !named.iter().any(|other| other == name) {
            continue;
        }
        for isa in Isa::available() {
            for (kind, table) in [("network", EvalTable::standard()), ("weights", EvalTable::new(Weights::standard()))]
            {
                let name = format!("{name} {kind}");
                match AnyGame::new(Arc::clone(position.board()), Arc::new(table), isa) {
                    AnyGame::Small(game) => measure(&name, isa, &game, &position),
                    AnyGame::Medium(game) => measure(&name, isa, &game, &position),
                    AnyGame::Large(game) => measure(&name, isa, &game, &position),
                    AnyGame::Graph(game) => measure(&name, isa, &game, &position),
                }
            }
        }
    }
}

fn start(shape: Shape, m: u32) -> Position {
    Position::start(Arc::new(Board::new(shape, m).expect("a legal size")))
}

fn measure<G: Game>(name: &str, isa: Isa, game: &G, start: &Position) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut states = Vec::new();
    for _ in 0..40 {
        let mut position = start.clone();
        while let Some(mv) = position.random_move(&mut rng) {
            states.push(game.state(&position));
            position.play_unchecked(mv);
        }
    }
    let scale = (start.board().vertex_count() / 100).pow(2).max(1);
    let rounds = (EVALUATIONS / scale).div_ceil(states.len());
    let evaluations = rounds * states.len();
    let mut sum = 0i64;
    let seconds = cpu_seconds(|| {
        for _ in 0..rounds {
            for state in &states {
                sum += i64::from(black_box(game.evaluate(black_box(state))).score);
            }
        }
    });
    let (mut halves, mut arrows) = (Vec::new(), Vec::new());
    let (mut steps, mut shots) = (0, 0);
    let generating = cpu_seconds(|| {
        let sample = states.iter().step_by(1 + states.len() / 400);
        for state in (0..(100 / scale).max(1)).flat_map(|_| sample.clone()) {
            let mut state = state.clone();
            halves.clear();
            game.moves(&state, &mut halves);
            for &step in &halves {
                steps += 1;
                game.play(&mut state, step);
                arrows.clear();
                game.moves(&state, &mut arrows);
                shots += arrows.len();
                game.undo(&mut state, step);
            }
        }
    });
    println!(
        "{name:13} {:9} {:7.3} M evaluations/s ({:5.0} ns); {:6.1} ns a step with its arrows, {:6.1} M moves/s; check {sum} {shots}",
        isa.name(),
        evaluations as f64 / seconds / 1e6,
        seconds * 1e9 / evaluations as f64,
        generating * 1e9 / f64::from(steps),
        shots as f64 / generating / 1e6,
    );
}

fn cpu_seconds(work: impl FnOnce()) -> f64 {
    let before = cpu_now();
    work();
    cpu_now() - before
}

/// Returns the CPU time of this thread in seconds, from Linux's scheduler.
fn cpu_now() -> f64 {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux with scheduler statistics");
    let nanoseconds = statistics.split(' ').next().and_then(|number| number.parse::<f64>().ok());
    nanoseconds.expect("the first number is the time on the CPU") / 1e9
}
