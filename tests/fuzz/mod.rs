//! Properties of everything that reads foreign input, tested with generated input.
//!
//! A run is short and always the same. `AMAZONS_FUZZ_SECONDS=60` makes every target run that long with fresh seeds, and
//! `AMAZONS_FUZZ_SEED=N` repeats the one run that a failure names.

mod allocation;
mod boards;
mod frames;
mod games;
mod libraries;
mod matrices;
mod moves;
mod mutation;
mod positions;
mod records;
mod reports;
mod set_up;

use std::env;
use std::fmt::Debug;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use amazons_testing::let_pass;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestRng, TestRunner};

/// The seed of the short run.
const FIRST_SEED: u64 = 20_260_101;

/// Holds a property against values of a strategy; panics with the smallest value that breaks it.
fn check<S: Strategy>(target: &str, cases: u32, strategy: &S, property: impl Fn(S::Value) -> TestCaseResult)
where
    S::Value: Debug,
{
    let seconds: Option<u64> = setting("AMAZONS_FUZZ_SECONDS");
    let only: Option<u64> = setting("AMAZONS_FUZZ_SEED");
    let is_over = Arc::new(AtomicBool::new(seconds.is_none() || only.is_some()));
    if let Some(seconds) = seconds {
        let is_over = Arc::clone(&is_over);
        thread::spawn(move || {
            let_pass(Duration::from_secs(seconds));
            is_over.store(true, Ordering::Relaxed);
        });
    }
    let mut executions: u64 = 0;
    loop {
        let seed = only.unwrap_or_else(|| if seconds.is_some() { fresh_seed() } else { FIRST_SEED });
        // Nothing is kept of a failure but its seed: files would land in the sources.
        let config = Config { cases, failure_persistence: None, max_shrink_iters: 4096, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, rng(seed));
        if let Err(error) = runner.run(strategy, &property) {
            panic!("{target}: AMAZONS_FUZZ_SEED={seed}: {error}");
        }
        executions += u64::from(cases);
        if is_over.load(Ordering::Relaxed) {
            break;
        }
    }
    println!("{target}: {executions} executions");
}

fn setting<T: FromStr>(name: &str) -> Option<T> {
    let value = env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name}: '{value}' is not a number")))
}

fn fresh_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

fn rng(seed: u64) -> TestRng {
    TestRng::from_seed(RngAlgorithm::ChaCha, &[seed.to_le_bytes(); 4].concat())
}
