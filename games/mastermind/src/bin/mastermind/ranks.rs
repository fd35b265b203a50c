//! The ranks of a game: threads of this process, or an MPI job when a launcher started it.

use std::num::NonZeroUsize;
use std::time::Duration;

use amazons_mpi::AnyWorld;
use amazons_mpi::jobs::Dismissal;
use amazons_program::ranks::{self, RankOptions, RankWorld, run_worlds};
use amazons_program::{Exit, Interrupt, SIGINT, SIGTERM, launched};
use mastermind::Scorer;
use mastermind::protocol::{Post, ProtocolError, SharedLeader, SharedWorker, end_session};

/// A rank that is silent for so long is lost.
pub(crate) const LOST_AFTER: Duration = Duration::from_secs(60);

/// The post of a rank in either kind of world.
pub(crate) type AnyPost<'w> = Post<&'w mut AnyWorld>;

/// Runs `lead` on rank 0 and `serve` on all others, which end with it; `threads` ranks if no launcher started us.
pub(crate) fn run(
    threads: usize,
    serve: impl Fn(&mut AnyPost<'_>) -> Result<(), ProtocolError> + Sync,
    lead: impl FnOnce(&mut AnyPost<'_>) -> Result<Exit, Exit>,
) -> Result<Exit, Exit> {
    end_at_once()?;
    let dismissal = |post: &AnyPost<'_>| if post.has_lost { Dismissal::Scattered } else { Dismissal::Together };
    let serve = |world: &mut AnyWorld| {
        let mut post = Post::new(world);
        serve(&mut post).map(|()| dismissal(&post))
    };
    run_worlds("mastermind", threads, serve, |world| {
        let mut post = Post::new(world);
        let led = lead(&mut post);
        // The others learn it from the end of this rank, if not from this.
        let _ = end_session(&mut post);
        (led, dismissal(&post))
    })
}

/// Rank 0 of `shared`.
pub(crate) type Leader<'a, 's, 'w> = SharedLeader<'a, 's, &'w mut RankWorld>;

/// Runs `lead` on rank 0, which all ranks help by the protocol `shared`.
pub(crate) fn run_shared(
    threads: Option<NonZeroUsize>,
    scorer: &Scorer,
    lost_after: Duration,
    lead: impl FnOnce(&mut Leader<'_, '_, '_>) -> Result<Exit, Exit>,
) -> Result<Exit, Exit> {
    end_at_once()?;
    let (worker, threads) = (SharedWorker::new(scorer), threads.filter(|_| launched().is_none()));
    let options = RankOptions { threads, are_ranks: true, lost_after, ..RankOptions::default() };
    ranks::run(
        "mastermind",
        &options,
        |task| worker.work(task),
        |ranks, _| lead(&mut SharedLeader::new(ranks, &worker)),
    )
}

/// Lets Ctrl-C end the program: records are complete up to the last answer.
fn end_at_once() -> Result<(), Exit> {
    let caught = Interrupt::end_at_once(&[SIGINT, SIGTERM]);
    caught.map_err(|error| Exit::Failure(format!("cannot catch Ctrl-C: {error}")))
}

pub(crate) fn failed(error: ProtocolError) -> Exit {
    match error {
        ProtocolError::Stopped => Exit::Stopped,
        error => Exit::Failure(error.to_string()),
    }
}
