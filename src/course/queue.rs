//! Works on what was handed in, on threads of its own with the lowest priority: teams in turn, one version of a team at a
//! time, and one that takes long holds no other one back.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::setpriority_process;
use rustix::thread::gettid;

use super::job::{Job, Shared, locked};
use super::{CourseError, Store};
use crate::complain;

/// How many versions are worked on at a time, those left out that have taken longer than this.
const FRESH_MAX: usize = 2;
const FRESH: Duration = Duration::from_secs(3);

/// How many are worked on at a time at all.
const JOBS_MAX: usize = 32;

/// How long a version rests that could not be worked on.
const REST: Duration = Duration::from_secs(30);

/// How often is looked for new ones.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The lowest priority, so that the games are disturbed as little as possible.
const PRIORITY: i32 = 19;

/// The thread; it ends when this is dropped, and what is being worked on is dropped.
#[derive(Debug)]
pub(super) struct Queue {
    is_stopping: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

struct Working {
    team: String,
    begun: Instant,
    thread: JoinHandle<()>,
}

impl Queue {
    pub(super) fn start(store: Shared) -> Self {
        let is_stopping = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&is_stopping);
        let thread = thread::spawn(move || {
            // Where that is not allowed, checks are as important as games. Threads and processes inherit it.
            let _ = setpriority_process(Some(gettid()), PRIORITY);
            hand_out(&store, &stop);
        });
        Self { is_stopping, thread: Some(thread) }
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.is_stopping.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // Should it have panicked, that was said.
            let _ = thread.join();
        }
    }
}

fn hand_out(store: &Shared, stop: &Arc<AtomicBool>) {
    let mut working = Vec::<Working>::new();
    // When each team was last given a turn.
    let mut turns = HashMap::new();
    while !stop.load(Ordering::Relaxed) {
        working.retain(|it| !it.thread.is_finished());
        let fresh = working.iter().filter(|it| it.begun.elapsed() < FRESH).count();
        if fresh < FRESH_MAX && working.len() < JOBS_MAX {
            let is_free = |team: &str| working.iter().all(|it| it.team != team);
            match next(store, stop, &turns, is_free) {
                Ok(Some(job)) => {
                    turns.insert(job.team.clone(), Instant::now());
                    working.push(begin(job, stop));
                    continue;
                }
                Ok(None) => {}
                Err(error) => {
                    complain(&format!("{error}: nothing is checked until then"));
                    rest(stop);
                }
            }
        }
        thread::sleep(LOOK_EVERY);
    }
    for it in working {
        // Should it have panicked, that was said.
        let _ = it.thread.join();
    }
}

/// Returns the next version of the team that has waited longest for a turn.
fn next(
    store: &Shared,
    stop: &Arc<AtomicBool>,
    turns: &HashMap<String, Instant>,
    is_free: impl Fn(&str) -> bool,
) -> Result<Option<Job>, CourseError> {
    let mut open = locked(store);
    open.refresh()?;
    let teams = open.course().teams().iter().filter(|(name, _)| is_free(name));
    let waiting = teams.filter_map(|(name, team)| Some((name, team.next()?)));
    let Some((team, version)) = waiting.min_by_key(|(name, version)| (turns.get(*name), version.at)) else {
        return Ok(None);
    };
    let (team, version, is_hopeless) = (team.clone(), version.number, version.is_hopeless());
    Ok(Some(job(&mut open, store, stop, team, version, is_hopeless)))
}

fn job(open: &mut Store, store: &Shared, stop: &Arc<AtomicBool>, team: String, version: u32, is_hopeless: bool) -> Job {
    let folder = open.version_folder(&team, version);
    let work = open.folder().join("work").join(&team);
    let settings = open.settings().0;
    Job {
        store: Arc::clone(store),
        folder,
        work,
        plan: settings.plan.clone(),
        check_size: settings.admission.check,
        check_time: settings.check_time,
        is_stopping: Arc::clone(stop),
        team,
        version,
        is_hopeless,
    }
}

fn begin(job: Job, stop: &Arc<AtomicBool>) -> Working {
    let (team, stop) = (job.team.clone(), Arc::clone(stop));
    let thread = thread::spawn(move || {
        if let Err(error) = job.work() {
            let Job { team, version, .. } = &job;
            complain(&format!("version {version} of {team} cannot be checked now, and will be later: {error:#}"));
            // Meanwhile the team's turn is not over.
            rest(&stop);
        }
    });
    Working { team, begun: Instant::now(), thread }
}

fn rest(stop: &AtomicBool) {
    let begun = Instant::now();
    while begun.elapsed() < REST && !stop.load(Ordering::Relaxed) {
        thread::sleep(LOOK_EVERY);
    }
}
