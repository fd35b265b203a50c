use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use amazons_mpi::{ThreadWorld, World, WorldError, abort_on_panic};

use crate::classic::master::{Master, Person, host};
use crate::classic::message::{Message, Over, Start};
use crate::classic::player::serve;
use crate::classic::post::{Post, TableError};
use crate::deck::CardSet;
use crate::game::{Event, Player};

/// The exit status of a job that failed.
const FAILED: u8 = 70;

/// Runs a game on a world of threads, with rank 0 on this one. The panic of an AI ends it for all.
pub fn host_threads<H: Person, P: Player>(
    master: &Master,
    person: &mut H,
    watch: impl FnMut(&Event) -> Result<(), H::Error>,
    make: impl Fn(usize, &Start, CardSet) -> P + Sync,
    ai_time: Duration,
) -> Result<Over, TableError<H::Error>> {
    let mut worlds = ThreadWorld::connect(master.setup.seats.last() + 1);
    let mut own = worlds.remove(0);
    let (make, found) = (&make, &OnceLock::new());
    let over = thread::scope(|scope| {
        for mut world in worlds {
            scope.spawn(move || {
                // A panic that is caught here is an abort for all others, and has said on standard error what it was.
                let _ = catch_unwind(AssertUnwindSafe(|| {
                    abort_on_panic(&mut world, FAILED, |world| {
                        if let Err(error) = serve(world, make, ai_time) {
                            if let TableError::Fault(fault) = error {
                                let _ = found.set(fault);
                            }
                            let _ = world.abort(FAILED);
                        }
                    });
                }));
            });
        }
        let over = host(&mut own, master, person, watch, ai_time);
        if over.is_err() {
            let _ = own.abort(FAILED);
        }
        over
    });
    match (over, found.get()) {
        // Rank 0 sees only that another rank gave up.
        (Err(TableError::World(_)), Some(fault)) => Err(fault.clone().into()),
        (over, _) => over,
    }
}

/// Ends the wait of ranks for a game that does not begin.
pub fn dismiss(world: &mut impl World, over: Over) -> Result<(), WorldError> {
    let ranks = 1..world.size();
    Post::new(world, Duration::ZERO).tell(ranks, Message::Over(over))
}
