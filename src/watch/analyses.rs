use std::collections::{HashMap, VecDeque};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use amazons_program::locked;
use serde::Serialize;
use tokio::sync::Semaphore;
use ts_rs::TS;

use super::background::run;

/// The end of the names of annotated records, beside the records.
pub(super) const ANNOTATED: &str = ".analysis.jsonl";

/// Games that may wait for their analysis.
const WAITING_MAX: usize = 32;

/// Positions that may be evaluated at the same time.
const LIVE_MAX: usize = 4;

/// The analyses of games, one at a time, and of positions.
#[derive(Debug)]
pub(super) struct Analyses {
    jobs: Arc<Mutex<Jobs>>,
    /// Limits the positions evaluated at the same time.
    pub(super) live: Arc<Semaphore>,
}

#[derive(Debug, Default)]
struct Jobs {
    waiting: VecDeque<Job>,
    /// The game that is being analysed, and how to stop that.
    current: Option<(String, Arc<AtomicBool>)>,
    has_worker: bool,
    failed: HashMap<String, String>,
}

#[derive(Debug)]
pub(super) struct Job {
    /// The name of the game in addresses.
    pub(super) id: String,
    pub(super) record: PathBuf,
    pub(super) time_ms: u64,
}

/// How far the analysis of a game has come.
#[derive(Debug, PartialEq, Eq, Serialize, TS)]
pub(crate) struct AnalysisState {
    pub(super) state: &'static str,
    /// The number of moves that are annotated, of so many.
    pub(super) ply: usize,
    pub(super) of: Option<u32>,
    /// Nothing where the server does not analyse games.
    #[serde(flatten)]
    #[ts(skip)]
    pub(super) failure: Option<AnalysisFailure>,
}

/// Why the last analysis of a game failed, if it did.
#[derive(Debug, PartialEq, Eq, Serialize, TS)]
pub(crate) struct AnalysisFailure {
    error: Option<String>,
}

impl Default for Analyses {
    fn default() -> Self {
        Self { jobs: Arc::default(), live: Arc::new(Semaphore::new(LIVE_MAX)) }
    }
}

impl Drop for Analyses {
    /// Stops what runs, and waits until it has ended.
    fn drop(&mut self) {
        let mut jobs = locked(&self.jobs);
        jobs.waiting.clear();
        jobs.stop(|_| true);
        while jobs.has_worker {
            drop(jobs);
            thread::sleep(Duration::from_millis(5));
            jobs = locked(&self.jobs);
        }
    }
}

impl Analyses {
    /// Lets a game wait for its analysis, unless it does already; false if too many wait.
    pub(super) fn add(&self, job: Job) -> bool {
        let mut jobs = locked(&self.jobs);
        if jobs.is_known(&job.id) {
            return true;
        }
        if jobs.waiting.len() >= WAITING_MAX {
            return false;
        }
        jobs.failed.remove(&job.id);
        jobs.waiting.push_back(job);
        if !jobs.has_worker {
            jobs.has_worker = true;
            let jobs = Arc::clone(&self.jobs);
            thread::spawn(move || work(&jobs));
        }
        true
    }

    pub(super) fn stop(&self, id: &str) {
        let mut jobs = locked(&self.jobs);
        jobs.waiting.retain(|job| job.id != id);
        jobs.stop(|current| current == id);
    }

    /// Describes the analysis of a game with so many of its moves annotated.
    pub(super) fn state(&self, id: &str, ply: usize, of: Option<u32>, is_done: bool) -> AnalysisState {
        let jobs = locked(&self.jobs);
        let state = match &jobs.current {
            _ if is_done => "done",
            Some((current, _)) if current == id => "running",
            _ if jobs.is_known(id) => "waiting",
            _ if ply > 0 => "stopped",
            _ => "none",
        };
        let failure = Some(AnalysisFailure { error: jobs.failed.get(id).cloned() });
        AnalysisState { state, ply, of, failure }
    }
}

impl Jobs {
    fn is_known(&self, id: &str) -> bool {
        self.current.as_ref().is_some_and(|(current, _)| current == id) || self.waiting.iter().any(|job| job.id == id)
    }

    fn stop(&self, is_meant: impl Fn(&str) -> bool) {
        if let Some((_, stop)) = self.current.as_ref().filter(|(current, _)| is_meant(current)) {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Analyses games until none waits.
fn work(jobs: &Mutex<Jobs>) {
    loop {
        let (job, stop) = {
            let mut jobs = locked(jobs);
            jobs.current = None;
            let Some(job) = jobs.waiting.pop_front() else {
                jobs.has_worker = false;
                return;
            };
            let stop = Arc::new(AtomicBool::new(false));
            jobs.current = Some((job.id.clone(), Arc::clone(&stop)));
            (job, stop)
        };
        let (time, out) = (format!("{}ms", job.time_ms), annotated(&job.record));
        let args = [OsStr::new("--time"), time.as_ref(), "--annotate".as_ref(), out.as_ref(), job.record.as_ref()];
        if let Err(reason) = run(&args, &stop) {
            locked(jobs).failed.insert(job.id, reason);
        }
    }
}

/// Returns the name of the annotated record of a record.
pub(super) fn annotated(record: &Path) -> OsString {
    let mut name = record.with_extension("").into_os_string();
    name.push(ANNOTATED);
    name
}
