use std::time::{Duration, Instant};

use amazons_mpi::jobs::Event;
use amazons_mpi::{Deadline, Traffic};
use amazons_program::Exit;
use connect4::Position;
use connect4::jobs::{Job, Method, Question};
use connect4::search::{Computer, Evaluation, SearchSettings, alone};

use crate::ranks::{Engine, exit};

const ROUND_TRIPS: usize = 201;

/// How tasks are handed out in what is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Policy {
    /// A task for whoever is free, the next one in hand, superfluous ones cancelled
    Ours,
    /// As in the report: rank 0 computes whole tasks itself while results wait
    Seed,
}

/// A search, or the median of some.
#[derive(Clone, Debug)]
pub(crate) struct Measurement {
    pub(crate) seconds: f64,
    pub(crate) evaluation: Evaluation,
    /// The messages with each process.
    pub(crate) traffic: Vec<Traffic>,
}

pub(crate) fn measure(
    engine: &mut Engine<'_, '_>,
    computer: &Computer,
    policy: Policy,
    position: &Position,
    settings: &SearchSettings,
    processes: usize,
) -> Result<Measurement, Exit> {
    engine.forget_costs();
    engine.use_ranks(processes);
    let before = traffic(engine, processes);
    let begun = Instant::now();
    let evaluation = match policy {
        Policy::Ours => engine.evaluate(position, settings),
        Policy::Seed => engine.evaluate_as_reported(computer, position, settings),
    };
    let seconds = begun.elapsed().as_secs_f64();
    let evaluation = evaluation.map_err(exit)?;
    let mut traffic = traffic(engine, processes);
    for (all, before) in traffic.iter_mut().zip(before) {
        all.messages -= before.messages;
        all.bytes -= before.bytes;
    }
    Ok(Measurement { seconds, evaluation, traffic })
}

/// Returns the seconds of one search of one thread without any tasks.
pub(crate) fn measure_alone(
    computer: &Computer,
    position: &Position,
    settings: &SearchSettings,
    number: u32,
) -> Result<f64, Exit> {
    let begun = Instant::now();
    alone(computer, position, settings.depth, settings.method, number, &|| true).map_err(exit)?;
    Ok(begun.elapsed().as_secs_f64())
}

/// Returns the messages between rank 0 and each process, both ways; those of rank 0 are all of them.
fn traffic(engine: &mut Engine<'_, '_>, processes: usize) -> Vec<Traffic> {
    let trace = engine.dispatcher().world().trace();
    let mut all = vec![Traffic::default(); processes];
    for (&rank, part) in trace.to.iter().chain(&trace.from).filter(|(rank, _)| **rank < processes) {
        for rank in if rank == 0 { vec![0] } else { vec![0, rank] } {
            all[rank].messages += part.messages;
            all[rank].bytes += part.bytes;
        }
    }
    all
}

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
