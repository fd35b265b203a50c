use std::time::Duration;

use serde::Serialize;

use crate::tournament::overhead::Histogram;

/// Everything that depends on time, which standings leave out: no two runs have the same.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Timing {
    /// The slowest move of each player, in the order of the plan.
    pub slowest: Vec<Slowest>,
    /// Games that are not rated: of pairs that are not whole, or that were begun beyond a test's verdict.
    pub unrated_games: u64,
    /// Moves that this run has measured; earlier runs of the event are not in it.
    pub moves: u64,
    /// The runner's overhead of a move, in microseconds: half of the moves had no more.
    pub overhead_median_us: Option<f64>,
    /// The runner's overhead of a move, in microseconds: 99 % of the moves had no more.
    pub overhead_99_us: Option<f64>,
}

/// A player's slowest move, as charged.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Slowest {
    pub player: String,
    /// The time in milliseconds.
    pub ms: f64,
    pub pair: u32,
    pub game: u8,
}

impl Timing {
    /// Sets what a run has measured.
    pub fn set_overhead(&mut self, overhead: &Histogram) {
        let micros = |time: Duration| (time.as_secs_f64() * 1e7).round() / 10.0;
        self.moves = overhead.total();
        self.overhead_median_us = overhead.quantile(0.5).map(micros);
        self.overhead_99_us = overhead.quantile(0.99).map(micros);
    }
}
