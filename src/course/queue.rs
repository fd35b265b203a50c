//! Works on what was handed in: teams in turn, one version of a team at a time, and one that takes long holds no other
//! one back.
//!
//! Two versions are fresh at a time. A build that is not fresh any more waits for other slow ones, and stands still two
//! of three seconds while others are fresh or being checked, however many processors it could use; checks are held by
//! the limits of games. Where memory is short, the oldest one is dropped, and worked on again in its team's next turn;
//! for a team that waits, only one that has had a minute.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use amazons_sandbox::available_memory;

use super::CourseError;
use super::job::{Job, Shared, Turn, locked};
use crate::complain;

/// How many versions are fresh at a time, and for how long.
const FRESH_MAX: usize = 2;
const FRESH: Duration = Duration::from_secs(2);

/// How many are worked on at a time at all.
const JOBS_MAX: usize = 32;

/// The memory that must be available to begin another one: that of a build. With less than half of it, one is dropped.
const MEMORY: u64 = 2 << 30;

/// A check has priority over slow builds for so long; a build that ran for so long lets others pass, and where there is
/// no room, ends for one that waits.
const YOUNG: Duration = Duration::from_secs(60);

/// While others are fresh or being checked, a slow build runs in one of so many seconds.
const SHARE: u64 = 3;

/// How long a version rests that could not be worked on.
const REST: Duration = Duration::from_secs(30);

/// How often is looked for new ones.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The thread; it ends when this is dropped, and what is being worked on is dropped.
#[derive(Debug)]
pub(super) struct Queue {
    is_stopping: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

struct Working {
    team: String,
    begun: Instant,
    /// How long it did not stand still.
    ran: Duration,
    turn: Arc<Turn>,
    thread: JoinHandle<()>,
}

impl Queue {
    pub(super) fn start(store: Shared) -> Self {
        let is_stopping = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&is_stopping);
        let thread = thread::spawn(move || hand_out(&store, &stop));
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

fn hand_out(store: &Shared, stop: &AtomicBool) {
    let mut working = Vec::<Working>::new();
    // When each team was last given a turn.
    let mut turns = HashMap::new();
    while !stop.load(Ordering::Relaxed) {
        let news = locked(store).settings_news();
        news.iter().for_each(|line| complain(line));
        working.retain(|it| !it.thread.is_finished());
        let memory = available_memory().unwrap_or(u64::MAX);
        let has_room = working.is_empty() || (working.len() < JOBS_MAX && memory >= MEMORY);
        if working.iter().filter(|it| it.is_fresh()).count() < FRESH_MAX {
            let is_free = |team: &str| working.iter().all(|it| it.team != team);
            match next(store, &turns, is_free) {
                Ok(Some((team, version))) if has_room => {
                    turns.insert(team.clone(), Instant::now());
                    working.push(begin(job(store, team, version)));
                    continue;
                }
                Ok(Some(_)) => drop_oldest(&working, YOUNG),
                Ok(None) => {}
                Err(error) => {
                    complain(&format!("{error}: nothing is checked until then"));
                    rest(stop);
                }
            }
        }
        if memory < MEMORY / 2 && working.len() > 1 {
            drop_oldest(&working, FRESH);
        }
        pace(&mut working);
        thread::sleep(LOOK_EVERY);
    }
    for it in &working {
        it.turn.is_stopping.store(true, Ordering::Relaxed);
    }
    for it in working {
        // Should it have panicked, that was said.
        let _ = it.thread.join();
    }
}

impl Working {
    fn is_fresh(&self) -> bool {
        self.begun.elapsed() < FRESH
    }

    fn is_checking(&self) -> bool {
        self.turn.is_checking.load(Ordering::Relaxed)
    }

    fn is_slow_build(&self) -> bool {
        !self.is_checking() && !self.is_fresh()
    }
}

/// Drops the oldest build that has had so much time, or else the oldest check, unless one is about to end.
fn drop_oldest(working: &[Working], time: Duration) {
    let is_ending = |it: &Working| it.turn.is_stopping.load(Ordering::Relaxed);
    let oldest = working.iter().filter(|it| it.begun.elapsed() >= time).min_by_key(|it| (it.is_checking(), it.begun));
    if let Some(oldest) = oldest.filter(|_| !working.iter().any(is_ending)) {
        oldest.turn.is_stopping.store(true, Ordering::Relaxed);
    }
}

/// Lets few slow builds run at a time: the youngest of those that ran for few minutes.
fn pace(working: &mut [Working]) {
    let runs_max = thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(2));
    let has_priority = |it: &Working| it.is_fresh() || (it.is_checking() && it.begun.elapsed() < YOUNG);
    let is_shared = working.iter().any(has_priority);
    working.sort_by_key(|it| (it.ran.as_secs() / YOUNG.as_secs(), Reverse(it.begun)));
    let mut runs = 0;
    for it in working {
        let is_due = !is_shared || it.begun.elapsed().as_secs().is_multiple_of(SHARE);
        let may_run = !it.is_slow_build() || {
            runs += 1;
            runs <= runs_max && is_due
        };
        it.turn.is_paused.store(!may_run, Ordering::Relaxed);
        it.ran += if may_run { LOOK_EVERY } else { Duration::ZERO };
    }
}

/// Returns the next version of the team that has waited longest for a turn.
fn next(
    store: &Shared,
    turns: &HashMap<String, Instant>,
    is_free: impl Fn(&str) -> bool,
) -> Result<Option<(String, u32)>, CourseError> {
    let mut open = locked(store);
    open.refresh()?;
    let teams = open.course().teams().iter().filter(|(name, _)| is_free(name));
    let waiting = teams.filter_map(|(name, team)| Some((name, team.next()?)));
    let next = waiting.min_by_key(|(name, version)| (turns.get(*name), version.at));
    Ok(next.map(|(team, version)| (team.clone(), version.number)))
}

fn job(store: &Shared, team: String, version: u32) -> Job {
    let mut open = locked(store);
    let folder = open.version_folder(&team, version);
    let work = open.folder().join("work").join(&team);
    let known = open.course().teams().get(&team).and_then(|team| team.version(version));
    let is_hopeless = known.is_some_and(super::Version::is_hopeless);
    let setback = known.and_then(|version| version.setback.clone());
    let settings = open.settings().0;
    Job {
        store: Arc::clone(store),
        folder,
        work,
        plan: settings.plan.clone(),
        check_size: settings.admission.check,
        check_time: settings.check_time,
        turn: Arc::default(),
        team,
        version,
        setback,
        is_hopeless,
    }
}

fn begin(job: Job) -> Working {
    let (team, turn) = (job.team.clone(), Arc::clone(&job.turn));
    let thread = thread::spawn(move || {
        if let Err(error) = job.work() {
            let Job { team, version, turn, .. } = &job;
            complain(&format!("version {version} of {team} cannot be checked now, and will be later: {error:#}"));
            // Meanwhile the team's turn is not over.
            rest(&turn.is_stopping);
        }
    });
    Working { team, begun: Instant::now(), ran: Duration::ZERO, turn, thread }
}

fn rest(stop: &AtomicBool) {
    let begun = Instant::now();
    while begun.elapsed() < REST && !stop.load(Ordering::Relaxed) {
        thread::sleep(LOOK_EVERY);
    }
}
