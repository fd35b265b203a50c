//! Delays in a call that the machine caused.

use std::cell::RefCell;
use std::fmt;
use std::fs;
use std::time::{Duration, Instant};

use rustix::thread::sched_getaffinity;
use serde::{Deserialize, Serialize};

use super::memory::{field, figures, ticks_to_time};

/// The minimum interval between reads of the whole machine's figures.
const SAMPLE_EVERY: Duration = Duration::from_millis(50);

/// Figures older than this when a call begins do not count as those of its beginning.
const FRESH: Duration = Duration::from_millis(100);

/// Minimum time for the kernel to reclaim a page of memory: less than measured.
const TIME_OF_A_PAGE: Duration = Duration::from_nanos(250);

/// Maximum excuse for a call.
const EXCUSE_MAX: Duration = Duration::from_secs(10);

/// Shorter delays are not mentioned.
const WORTH_MENTIONING: Duration = Duration::from_millis(1);

/// Delays in a call that the machine caused rather than the called process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interference {
    /// Microseconds for which the host of a virtual machine took away the processor that it took away longest.
    pub steal_us: u64,
    /// Microseconds for which the server did not run although it had work to do.
    pub server_us: u64,
    /// Total microseconds for which the process's threads waited for a processor.
    pub player_us: u64,
    /// Pages that the kernel reclaimed because memory was short, except those that players may have caused.
    pub reclaimed_pages: u64,
}

impl Interference {
    /// Returns how much of a delay the process certainly did not and could not cause.
    ///
    /// Delays that the process or its opponent can cause do not count: waiting for a processor, their own page faults.
    #[must_use]
    pub fn excuse(&self) -> Duration {
        let pages = u32::try_from(self.reclaimed_pages).unwrap_or(u32::MAX);
        Duration::from_micros(self.steal_us).max(TIME_OF_A_PAGE * pages).min(EXCUSE_MAX)
    }
}

impl fmt::Display for Interference {
    /// Writes every delay worth mentioning as the end of a message, or nothing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = |micros: u64| Some(Duration::from_micros(micros)).filter(|time| *time >= WORTH_MENTIONING);
        let parts = [
            time(self.steal_us).map(|time| format!("the machine's host took a processor away for {time:.0?}")),
            time(self.server_us).map(|time| format!("the server did not run for {time:.0?}")),
            time(self.player_us).map(|time| format!("the player waited {time:.0?} for a processor")),
            Some(self.reclaimed_pages)
                .filter(|&pages| pages > 0)
                .map(|pages| format!("the kernel took back {pages} pages of memory")),
        ];
        let mut before = "; meanwhile ";
        for part in parts.into_iter().flatten() {
            write!(f, "{before}{part}")?;
            before = ", ";
        }
        Ok(())
    }
}

pub(crate) fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// The machine's figures at a moment.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    at: Instant,
    /// The stolen time of each processor, in clock ticks.
    steal: Vec<u64>,
    /// The pages that were reclaimed, less those read from files, by any process.
    reclaimed: i64,
}

thread_local! {
    static LATEST: RefCell<Option<Sample>> = const { RefCell::new(None) };
}

impl Sample {
    fn take() -> Self {
        let stat = figures("/proc/stat").unwrap_or_default();
        let vmstat = figures("/proc/vmstat").unwrap_or_default();
        let figure = |name: &str| field(&vmstat, name).and_then(|figure| i64::try_from(figure).ok()).unwrap_or(0);
        let page = i64::try_from(rustix::param::page_size()).unwrap_or(i64::MAX);
        let read = figure("pgpgin").saturating_mul(1024) / page;
        let reclaimed = figure("pgsteal_kswapd") + figure("pgsteal_direct") - read;
        Self { at: Instant::now(), steal: steal_of_each(&stat), reclaimed }
    }

    /// Returns the latest figures, if they are fresh.
    pub(crate) fn recent() -> Option<Self> {
        LATEST.with_borrow(|latest| latest.clone().filter(|sample| sample.at.elapsed() < FRESH))
    }

    /// Returns the latest figures, reading them again if they are older than [`SAMPLE_EVERY`].
    pub(crate) fn renewed() -> Self {
        LATEST.with_borrow_mut(|latest| {
            if let Some(sample) = latest.as_ref().filter(|sample| sample.at.elapsed() < SAMPLE_EVERY) {
                return sample.clone();
            }
            latest.insert(Self::take()).clone()
        })
    }

    /// Compares the figures with the current ones; `faults` is the number of players' page faults meanwhile, if known.
    pub(crate) fn until_now(&self, faults: Option<u64>) -> Interference {
        let now = Self::take();
        let pages = u64::try_from(now.reclaimed - self.reclaimed).unwrap_or(0);
        let interference = Interference {
            steal_us: micros(ticks_to_time(most_stolen(&self.steal, &now.steal))),
            reclaimed_pages: faults.map_or(0, |faults| pages.saturating_sub(faults.saturating_mul(pages_of_a_fault()))),
            ..Interference::default()
        };
        LATEST.with_borrow_mut(|latest| *latest = Some(now));
        interference
    }
}

/// Returns the maximum number of pages that one page fault brings: those of a huge page.
fn pages_of_a_fault() -> u64 {
    let size = fs::read_to_string("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size");
    let size: u64 = size.ok().and_then(|size| size.trim().parse().ok()).unwrap_or(0);
    (size / rustix::param::page_size() as u64).max(1)
}

/// Reads the stolen time of each processor, by number, from `/proc/stat`.
fn steal_of_each(stat: &str) -> Vec<u64> {
    let mut steal = Vec::new();
    for line in stat.lines().take_while(|line| line.starts_with("cpu")) {
        let mut words = line["cpu".len()..].split_ascii_whitespace();
        // The first line, the sum, has no number. See proc_stat(5).
        let Some(number) = (!line.starts_with("cpu ")).then(|| words.next()?.parse::<usize>().ok()).flatten() else {
            continue;
        };
        steal.resize(steal.len().max(number + 1), 0);
        steal[number] = words.nth(7).and_then(|ticks| ticks.parse().ok()).unwrap_or(0);
    }
    steal
}

/// Returns the maximum time stolen from a single processor that this thread, and so the players, may use.
fn most_stolen(before: &[u64], now: &[u64]) -> u64 {
    let allowed = sched_getaffinity(None).ok();
    let is_allowed = |number: usize| allowed.as_ref().is_none_or(|set| set.is_set(number));
    let stolen = before.iter().zip(now).enumerate().filter(|(number, _)| is_allowed(*number));
    stolen.map(|(_, (before, now))| now.saturating_sub(*before)).max().unwrap_or(0)
}
