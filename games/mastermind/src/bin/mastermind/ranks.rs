//! The ranks of a command: threads of this process, or an MPI job when a launcher started it.

use std::time::Duration;

use amazons_mpi::{AnyWorld, Launch, MpiWorld, Start, ThreadWorld, World as _};
use amazons_program::{Exit, Interrupt, SIGINT};
use mastermind::protocol::{Post, ProtocolError, end_session};

/// A rank that is silent for so long is lost.
pub(crate) const LOST_AFTER: Duration = Duration::from_secs(60);

/// The post of a rank in either kind of world.
pub(crate) type AnyPost = Post<AnyWorld>;

/// Returns the number of ranks: the launcher's, or else what was asked for.
pub(crate) fn number_of_ranks(asked: usize) -> usize {
    Launch::from_env().map_or(asked, |launch| launch.size)
}

/// Runs `lead` on rank 0 and `serve` on all others, which end with it; `threads` ranks if no launcher started us.
pub(crate) fn run(
    threads: usize,
    serve: impl Fn(&mut AnyPost) -> Result<(), ProtocolError> + Sync,
    lead: impl FnOnce(&mut AnyPost) -> Result<Exit, Exit>,
) -> Result<Exit, Exit> {
    // Records are complete up to the last answer.
    Interrupt::end_at_once(&[SIGINT]).map_err(|error| Exit::Failure(format!("cannot catch Ctrl-C: {error}")))?;
    match MpiWorld::start() {
        Start::Alone => on_threads(threads, serve, lead),
        Start::Joined(world) => on_mpi(world, serve, lead),
        Start::Unable { rank, .. } if rank > 0 => Ok(Exit::Success),
        Start::Unable { reason, .. } => {
            eprintln!("mastermind: {reason}: rank 0 plays by threads");
            on_threads(threads, serve, lead)
        }
    }
}

fn on_threads(
    ranks: usize,
    serve: impl Fn(&mut AnyPost) -> Result<(), ProtocolError> + Sync,
    lead: impl FnOnce(&mut AnyPost) -> Result<Exit, Exit>,
) -> Result<Exit, Exit> {
    let serve = &serve;
    let mut worlds = ThreadWorld::connect(ranks.max(1)).into_iter();
    let Some(first) = worlds.next() else { return Ok(Exit::Success) };
    std::thread::scope(|scope| {
        for world in worlds {
            scope.spawn(move || {
                let rank = world.rank();
                if let Err(error) = serve(&mut Post::new(AnyWorld::Threads(world))) {
                    eprintln!("mastermind: rank {rank}: {error}");
                }
            });
        }
        let mut post = Post::new(AnyWorld::Threads(first));
        let led = lead(&mut post);
        // The others learn it from the end of this rank, if not from this.
        let _ = end_session(&mut post);
        led
    })
}

fn on_mpi(
    world: MpiWorld,
    serve: impl Fn(&mut AnyPost) -> Result<(), ProtocolError>,
    lead: impl FnOnce(&mut AnyPost) -> Result<Exit, Exit>,
) -> Result<Exit, Exit> {
    let rank = world.rank();
    let mut post = Post::new(AnyWorld::Mpi(world));
    let done = if rank == 0 {
        let led = lead(&mut post);
        let _ = end_session(&mut post);
        led
    } else {
        serve(&mut post).map(|()| Exit::Success).map_err(|error| Exit::Failure(format!("rank {rank}: {error}")))
    };
    if let Err(Exit::Failure(reason)) = &done {
        // The launcher ends all ranks with this status.
        eprintln!("mastermind: {reason}");
        let error = post.world().abort(70);
        return Err(Exit::Failure(error.to_string()));
    }
    drop(post.into_world().part(amazons_mpi::jobs::Dismissal::Together));
    done
}

/// Turns the failure of a game into an end of the program.
pub(crate) fn failed(error: ProtocolError) -> Exit {
    match error {
        ProtocolError::Stopped => Exit::Stopped,
        error => Exit::Failure(error.to_string()),
    }
}
