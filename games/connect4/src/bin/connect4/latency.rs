use std::time::{Duration, Instant};

use amazons_mpi::Deadline;
use amazons_mpi::jobs::Event;
use amazons_program::Exit;
use connect4::Position;
use connect4::jobs::{Job, Method, Question};

use crate::ranks::Engine;

const ROUND_TRIPS: usize = 201;

/// How long a message takes: half of the median time from a smallest task to its answer; `None` if there is one rank.
pub(crate) fn latency(engine: &mut Engine<'_, '_>, position: &Position) -> Result<Option<Duration>, Exit> {
    let dispatcher = engine.dispatcher();
    let workers: Vec<usize> = dispatcher.workers().collect();
    if !workers.contains(&1) {
        return Ok(None);
    }
    for rank in workers {
        dispatcher.set_in_hand(rank, usize::from(rank == 1));
    }
    let question = Question { search: u32::MAX, position: *position, depth: 0, method: Method::Plain, whole_depth: 0 };
    let mut times = Vec::new();
    while times.len() < ROUND_TRIPS {
        let begun = Instant::now();
        let asked = dispatcher.push(&Job::Average(question));
        while !matches!(
            dispatcher.next_event(Deadline::NEVER).map_err(Exit::failure)?,
            Some(Event::Result { job, .. }) if job == asked
        ) {}
        times.push(begun.elapsed());
    }
    engine.use_ranks(usize::MAX);
    times.sort_unstable();
    Ok(Some(times[ROUND_TRIPS / 2] / 2))
}
