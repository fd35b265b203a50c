use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Buckets for each doubling of a time.
const PER_OCTAVE: u32 = 16;
/// Doublings from 100 ns: up to almost two minutes.
const OCTAVES: u32 = 30;
const SHORTEST_NS: f64 = 100.0;

/// Times counted in buckets 4 % apart, so that millions take no more memory than one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<(usize, u64)>", into = "Vec<(usize, u64)>")]
pub struct Histogram {
    counts: Vec<u64>,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { counts: vec![0; (PER_OCTAVE * OCTAVES) as usize] }
    }
}

/// Most buckets of a single game are empty, and are not written down.
impl From<Histogram> for Vec<(usize, u64)> {
    fn from(histogram: Histogram) -> Self {
        histogram.counts.into_iter().enumerate().filter(|&(_, count)| count > 0).collect()
    }
}

impl From<Vec<(usize, u64)>> for Histogram {
    fn from(buckets: Vec<(usize, u64)>) -> Self {
        let mut histogram = Self::default();
        for (bucket, count) in buckets {
            if let Some(known) = histogram.counts.get_mut(bucket) {
                *known += count;
            }
        }
        histogram
    }
}

impl Histogram {
    /// Counts a time.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is cut to the range of buckets")]
    pub fn add(&mut self, time: Duration) {
        let octaves = (time.as_nanos() as f64 / SHORTEST_NS).max(1.0).log2();
        let last = self.counts.len() - 1;
        self.counts[((octaves * f64::from(PER_OCTAVE)) as usize).min(last)] += 1;
    }

    /// Adds what another one has counted.
    pub fn merge(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
    }

    /// Returns how many times were counted.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the time that this share of the times does not exceed, within 4 %; none without times.
    #[must_use]
    pub fn quantile(&self, share: f64) -> Option<Duration> {
        let wanted = share * self.total() as f64;
        let mut seen = 0;
        let bucket = self.counts.iter().position(|count| {
            seen += count;
            seen > 0 && seen as f64 >= wanted
        })?;
        let octaves = (bucket as f64 + 0.5) / f64::from(PER_OCTAVE);
        Some(Duration::from_secs_f64(SHORTEST_NS * octaves.exp2() / 1e9))
    }
}
