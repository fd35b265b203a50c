use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Buckets for each doubling of a time.
const PER_OCTAVE: f64 = 16.0;
/// Doublings from 100 ns: up to almost two minutes.
const OCTAVES: f64 = 30.0;
const MIN_NS: f64 = 100.0;

/// Times counted in buckets 4 % apart, so that millions take little memory: the numbers of buckets, and counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram(BTreeMap<u16, u64>);

impl Histogram {
    /// Counts a time.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is cut to the range of buckets")]
    pub fn add(&mut self, time: Duration) {
        let octaves = (time.as_nanos() as f64 / MIN_NS).max(1.0).log2();
        let bucket = (octaves * PER_OCTAVE).min(OCTAVES * PER_OCTAVE - 1.0);
        *self.0.entry(bucket as u16).or_default() += 1;
    }

    /// Adds the counts of another one.
    pub fn merge(&mut self, other: &Self) {
        for (&bucket, more) in &other.0 {
            *self.0.entry(bucket).or_default() += more;
        }
    }

    /// Returns how many times were counted.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    /// Returns the time that this share of the times does not exceed, within 4 %; none without times.
    pub fn quantile(&self, share: f64) -> Option<Duration> {
        let wanted = share * self.total() as f64;
        let mut seen = 0;
        let (&bucket, _) = self.0.iter().find(|&(_, count)| {
            seen += count;
            seen as f64 >= wanted
        })?;
        let octaves = (f64::from(bucket) + 0.5) / PER_OCTAVE;
        Duration::try_from_secs_f64(MIN_NS * octaves.exp2() / 1e9).ok()
    }
}
