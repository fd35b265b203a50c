//! Works on what was handed in: one piece of work of a name at a time, and one that takes long holds no other one back.
//!
//! Two are fresh at a time, which few builds outlast. A build that is not fresh any more waits for other slow ones, and
//! stands still two of three seconds while others are fresh or being checked, however many processors it could use;
//! checks are held by the limits of games. One that must be alone is so until another has waited for it. Where memory is short, the one whose end frees most is dropped, and worked on again in its name's next turn;
//! for a name that waits, only a build that has had a minute, and whose end makes room.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use amazons_sandbox::available_memory;

/// How many pieces of work are fresh at a time, and for how long.
const FRESH_MAX: usize = 2;
const FRESH: Duration = Duration::from_secs(2);

/// On a busy machine, a build stays fresh for so long, until it has computed for as long as others are.
const FRESH_WAIT: Duration = Duration::from_secs(10);

/// How many are worked on at a time at all.
const WORKING_MAX: usize = 32;

/// How long a piece of work is alone while others wait.
const ALONE: Duration = Duration::from_secs(10);

/// The memory that must be available to begin another one: that of a build. With less than half of it, one is dropped.
const MEMORY: u64 = 2 << 30;

/// A check has priority over slow builds for so long; a build that ran for so long lets others pass, and where there is
/// no room, ends for one that waits.
const YOUNG: Duration = Duration::from_secs(60);

/// While others are fresh or being checked, a slow build runs in one of so many seconds.
const SHARE: u64 = 3;

/// How often is looked for new ones.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Where a pool finds its work.
pub(crate) trait Source: Send + 'static {
    /// A piece of work: a version of a team, or a file.
    type Work: Send + 'static;

    /// Returns the name whose turn it is, if one waits that [is free](Turns::is_free).
    fn next(&mut self, turns: &Turns<'_>) -> Option<String>;

    /// Returns whether the work of that name begins when there is no other, and no other one begins beside it.
    fn is_alone(&self, _name: &str) -> bool {
        false
    }

    /// Hears that the work of that name, which was alone, is so no more.
    fn accompany(&mut self, _name: &str) {}

    /// Takes the work of that name out.
    fn take(&mut self, name: &str) -> Option<Self::Work>;

    /// Does it, on a thread of its own.
    fn work(work: Self::Work, turn: &Turn);
}

/// The state that the pool and a piece of work share.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    /// Whether it is to end without a result.
    pub(crate) is_stopping: Arc<AtomicBool>,
    /// Whether that is so because memory was short.
    pub(crate) is_dropped: AtomicBool,
    /// Whether it waits for better times.
    is_resting: AtomicBool,
    /// The bytes of memory that its build uses.
    pub(crate) memory: AtomicU64,
    /// The milliseconds that its build has computed.
    pub(crate) computed_ms: AtomicU64,
    /// Whether its build is to stand still.
    pub(crate) is_paused: AtomicBool,
    /// Whether it is being built.
    pub(crate) is_building: AtomicBool,
}

impl Turn {
    /// Waits for so long, or until it is to end.
    pub(crate) fn rest(&self, time: Duration) {
        self.is_resting.store(true, Ordering::Relaxed);
        let begun = Instant::now();
        while begun.elapsed() < time && !self.is_stopping.load(Ordering::Relaxed) {
            thread::sleep(LOOK_EVERY);
        }
    }
}

/// The names that are being worked on, and when each name was last given a turn.
pub(crate) struct Turns<'a> {
    working: &'a [Working],
    last: &'a HashMap<String, Instant>,
}

impl Turns<'_> {
    /// Returns whether nothing of this name is being worked on.
    pub(crate) fn is_free(&self, name: &str) -> bool {
        self.working.iter().all(|it| it.name != name)
    }

    /// Returns when this name was last given a turn.
    pub(crate) fn last(&self, name: &str) -> Option<Instant> {
        self.last.get(name).copied()
    }
}

/// The thread; it ends when this is dropped, and what is being worked on is dropped.
#[derive(Debug)]
pub(crate) struct AdmissionPool {
    is_stopping: Arc<AtomicBool>,
    /// Whether something is fresh or being checked: where short games use all cores, it would get a twentieth of one.
    pub(crate) needs_core: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

struct Working {
    name: String,
    begun: Instant,
    /// How long it did not stand still.
    ran: Duration,
    is_alone: bool,
    turn: Arc<Turn>,
    thread: JoinHandle<()>,
}

impl AdmissionPool {
    pub(crate) fn start(source: impl Source) -> Self {
        let (is_stopping, needs_core) = <(Arc<AtomicBool>, Arc<AtomicBool>)>::default();
        let (stop, core) = (Arc::clone(&is_stopping), Arc::clone(&needs_core));
        let thread = thread::spawn(move || hand_out(source, &stop, &core));
        Self { is_stopping, needs_core, thread: Some(thread) }
    }
}

impl Drop for AdmissionPool {
    fn drop(&mut self) {
        self.is_stopping.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // Should it have panicked, that was said.
            let _ = thread.join();
        }
    }
}

fn hand_out<S: Source>(mut source: S, stop: &AtomicBool, needs_core: &AtomicBool) {
    let mut working = Vec::<Working>::new();
    let mut last = HashMap::new();
    while !stop.load(Ordering::Relaxed) {
        working.retain(|it| !it.thread.is_finished());
        let memory = available_memory().unwrap_or(u64::MAX);
        let has_room = working.is_empty() || (working.len() < WORKING_MAX && memory >= MEMORY);
        let is_idle = working.iter().all(Working::is_resting);
        if working.iter().filter(|it| it.is_fresh()).count() < FRESH_MAX
            && !working.iter().any(|it| it.is_alone && !it.is_resting() && it.begun.elapsed() < ALONE)
            && let Some(name) = source.next(&Turns { working: &working, last: &last })
        {
            let is_alone = source.is_alone(&name);
            if is_alone && !is_idle {
                // The others end first.
            } else if !has_room {
                drop_largest(&working, YOUNG, MEMORY.saturating_sub(memory));
            } else if let Some(work) = source.take(&name) {
                for it in working.iter_mut().filter(|it| it.is_alone && !it.is_resting()) {
                    it.is_alone = false;
                    source.accompany(&it.name);
                }
                last.insert(name.clone(), Instant::now());
                working.push(begin::<S>(name, is_alone, work));
                continue;
            }
        }
        if memory < MEMORY / 2 && working.len() > 1 {
            drop_largest(&working, FRESH, 0);
        }
        needs_core.store(pace(&mut working), Ordering::Relaxed);
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

fn begin<S: Source>(name: String, is_alone: bool, work: S::Work) -> Working {
    let turn = Arc::<Turn>::default();
    let shared = Arc::clone(&turn);
    let thread = thread::spawn(move || S::work(work, &shared));
    Working { name, begun: Instant::now(), ran: Duration::ZERO, is_alone, turn, thread }
}

impl Working {
    fn is_fresh(&self) -> bool {
        let (since, computed) = (self.begun.elapsed(), self.turn.computed_ms.load(Ordering::Relaxed));
        since < FRESH || (self.is_building() && since < FRESH_WAIT && Duration::from_millis(computed) < FRESH)
    }

    fn is_resting(&self) -> bool {
        self.turn.is_resting.load(Ordering::Relaxed)
    }

    fn memory(&self) -> u64 {
        self.turn.memory.load(Ordering::Relaxed)
    }

    fn is_building(&self) -> bool {
        self.turn.is_building.load(Ordering::Relaxed)
    }
}

/// Drops the one that uses most memory, or the oldest of those, if it has had so much time and uses so much; unless one
/// is about to end.
fn drop_largest(working: &[Working], time: Duration, least: u64) {
    let is_ending = |it: &Working| it.turn.is_stopping.load(Ordering::Relaxed);
    let may_end = |it: &&Working| it.begun.elapsed() >= time && it.memory() >= least && !it.is_resting();
    let largest = working.iter().filter(may_end).max_by_key(|it| (it.memory(), Reverse(it.begun)));
    if let Some(largest) = largest.filter(|_| !working.iter().any(is_ending)) {
        largest.turn.is_dropped.store(true, Ordering::Relaxed);
        largest.turn.is_stopping.store(true, Ordering::Relaxed);
    }
}

/// Lets few slow builds run at a time: the oldest of those that ran for the fewest minutes. Returns whether something has
/// priority over them.
fn pace(working: &mut [Working]) -> bool {
    let runs_max = thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(2));
    let has_priority = |it: &Working| it.is_fresh() || (!it.is_building() && it.begun.elapsed() < YOUNG);
    let is_shared = working.iter().any(has_priority);
    working.sort_by_key(|it| (it.ran.as_secs() / YOUNG.as_secs(), it.begun));
    let mut runs = 0;
    for it in working {
        let is_due = !is_shared || it.begun.elapsed().as_secs().is_multiple_of(SHARE);
        let may_run = it.is_fresh() || !it.is_building() || {
            runs += 1;
            runs <= runs_max && is_due
        };
        it.turn.is_paused.store(!may_run, Ordering::Relaxed);
        it.ran += if may_run { LOOK_EVERY } else { Duration::ZERO };
    }
    is_shared
}
