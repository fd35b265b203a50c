//! A command on all ranks of a program: threads of this process, or an MPI job when a launcher started it.

use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use amazons_mpi::jobs::{self, Dispatcher, Options, Task, Timeouts};
use amazons_mpi::{AnyWorld, Keep, Launch, MpiWorld, Start, ThreadWorld, TracedWorld, World as _, physical_cores};

use crate::{Exit, Interrupt};

/// The ranks of a program, with the traffic between them.
pub type RankWorld = TracedWorld<AnyWorld>;

/// Rank 0's side of them.
pub type Ranks<'w> = Dispatcher<&'w mut RankWorld>;

/// Rank 0 may be silent for this long, and a little longer when it is busy.
const LEADER_SILENCE: Duration = Duration::from_secs(120);

/// The most threads that a person may ask for.
const MOST_THREADS: usize = 1024;

/// What a person chose about ranks.
#[derive(Clone, Copy, Debug)]
pub struct RankOptions {
    /// Threads of each rank that compute; by default every physical core, and one under a launcher.
    pub threads: Option<NonZeroUsize>,
    /// Whether each of these threads is a rank of its own when no launcher started the program.
    pub are_ranks: bool,
    /// A rank that is silent for so long is lost, and others do its jobs.
    pub lost_after: Duration,
}

impl Default for RankOptions {
    fn default() -> Self {
        Self { threads: None, are_ranks: false, lost_after: Duration::from_secs(15) }
    }
}

/// The ranks that a command has.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The number of ranks.
    pub ranks: usize,
    /// Threads of each rank that compute.
    pub threads: usize,
    /// The launcher's name, if one started the ranks.
    pub launcher: Option<String>,
    /// How long it took to join the other ranks.
    pub start_up: Duration,
    /// Set by Ctrl-C and SIGTERM.
    pub interrupt: Interrupt,
}

/// Runs a command on all ranks: threads of this process, or the processes of an MPI job if a launcher started them.
///
/// Rank 0 runs `lead`, all do the jobs that it hands out, and all end with it. Rank 0 must look for events at least
/// every minute or two, as by [`Dispatcher::next_event`]; otherwise the others take it for dead.
///
/// # Errors
/// Those of `lead`, and failures of the ranks.
pub fn run(
    program: &str,
    options: &RankOptions,
    work: impl Fn(Task<'_>) -> Result<Vec<u8>, String> + Sync,
    lead: impl FnOnce(&mut Ranks<'_>, &Setup) -> Result<Exit, Exit>,
) -> Result<Exit, Exit> {
    let interrupt = Interrupt::catch().map_err(|error| Exit::Failure(format!("cannot catch Ctrl-C: {error}")))?;
    let begun = Instant::now();
    let (world, others) = match MpiWorld::start() {
        Start::Alone => threads_as_ranks(options),
        Start::Joined(world) => (AnyWorld::Mpi(world), Vec::new()),
        Start::Unable { rank, .. } if rank > 0 => return Ok(Exit::Success),
        Start::Unable { reason, .. } => {
            eprintln!("{program}: {reason}: rank 0 computes alone");
            threads_as_ranks(options)
        }
    };
    let start_up = begun.elapsed();
    let is_mpi = matches!(world, AnyWorld::Mpi(_));
    let launcher = Launch::from_env().filter(|_| is_mpi).map(|launch| launch.launcher.to_string());
    let threads = match options.threads {
        _ if !others.is_empty() => 1,
        Some(threads) => threads.get(),
        None => {
            if is_mpi {
                1
            } else {
                usual_threads()
            }
        }
    };
    let rank = world.rank();
    let mut timeouts = Timeouts { alive_every: options.lost_after / 8, lost_after: options.lost_after };
    if rank > 0 {
        // A worker waits for rank 0 five times as long as this.
        timeouts.lost_after = LEADER_SILENCE.max(options.lost_after) / 5;
    }
    let options = Options { threads, timeouts, ..Options::default() };
    let setup = Setup { ranks: world.size(), threads, launcher, start_up, interrupt };
    let mut world = TracedWorld::new(world, Keep::Counts);
    let ended = thread::scope(|scope| {
        for mut other in others {
            let work = &work;
            scope.spawn(move || jobs::serve(&mut other, &options, work));
        }
        jobs::lead(&mut world, &options, &work, |dispatcher| lead(dispatcher, &setup))
    });
    let (led, dismissal) = ended.map_err(|error| Exit::Failure(format!("rank {rank}: {error}")))?;
    // The work is done; if a library fails to end, its launcher says so.
    drop(world.into_parts().0.part(dismissal));
    led.unwrap_or(Ok(Exit::Success))
}

/// Returns this thread's rank, and the others if every thread is a rank.
fn threads_as_ranks(options: &RankOptions) -> (AnyWorld, Vec<ThreadWorld>) {
    if !options.are_ranks {
        return (AnyWorld::alone(), Vec::new());
    }
    let mut worlds = ThreadWorld::connect(options.threads.map_or_else(usual_threads, NonZeroUsize::get));
    let others = worlds.split_off(1);
    (worlds.pop().map_or_else(AnyWorld::alone, AnyWorld::Threads), others)
}

/// Runs a command that needs no other ranks: under a launcher, on rank 0 only.
///
/// # Errors
/// Those of the command.
pub fn alone(command: impl FnOnce() -> Result<Exit, Exit>) -> Result<Exit, Exit> {
    if is_first() { command() } else { Ok(Exit::Success) }
}

/// Returns whether this process is rank 0, or the only one: it alone reads and prints.
#[must_use]
pub fn is_first() -> bool {
    Launch::from_env().is_none_or(|launch| launch.rank == 0)
}

/// Returns the number of physical cores that this process may use, and no more than its container's share.
#[must_use]
pub fn usual_threads() -> usize {
    let share = thread::available_parallelism().map_or(1, usize::from);
    physical_cores().map_or(share, |cores| cores.len().min(share)).max(1)
}

/// Reads a number of threads from the command line.
///
/// # Errors
/// When it is no number, or there are too many.
pub fn thread_count(text: &str) -> Result<NonZeroUsize, String> {
    let count = text.parse().ok().filter(|count: &NonZeroUsize| count.get() <= MOST_THREADS);
    count.ok_or_else(|| format!("a number of threads is 1 to {MOST_THREADS}"))
}
