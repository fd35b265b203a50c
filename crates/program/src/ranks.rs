//! A command on all ranks of a program: threads of this process, or an MPI job when a launcher started it.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use amazons_mpi::jobs::{self, Dismissal, Dispatcher, Event, Options, Task, Timeouts};
use amazons_mpi::{
    AnyWorld, Deadline, Keep, Launch, MpiWorld, Payload, Start, ThreadWorld, TracedWorld, World as _, physical_cores,
};

pub use crate::exit::is_first;
use crate::{Exit, Interrupt};

/// The ranks of a program, with the traffic between them.
pub type RankWorld = TracedWorld<AnyWorld>;

/// Rank 0's side of them.
pub type Ranks<'w, J, A> = Dispatcher<&'w mut RankWorld, J, A>;

/// Rank 0 may be silent for this long, and a little longer when it is busy.
const LEADER_SILENCE: Duration = Duration::from_secs(120);

/// How often to ask whether Ctrl-C was pressed.
const ASK_EVERY: Duration = Duration::from_millis(100);

/// How long workers may take to stop after Ctrl-C.
const AFTER_INTERRUPT: Duration = Duration::from_secs(1);

/// Maximum number of threads that a person may ask for.
const MAX_THREADS: usize = 1024;

/// Options of a command that runs on ranks.
#[derive(Clone, Copy, Debug)]
pub struct RankOptions {
    /// Threads of each rank that compute; by default every physical core, and one under a launcher.
    pub threads: Option<NonZeroUsize>,
    /// Whether each of these threads is a rank of its own when no launcher started the program.
    pub are_ranks: bool,
    /// How many jobs a rank has in hand for each thread: one if a job should be chosen by what the one before it found.
    pub in_hand: usize,
    /// A rank that is silent for so long is lost, and others do its jobs.
    pub lost_after: Duration,
}

impl Default for RankOptions {
    fn default() -> Self {
        Self {
            threads: None,
            are_ranks: false,
            in_hand: Options::default().in_hand,
            lost_after: Duration::from_secs(15),
        }
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
pub fn run<J: Payload, A: Payload, E: Display>(
    program: &str,
    options: &RankOptions,
    work: impl Fn(Task<'_, J>) -> Result<A, E> + Sync,
    lead: impl FnOnce(&mut Ranks<'_, J, A>, &Setup) -> Result<Exit, Exit>,
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
        None if is_mpi => 1,
        None => usual_threads(),
    };
    let rank = world.rank();
    let mut timeouts = Timeouts { alive_every: options.lost_after / 8, lost_after: options.lost_after };
    if rank > 0 {
        // A worker waits for rank 0 five times as long as this.
        timeouts.lost_after = LEADER_SILENCE.max(options.lost_after) / 5;
    }
    let options = Options { threads, in_hand: options.in_hand, timeouts, ..Options::default() };
    let setup = Setup { ranks: world.size(), threads, launcher, start_up, interrupt };
    let mut world = TracedWorld::new(world, Keep::Counts);
    let ended = thread::scope(|scope| {
        for mut other in others {
            let work = &work;
            scope.spawn(move || jobs::serve(&mut other, &options, work));
        }
        jobs::lead(&mut world, &options, &work, |dispatcher| {
            let led = lead(dispatcher, &setup);
            wait_for_workers(program, dispatcher, &setup.interrupt);
            led
        })
    });
    let (led, dismissal) = ended.map_err(|error| Exit::Failure(format!("rank {rank}: {error}")))?;
    // The work is done; if a library fails to end, its launcher says so.
    drop(world.into_parts().0.part(dismissal));
    led.unwrap_or(Ok(Exit::Success))
}

/// Waits until each worker has sent its last message, so that none is on its way when MPI ends. A worker that does not
/// answer is named; nobody waits for it any more.
fn wait_for_workers<J: Payload, A: Payload>(program: &str, ranks: &mut Ranks<'_, J, A>, interrupt: &Interrupt) {
    ranks.cancel_all();
    ranks.stop();
    let mut deadline = None;
    while let Ok(event) = ranks.next_event(Deadline::after(ASK_EVERY)) {
        if let Some(Event::Left { rank, reason: Some(reason) }) = event {
            eprintln!("{program}: rank {rank} does not answer ({reason}): the job ends without it");
        }
        if interrupt.is_set() && deadline.get_or_insert_with(|| Deadline::after(AFTER_INTERRUPT)).is_over() {
            let silent: Vec<usize> = ranks.workers().collect();
            silent.into_iter().for_each(|rank| ranks.give_up(rank, "it does not answer"));
        }
    }
}

/// Runs a command whose ranks talk to each other in their own way: `lead` on rank 0, `serve` on all others, which end
/// with it; both say whether all ranks can leave together. They are the processes of a launcher, or else this many threads.
///
/// Over MPI a rank that fails ends the job for all; a thread that fails says why and is gone for the others.
pub fn run_worlds<E: Display>(
    program: &str,
    threads: usize,
    serve: impl Fn(&mut AnyWorld) -> Result<Dismissal, E> + Sync,
    lead: impl FnOnce(&mut AnyWorld) -> (Result<Exit, Exit>, Dismissal),
) -> Result<Exit, Exit> {
    match MpiWorld::start() {
        Start::Alone => on_threads(program, threads, serve, lead),
        Start::Joined(world) => on_mpi(program, world, serve, lead),
        Start::Unable { rank, .. } if rank > 0 => Ok(Exit::Success),
        Start::Unable { reason, .. } => {
            eprintln!("{program}: {reason}: rank 0 goes on with threads");
            on_threads(program, threads, serve, lead)
        }
    }
}

fn on_threads<E: Display>(
    program: &str,
    ranks: usize,
    serve: impl Fn(&mut AnyWorld) -> Result<Dismissal, E> + Sync,
    lead: impl FnOnce(&mut AnyWorld) -> (Result<Exit, Exit>, Dismissal),
) -> Result<Exit, Exit> {
    let serve = &serve;
    let mut worlds = ThreadWorld::connect(ranks.max(1)).into_iter();
    let Some(first) = worlds.next() else { return Ok(Exit::Success) };
    thread::scope(|scope| {
        for world in worlds {
            scope.spawn(move || {
                let rank = world.rank();
                if let Err(reason) = serve(&mut AnyWorld::Threads(world)) {
                    eprintln!("{program}: rank {rank}: {reason}");
                }
            });
        }
        // Its end, with that of this world, ends the others.
        lead(&mut AnyWorld::Threads(first)).0
    })
}

fn on_mpi<E: Display>(
    program: &str,
    world: MpiWorld,
    serve: impl Fn(&mut AnyWorld) -> Result<Dismissal, E>,
    lead: impl FnOnce(&mut AnyWorld) -> (Result<Exit, Exit>, Dismissal),
) -> Result<Exit, Exit> {
    let rank = world.rank();
    let mut world = AnyWorld::Mpi(world);
    let (done, dismissal) = if rank == 0 {
        lead(&mut world)
    } else {
        match serve(&mut world) {
            Ok(dismissal) => (Ok(Exit::Success), dismissal),
            Err(reason) => (Err(Exit::Failure(format!("rank {rank}: {reason}"))), Dismissal::Scattered),
        }
    };
    if let Err(Exit::Failure(reason)) = &done
        // When rank 0 has ended, all notice it.
        && !(rank > 0 && world.is_gone(0))
    {
        // The launcher ends all ranks with this status.
        eprintln!("{program}: {reason}");
        return Err(Exit::failure(world.abort(Exit::failure("").status())));
    }
    drop(world.part(dismissal));
    done
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
pub fn alone(command: impl FnOnce() -> Result<Exit, Exit>) -> Result<Exit, Exit> {
    if is_first() { command() } else { Ok(Exit::Success) }
}

/// Returns the number of physical cores that this process may use, and no more than its container's share.
pub fn usual_threads() -> usize {
    let share = thread::available_parallelism().map_or(1, usize::from);
    physical_cores().map_or(share, |cores| cores.len().min(share)).max(1)
}

/// Reads a number of threads from the command line.
pub fn thread_count(text: &str) -> Result<NonZeroUsize, String> {
    let count = text.parse().ok().filter(|count: &NonZeroUsize| count.get() <= MAX_THREADS);
    count.ok_or_else(|| format!("a number of threads is 1 to {MAX_THREADS}"))
}
