//! A sequence of jobs on all ranks.

use std::fmt::Display;
use std::ops::ControlFlow;

use amazons_mpi::jobs::{Dismissal, Dispatcher, Event, InOrder, NobodyLeft, Options, ServeError, Task, lead};
use amazons_mpi::{Deadline, Payload, World};

/// Does a sequence of jobs on all ranks, which must all call this. Only rank 0 reads `jobs`; it gets the results in
/// order, each with its index, until it breaks off. Fails when rank 0 is lost, or on rank 0 when no working rank is
/// left: then do not leave the MPI job.
pub fn map_jobs<W: World, J: Payload, A: Payload, E: Display>(
    world: &mut W,
    options: &Options,
    jobs: impl IntoIterator<Item = J>,
    work: impl Fn(Task<'_, J>) -> Result<A, E> + Sync,
    mut each: impl FnMut(usize, A) -> ControlFlow<()>,
) -> Result<Dismissal, ServeError> {
    let leader = |dispatcher: &mut Dispatcher<&mut W, J, A>| {
        let (mut jobs, mut results, mut place) = (jobs.into_iter().fuse(), InOrder::default(), 0);
        let mut trouble = String::new();
        loop {
            while dispatcher.room() > 0
                && let Some(job) = jobs.next()
            {
                results.expect(dispatcher.push(&job));
            }
            if results.is_empty() {
                return Ok(());
            }
            match dispatcher.next_event(Deadline::NEVER) {
                Ok(Some(Event::Result { job, answer, .. })) => results.insert(job, answer),
                Ok(Some(Event::Left { rank, reason: Some(reason) })) => trouble = format!("rank {rank}: {reason}"),
                Ok(_) => {}
                Err(NobodyLeft) => return Err(ServeError::NobodyLeft(trouble)),
            }
            while let Some((_, answer)) = results.pop() {
                if each(place, answer).is_break() {
                    return Ok(());
                }
                place += 1;
            }
        }
    };
    let (led, dismissal) = lead(world, options, work, leader)?;
    led.unwrap_or(Ok(())).map(|()| dismissal)
}
