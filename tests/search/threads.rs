use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use amazons_search::{AlphaBeta, AlphaBetaConfig, Evaluator, Limits, Mcts, MctsConfig, Outcome, Progress, Searcher};
use amazons_testing::wait_until;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::boxes::Boxes;
use super::domineering::Domineering;
use super::slow::{self, Noise};

fn config(threads: usize) -> MctsConfig {
    MctsConfig { threads, expand_after: 1, memory_bytes: 0, ..MctsConfig::default() }
}

#[test]
fn threads_prove_what_minimax_proves() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(41);
    for round in 0..300 {
        let left = rng.random_range(1..=8);
        let game = Boxes::random(&mut rng, left);
        let report = Mcts::new(config(2 + round % 3), Noise).search(&game, &mut Limits::nodes(5_000_000));
        assert_eq!(report.proof.map(|proof| proof.outcome), Some(slow::solve(&game).0), "{game:?}");
    }
}

#[test]
fn threads_count_every_visit_once() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(42);
    for _ in 0..8 {
        let game = Domineering::random(&mut rng, 25);
        let report = Mcts::new(config(2), Noise).search(&game, &mut Limits::nodes(20_000));
        if report.proof.is_some() {
            continue;
        }
        assert_eq!(report.nodes, 20_000);
        assert_eq!(report.moves.iter().map(|root| root.visits).sum::<u64>(), 20_000, "{game:?}");
        // Virtual losses are all undone: means lie between the existing values.
        assert!(report.moves.iter().all(|root| root.value.abs() <= 1.0), "{game:?}");
        for root in report.moves.iter().filter(|root| root.proof.is_some()) {
            assert!(matches!(root.proof.map(|proof| proof.outcome), Some(Outcome::Win(_))));
        }
    }
}

#[test]
fn a_flag_stops_searches_in_several_threads() {
    let game = Domineering::random(&mut Xoshiro256PlusPlus::seed_from_u64(43), 25);
    let stop = AtomicBool::new(false);
    let looks = [const { AtomicU32::new(0) }; 2];
    let limits = |search: usize| {
        let (stop, looks) = (&stop, &looks[search]);
        move |_: &Progress| {
            looks.fetch_add(1, Ordering::Relaxed);
            stop.load(Ordering::Relaxed)
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| Mcts::new(config(2), Noise).search(&game, &mut limits(0)));
        let table = AlphaBetaConfig { table_bytes: 1 << 16, ..AlphaBetaConfig::default() };
        scope.spawn(|| AlphaBeta::new(table, Noise).search(&game, &mut limits(1)));
        wait_until("both search", || looks.iter().all(|looks| looks.load(Ordering::Relaxed) > 2));
        stop.store(true, Ordering::Relaxed);
    });
}

/// Panics after some evaluations.
#[derive(Clone, Debug)]
struct Fragile(u32);

impl Evaluator<Domineering> for Fragile {
    fn evaluate(&mut self, _: &Domineering) -> f32 {
        self.0 = self.0.checked_sub(1).expect("broken down");
        0.0
    }
}

#[test]
fn a_panic_in_a_thread_ends_the_search() {
    let game = Domineering::random(&mut Xoshiro256PlusPlus::seed_from_u64(44), 25);
    let result = std::panic::catch_unwind(|| {
        Mcts::new(config(2), Fragile(2000)).search(&game, &mut Limits::default());
    });
    assert!(result.is_err());
}
