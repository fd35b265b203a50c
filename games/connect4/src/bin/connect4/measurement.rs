use std::time::{Duration, Instant};

use amazons_mpi::Traffic;
use amazons_program::Exit;
use connect4::Position;
use connect4::search::{Computer, Evaluation, SearchSettings, alone};

use crate::ranks::{Engine, exit};

/// How tasks are handed out in what is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Policy {
    /// A task for whoever is free, the next one in hand, superfluous ones cancelled
    Ours,
    /// As in the report: rank 0 computes whole tasks itself while results wait
    Seed,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    pub(crate) position: Position,
    pub(crate) search: SearchSettings,
    pub(crate) processes: usize,
    pub(crate) policy: Policy,
}

/// A search, or the median of some.
#[derive(Clone, Debug)]
pub(crate) struct Measurement {
    pub(crate) seconds: f64,
    pub(crate) calls: u64,
    pub(crate) shares: Vec<Share>,
}

/// One process's share of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    pub(crate) busy: f64,
    pub(crate) tasks: usize,
    pub(crate) traffic: Traffic,
}

pub(crate) fn measure(
    engine: &mut Engine<'_, '_>,
    computer: &Computer,
    setting: &Setting,
) -> Result<Measurement, Exit> {
    engine.forget_costs();
    engine.use_ranks(setting.processes);
    let before = traffic(engine, setting.processes);
    let begun = Instant::now();
    let evaluation = match setting.policy {
        Policy::Ours => engine.evaluate(&setting.position, &setting.search),
        Policy::Seed => engine.evaluate_as_reported(computer, &setting.position, &setting.search),
    };
    let seconds = begun.elapsed().as_secs_f64();
    let evaluation = evaluation.map_err(exit)?;
    let shares = shares(&evaluation, &before, &traffic(engine, setting.processes));
    Ok(Measurement { seconds, calls: evaluation.calls, shares })
}

/// Measures one search of one thread without any tasks.
pub(crate) fn measure_alone(computer: &Computer, setting: &Setting, number: u32) -> Result<Measurement, Exit> {
    let begun = Instant::now();
    let (_, calls) =
        alone(computer, &setting.position, setting.search.depth, setting.search.method, number).map_err(Exit::usage)?;
    Ok(Measurement { seconds: begun.elapsed().as_secs_f64(), calls, shares: Vec::new() })
}

/// Returns the measurement whose time is the median.
pub(crate) fn median(mut all: Vec<Measurement>) -> Option<Measurement> {
    all.sort_by(|one, two| one.seconds.total_cmp(&two.seconds));
    let middle = all.len() / 2;
    (!all.is_empty()).then(|| all.swap_remove(middle))
}

/// Returns the messages between rank 0 and each process, both ways; those of rank 0 are all of them.
fn traffic(engine: &mut Engine<'_, '_>, processes: usize) -> Vec<Traffic> {
    let trace = engine.dispatcher().world().trace();
    let with = |rank: usize| {
        let [sent, received] = [&trace.to, &trace.from].map(|side| side.get(&rank).copied().unwrap_or_default());
        Traffic { messages: sent.messages + received.messages, bytes: sent.bytes + received.bytes }
    };
    let mut all: Vec<Traffic> = (0..processes).map(with).collect();
    let sum = |part: fn(&Traffic) -> u64| all.iter().map(part).sum();
    let total = Traffic { messages: sum(|it| it.messages), bytes: sum(|it| it.bytes) };
    if let Some(first) = all.first_mut() {
        *first = total;
    }
    all
}

fn shares(evaluation: &Evaluation, before: &[Traffic], after: &[Traffic]) -> Vec<Share> {
    let share = |(rank, (before, after)): (usize, (&Traffic, &Traffic))| Share {
        busy: evaluation.cpu.get(rank).map_or(0.0, Duration::as_secs_f64),
        tasks: evaluation.computed.get(rank).copied().unwrap_or(0),
        traffic: Traffic { messages: after.messages - before.messages, bytes: after.bytes - before.bytes },
    };
    before.iter().zip(after).enumerate().map(share).collect()
}
