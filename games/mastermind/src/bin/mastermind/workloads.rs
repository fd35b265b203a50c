//! The workloads that pay on real ranks: scoring guesses, and proving an optimum.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::time::{Duration, Instant};

use amazons_mpi::jobs::{Event, Task};
use amazons_mpi::{Deadline, Payload};
use amazons_program::ranks::{self, RankOptions, Ranks, Setup};
use amazons_program::speedup::{Report, Run};
use amazons_program::{Exit, Interrupt, launched, thread_time};
use mastermind::optimum::{Job, Settings, Solved, Solver, prove_again};
use mastermind::{Candidates, Choice, Game, Scorer, Strategy};

use crate::bench_args::BenchArgs;
use crate::rank_rows::{RankRows, allowed, fastest};

/// The guesses of a job: many at first, few towards the end, so that all ranks end together.
const JOB_MOST: u32 = 512;
const JOB_LEAST: u32 = 32;
/// About how many jobs each rank gets.
const JOBS_EACH: u32 = 8;

/// Maximum number of pairs of guess and code for a timed move.
const PAIRS_MAX: u64 = 400_000_000_000;

/// How often to look for Ctrl-C.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The jobs that a rank has in hand: the current one and the next.
const IN_HAND: usize = 2;

/// The numbers of ranks to time, for which as many threads or processes are there.
fn ranks_of(args: &BenchArgs) -> Result<(Vec<usize>, RankOptions), Exit> {
    let asked: Vec<_> = args.players().iter().map(|&ranks| ranks as usize).collect();
    let numbers = allowed(&asked, args.force)?;
    let most = numbers.iter().copied().max().and_then(NonZeroUsize::new);
    // Every thread is a rank; a rank of a launcher has one.
    let threads = if launched().is_some() { None } else { most };
    Ok((numbers, RankOptions { threads, are_ranks: true, ..RankOptions::default() }))
}

fn by(setup: &Setup) -> String {
    setup.launcher.clone().unwrap_or_else(|| "threads".to_owned())
}

/// Gives jobs to the first ranks only.
fn use_ranks<J: Payload, A: Payload>(dispatcher: &mut Ranks<'_, J, A>, number: usize, all: usize) {
    (0..all).for_each(|rank| dispatcher.set_in_hand(rank, if rank < number { IN_HAND } else { 0 }));
}

/// Times the first move of a game, with every guess scored against every code, for the report of rank 0.
pub(crate) fn scoring(args: &BenchArgs, game: Game, report: &mut Report) -> Result<(), Exit> {
    let pairs = u64::from(game.codes()).pow(2);
    if pairs > PAIRS_MAX {
        return Err(Exit::Usage(format!("{game} has {pairs} pairs of codes: --scoring times at most {PAIRS_MAX}")));
    }
    let (numbers, options) = ranks_of(args)?;
    // Set-up takes a while, too.
    let interrupt = Interrupt::catch().map_err(Exit::failure)?;
    let scorer = Scorer::new(game, Strategy::Entropy);
    let candidates = scorer.candidates((0..game.codes()).collect());
    ranks::run(
        "mastermind",
        &options,
        |task| part(&scorer, &candidates, task),
        |dispatcher, setup| {
            let repeat = args.repeat.get();
            let mut rows =
                RankRows::new(format!("{game}: the first move by entropy, {pairs} pairs of a guess and a code"));
            let (base, chosen) = fastest(repeat, || whole(&scorer, &candidates, &interrupt))?;
            rows.add("scoring", "one process", None, &base, &base);
            for &number in &numbers {
                use_ranks(dispatcher, number, setup.ranks);
                let (run, found) = fastest(repeat, || handed_out(&scorer, dispatcher, number, &interrupt))?;
                if found != chosen {
                    return Err(Exit::Failure(format!("{number} ranks chose another guess than one process")));
                }
                rows.add("scoring", &by(setup), Some(number), &base, &run);
            }
            rows.report(format!("scoring-{game}.svg"), report);
            Ok(Exit::Success)
        },
    )?;
    Ok(())
}

/// The best of a range of guesses, and how long it took.
fn part(scorer: &Scorer, candidates: &Candidates, task: Task<'_, Range<u32>>) -> Result<(Choice, Duration), String> {
    let begun = thread_time();
    let guesses: Vec<u32> = (task.job.start..task.job.end.min(scorer.game().codes())).collect();
    let best = scorer.best(candidates, &guesses).ok_or("rank 0 sent an empty range of guesses")?;
    Ok((best, thread_time().saturating_sub(begun)))
}

/// The best program of one process: no jobs, no messages.
fn whole(scorer: &Scorer, candidates: &Candidates, interrupt: &Interrupt) -> Result<(Run, Option<Choice>), Exit> {
    let (begun, at) = (thread_time(), Instant::now());
    let mut least = None;
    for from in (0..scorer.game().codes()).step_by(JOB_MOST as usize) {
        if interrupt.is_set() {
            return Err(Exit::Stopped);
        }
        let guesses: Vec<u32> = (from..scorer.game().codes().min(from + JOB_MOST)).collect();
        least = least.into_iter().chain(scorer.best(candidates, &guesses)).min();
    }
    let busy = vec![thread_time().saturating_sub(begun)];
    Ok((Run { time: at.elapsed(), busy, serial: Duration::ZERO }, least))
}

fn handed_out(
    scorer: &Scorer,
    dispatcher: &mut Ranks<'_, Range<u32>, (Choice, Duration)>,
    ranks: usize,
    interrupt: &Interrupt,
) -> Result<(Run, Option<Choice>), Exit> {
    let (begun, at) = (thread_time(), Instant::now());
    let mut run = Run { busy: vec![Duration::ZERO; ranks], ..Run::default() };
    let (mut from, codes, mut left) = (0, scorer.game().codes(), 0);
    let share = JOBS_EACH * u32::try_from(ranks).unwrap_or(u32::MAX);
    while from < codes {
        let to = codes.min(from + ((codes - from) / share).clamp(JOB_LEAST, JOB_MOST));
        dispatcher.push(&(from..to));
        (from, left) = (to, left + 1);
    }
    let mut least = None;
    while left > 0 {
        if interrupt.is_set() {
            dispatcher.cancel_all();
            return Err(Exit::Stopped);
        }
        let event = dispatcher.next_event(Deadline::after(LOOK_EVERY)).map_err(Exit::failure)?;
        let Some(Event::Result { answer: (choice, spent), rank, .. }) = event else { continue };
        left -= 1;
        if let Some(busy) = run.busy.get_mut(rank) {
            *busy += spent;
        }
        least = least.into_iter().chain([choice]).min();
    }
    (run.time, run.serial) = (at.elapsed(), thread_time().saturating_sub(begun));
    Ok((run, least))
}

/// Times the proof of a game's optimum; any number of ranks must prove the same. The table is for the report of rank 0.
pub(crate) fn optimum(args: &BenchArgs, game: Game, report: &mut Report) -> Result<(), Exit> {
    let (numbers, options) = ranks_of(args)?;
    let threads = options.threads.map_or(1, NonZeroUsize::get);
    let new = |threads| Solver::new(game, Settings { threads, ..Settings::default() }).map_err(Exit::usage);
    let interrupt = Interrupt::catch().map_err(Exit::failure)?;
    let solver = new(threads)?;
    ranks::run(
        "mastermind",
        &options,
        |task| solver.do_timed_job(task, thread_time),
        |dispatcher, setup| {
            let mut rows = RankRows::new(format!("{game}: proof of the optimum, set-up included"));
            let mut timed = Proofs { solver: &solver, interrupt: &interrupt, runs: 0 };
            let mut base = None;
            // One rank, with as many jobs as it likes, is the best program of one process.
            for number in [1].into_iter().chain(numbers.iter().copied().filter(|&number| number > 1)) {
                use_ranks(dispatcher, number, setup.ranks);
                let threads = if setup.launcher.is_some() { 1 } else { number };
                let (start, ()) = fastest(args.repeat.get(), || {
                    let (cpu, at) = (amazons_program::process_time(), Instant::now());
                    drop(new(threads)?);
                    let share = u32::try_from(threads).unwrap_or(u32::MAX);
                    let serial = amazons_program::process_time().saturating_sub(cpu) / share;
                    Ok((Run { time: at.elapsed(), busy: Vec::new(), serial }, ()))
                })?;
                let (mut run, proved) = fastest(args.repeat.get(), || timed.prove(dispatcher, number))?;
                run.time += start.time;
                run.serial += start.serial;
                let (base, expected) = base.get_or_insert_with(|| (run.clone(), proved));
                if proved != *expected {
                    return Err(Exit::Failure(format!("{number} ranks proved another optimum")));
                }
                rows.add("optimum", &by(setup), Some(number), base, &run);
            }
            rows.report(format!("optimum-{game}.svg"), report);
            Ok(Exit::Success)
        },
    )?;
    Ok(())
}

/// Proofs of the same optimum, none of which remembers another.
struct Proofs<'a> {
    solver: &'a Solver,
    interrupt: &'a Interrupt,
    runs: u32,
}

impl Proofs<'_> {
    /// Proves it, and returns the bounds.
    fn prove(
        &mut self,
        dispatcher: &mut Ranks<'_, Job, Solved>,
        ranks: usize,
    ) -> Result<(Run, (u32, Option<u32>)), Exit> {
        let (begun, at) = (thread_time(), Instant::now());
        let mut busy = vec![Duration::ZERO; ranks];
        let is_stopped = || self.interrupt.is_set();
        let mut progress = |progress: &mastermind::optimum::Progress| {
            if let Some(busy) = busy.get_mut(progress.rank) {
                *busy += progress.spent;
            }
        };
        self.runs += 1;
        let outcome = prove_again(self.runs, dispatcher, self.solver, &is_stopped, &mut progress);
        let outcome = outcome.map_err(Exit::failure)?;
        if is_stopped() {
            return Err(Exit::Stopped);
        }
        let serial = thread_time().saturating_sub(begun);
        Ok((Run { time: at.elapsed(), busy, serial }, (outcome.lower, outcome.upper)))
    }
}
