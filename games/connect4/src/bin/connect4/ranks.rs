use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use amazons_mpi::Deadline;
use amazons_program::ranks::{self, RankOptions, RankWorld, Setup};
use amazons_program::{Exit, thread_time};
use clap::Args;
use connect4::BookChoice;
use connect4::jobs::Job;
use connect4::perfect::{Solvers, Stop};
use connect4::search::{Computer, SearchError, Searcher};

/// The averaged search on all ranks, and through it the ranks.
pub(crate) type Engine<'a, 'w> = Searcher<'a, &'w mut RankWorld>;

/// How long a result may wait: the first looks come soon after each other, later ones do not disturb the search.
const MIN_SLEEP: Duration = Duration::from_micros(200);
const MAX_SLEEP: Duration = Duration::from_millis(20);

#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct RankArgs {
    /// Threads that compute in each process (default: one for each core, or one under a launcher)
    #[arg(short = 'j', long = "threads", value_name = "N", allow_negative_numbers = true, value_parser = ranks::thread_count)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Seconds of silence after which a rank of an MPI job counts as lost
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = 15, hide_short_help = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) lost_after: u64,
}

impl RankArgs {
    pub(crate) fn options(&self) -> RankOptions {
        let lost_after = Duration::from_secs(self.lost_after);
        RankOptions { threads: self.threads, lost_after, ..RankOptions::default() }
    }
}

/// Maximum size of the table of `perfect`, on each rank.
pub(crate) const SOLVER_BYTES: u64 = 512 << 20;

/// Runs a command on all ranks: `lead` on rank 0, and all of them do its jobs.
pub(crate) fn lead(
    options: &RankOptions,
    lead: impl FnOnce(&mut Engine<'_, '_>, &Setup, &Solvers) -> Result<Exit, Exit>,
) -> Result<Exit, Exit> {
    let (computer, solvers) = (Computer::new(thread_time), Solvers::new(SOLVER_BYTES, BookChoice::Nothing));
    ranks::run(
        "connect4",
        options,
        |task| if matches!(task.job, Job::Perfect(_)) { solvers.work(task) } else { computer.work(task) },
        |dispatcher, setup| {
            let is_wanted = || !setup.interrupt.is_set();
            let note = |line: &str| eprintln!("connect4: {line}");
            let mut engine = Searcher::new(dispatcher, setup.threads).while_wanted(&is_wanted).with_notes(&note);
            // Threads have one computer. Other processes have their own, and without this their own tables: more to
            // compute, and the same results.
            if setup.launcher.is_some()
                && let Ok(job) = computer.share_tables()
            {
                engine.tell(&job).map_err(exit)?;
            }
            lead(&mut engine, setup, &solvers)
        },
    )
}

/// Lets a thread of its own compute, and keeps in touch with the other ranks meanwhile. What is passed to `work` returns
/// true once the result is no longer wanted.
pub(crate) fn compute<T: Send>(
    engine: &mut Engine<'_, '_>,
    work: impl FnOnce(&Stop<'_>) -> T + Send,
) -> Result<T, Exit> {
    let is_stopped = AtomicBool::new(false);
    thread::scope(|scope| {
        let working = scope.spawn(|| work(&|| is_stopped.load(Ordering::Relaxed)));
        let mut nap = MIN_SLEEP;
        let waited = loop {
            if !engine.is_wanted() {
                break Err(Exit::Stopped);
            }
            if working.is_finished() {
                break Ok(());
            }
            if let Err(error) = engine.idle(Deadline::after(nap)) {
                break Err(exit(error));
            }
            nap = MAX_SLEEP.min(2 * nap);
        };
        is_stopped.store(true, Ordering::Relaxed);
        let result = working.join().map_err(|_| Exit::failure("the search broke off"))?;
        waited.map(|()| result)
    })
}

pub(crate) fn exit(error: SearchError) -> Exit {
    match error {
        SearchError::Depth(error) => Exit::usage(error),
        SearchError::Stopped => Exit::Stopped,
        SearchError::NobodyLeft(_) | SearchError::Protocol { .. } => Exit::failure(error),
    }
}
