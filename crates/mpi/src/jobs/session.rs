use std::fmt::Display;
use std::thread;
use std::time::Duration;

use crate::codec::Payload;
use crate::deadline::{Backoff, Deadline};
use crate::jobs::compute::{Compute, Task};
use crate::jobs::dispatcher::Dispatcher;
use crate::jobs::worker::{LEADER, Order, ServeError, Worker};
use crate::jobs::{Dismissal, JobId, MIN_SLEEP, Options, Timeouts};
use crate::world::World;

/// Does jobs on all ranks, which must all call this: rank 0 runs `leader`, which pushes jobs and takes their results;
/// the others do jobs until it returns. Unfinished jobs are then cancelled; a job that ignores [`Task::is_cancelled`]
/// delays its rank. Only rank 0 gets the result of `leader`. Fails when rank 0 is lost.
pub fn lead<W: World, J: Payload, A: Payload, E: Display, T>(
    world: &mut W,
    options: &Options,
    work: impl Fn(Task<'_, J>) -> Result<A, E> + Sync,
    leader: impl FnOnce(&mut Dispatcher<&mut W, J, A>) -> T,
) -> Result<(Option<T>, Dismissal), ServeError> {
    if world.rank() != LEADER {
        return Ok((None, serve(world, options, work)?));
    }
    let works = options.leader_works || world.size() == 1;
    thread::scope(|scope| {
        let mut dispatcher = Dispatcher::new(world, options);
        if works {
            let (mut own, work) = (dispatcher.employ_own_rank(), &work);
            // The leader lives, however long it is busy.
            let timeouts = Timeouts { lost_after: Duration::MAX, ..options.timeouts };
            let options = Options { timeouts, ..*options };
            scope.spawn(move || serve(&mut own, &options, work));
        }
        let result = leader(&mut dispatcher);
        dispatcher.cancel_all();
        Ok((Some(result), dispatcher.dismiss().1))
    })
}

/// Does jobs for rank 0 until it ends the session, and returns how to leave. Fails when rank 0 is lost.
pub fn serve<W: World, J: Payload, A: Payload, E: Display>(
    world: &mut W,
    options: &Options,
    work: impl Fn(Task<'_, J>) -> Result<A, E> + Sync,
) -> Result<Dismissal, ServeError> {
    thread::scope(|scope| {
        let (mut compute, started) = Compute::start(scope, options.threads, &work);
        let mut worker = Worker::<_, J, A>::new(world, options.timeouts);
        if let Err(error) = started {
            worker.fail(format!("cannot start {} threads: {error}", options.threads))?;
        }
        let mut backoff = Backoff::default();
        let mut is_stopping = false;
        loop {
            while let Some(order) = worker.next_order()? {
                backoff.reset();
                match order {
                    Order::Job { id, job } => compute.push(id, job),
                    Order::Cancel(id) => compute.cancel(id),
                    Order::Message(()) => {}
                    Order::Stop => {
                        is_stopping = true;
                        compute.drop_waiting();
                        while let Some((id, result)) = compute.done(Duration::ZERO) {
                            report(&mut worker, id, result)?;
                        }
                        worker.retain(|id| compute.has(id));
                    }
                    Order::End(dismissal) => return Ok(dismissal),
                }
            }
            if is_stopping && worker.is_free() {
                worker.bye()?;
            }
            if compute.is_idle() {
                worker.wait(Deadline::NEVER)?;
            } else if let Some((id, result)) = compute.done(backoff.next_nap().max(MIN_SLEEP)) {
                backoff.reset();
                report(&mut worker, id, result)?;
            }
            if worker.is_free() {
                // It may have failed, with jobs that others now do.
                compute.drop_waiting();
            }
        }
    })
}

/// Sends rank 0 the result of a job.
fn report<W: World, J: Payload, A: Payload>(
    worker: &mut Worker<W, J, A>,
    id: JobId,
    result: Result<A, String>,
) -> Result<(), ServeError> {
    match result {
        Ok(answer) => worker.finish(id, answer),
        // A cancelled job may return anything.
        Err(reason) if worker.has(id) => worker.fail(reason),
        Err(_) => Ok(()),
    }
}
