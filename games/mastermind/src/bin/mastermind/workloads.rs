//! The workloads that pay on real ranks: scoring guesses, and proving an optimum.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::time::Duration;

use amazons_mpi::jobs::{Event, Task};
use amazons_mpi::{Deadline, Payload};
use amazons_program::ranks::{self, RankOptions, Ranks, Setup};
use amazons_program::speedup::{Report, Run, Stopwatch};
use amazons_program::{Exit, Interrupt, launched, thread_time};
use mastermind::optimum::{Progress, Settings, Solver, prove};
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
    let asked: Vec<_> = args.players.iter().map(|&ranks| ranks as usize).collect();
    let numbers = allowed(&asked, args.force)?;
    let most = numbers.iter().copied().max().and_then(NonZeroUsize::new);
    // Every thread is a rank; a rank of a launcher has one.
    let threads = if launched().is_some() { None } else { most };
    Ok((numbers, RankOptions { threads, are_ranks: true, ..RankOptions::default() }))
}

/// Times some work for the report of rank 0: `alone` in one process, `share` on each number of ranks, which must find the
/// same. Without `alone`, the work on one rank is the best program of one process.
fn time<J: Payload, A: Payload, T: PartialEq + Copy>(
    args: &BenchArgs,
    (mut numbers, options): (Vec<usize>, RankOptions),
    (what, game, title): (&str, Game, String),
    work: impl Fn(Task<'_, J>) -> Result<A, String> + Sync,
    alone: Option<&dyn Fn() -> Result<(Run, T), Exit>>,
    mut share: impl FnMut(&mut Ranks<'_, J, A>, &Setup, usize) -> Result<(Run, T), Exit>,
    report: &mut Report,
) -> Result<(), Exit> {
    ranks::run("mastermind", &options, work, |dispatcher, setup| {
        let (repeat, mut rows) = (args.repeat.get(), RankRows::new(title));
        let by = setup.launcher.as_deref().unwrap_or("threads");
        let mut base = alone.map(|alone| fastest(repeat, alone)).transpose()?;
        match &base {
            Some((base, _)) => rows.add(what, "one process", None, base, base),
            None => numbers = [1].into_iter().chain(numbers.into_iter().filter(|&number| number > 1)).collect(),
        }
        for number in numbers {
            // The first ranks only.
            (0..setup.ranks).for_each(|rank| dispatcher.set_in_hand(rank, if rank < number { IN_HAND } else { 0 }));
            let (run, found) = fastest(repeat, || share(dispatcher, setup, number))?;
            let (base, expected) = base.get_or_insert((run.clone(), found));
            if found != *expected {
                return Err(Exit::Failure(format!("{number} ranks found something else than one process")));
            }
            rows.add(what, by, Some(number), base, &run);
        }
        rows.report(format!("{what}-{game}.svg"), report);
        Ok(Exit::Success)
    })?;
    Ok(())
}

/// Times the first move of a game, with every guess scored against every code.
pub(crate) fn scoring(args: &BenchArgs, game: Game, report: &mut Report) -> Result<(), Exit> {
    let pairs = u64::from(game.codes()).pow(2);
    if pairs > PAIRS_MAX {
        return Err(Exit::Usage(format!("{game} has {pairs} pairs of codes: --scoring times at most {PAIRS_MAX}")));
    }
    let ranks = ranks_of(args)?;
    // Set-up takes a while, too.
    let interrupt = Interrupt::catch().map_err(Exit::failure)?;
    let scorer = Scorer::new(game, Strategy::Entropy);
    let candidates = scorer.candidates((0..game.codes()).collect());
    time(
        args,
        ranks,
        ("scoring", game, format!("{game}: the first move by entropy, {pairs} pairs of a guess and a code")),
        |task| part(&scorer, &candidates, task),
        Some(&|| whole(&scorer, &candidates, &interrupt)),
        |dispatcher, _, number| handed_out(&scorer, dispatcher, number, &interrupt),
        report,
    )
}

/// The best of a range of guesses, and how long it took.
fn part(scorer: &Scorer, candidates: &Candidates, task: Task<'_, Range<u32>>) -> Result<(Choice, Duration), String> {
    let begun = thread_time();
    let guesses: Vec<u32> = (task.job.start..task.job.end.min(scorer.game.codes())).collect();
    let best = scorer.best(candidates, &guesses).ok_or("rank 0 sent an empty range of guesses")?;
    Ok((best, thread_time().saturating_sub(begun)))
}

/// The best program of one process: no jobs, no messages.
fn whole(scorer: &Scorer, candidates: &Candidates, interrupt: &Interrupt) -> Result<(Run, Option<Choice>), Exit> {
    let (watch, mut least) = (Stopwatch::of_thread(), None);
    for from in (0..scorer.game.codes()).step_by(JOB_MOST as usize) {
        if interrupt.is_set() {
            return Err(Exit::Stopped);
        }
        let guesses: Vec<u32> = (from..scorer.game.codes().min(from + JOB_MOST)).collect();
        least = least.into_iter().chain(scorer.best(candidates, &guesses)).min();
    }
    Ok((Run::of_one(&watch), least))
}

fn handed_out(
    scorer: &Scorer,
    dispatcher: &mut Ranks<'_, Range<u32>, (Choice, Duration)>,
    ranks: usize,
    interrupt: &Interrupt,
) -> Result<(Run, Option<Choice>), Exit> {
    let watch = Stopwatch::of_thread();
    let mut run = Run { busy: vec![Duration::ZERO; ranks], ..Run::default() };
    let (mut from, codes, mut left) = (0, scorer.game.codes(), 0);
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
    (run.time, run.serial) = (watch.time(), watch.busy());
    Ok((run, least))
}

/// Times the proof of a game's optimum, set-up included.
pub(crate) fn optimum(args: &BenchArgs, game: Game, report: &mut Report) -> Result<(), Exit> {
    let ranks = ranks_of(args)?;
    let threads = ranks.1.threads.map_or(1, NonZeroUsize::get);
    let new = |threads| Solver::new(game, Settings { threads, ..Settings::default() }).map_err(Exit::usage);
    let interrupt = Interrupt::catch().map_err(Exit::failure)?;
    let solver = new(threads)?;
    let mut proof = 0;
    time(
        args,
        ranks,
        ("optimum", game, format!("{game}: proof of the optimum, set-up included")),
        |task| solver.do_job(task, thread_time),
        None,
        |dispatcher, setup, number| {
            let threads = if setup.launcher.is_some() { 1 } else { number };
            let (at, mut busy) = (Stopwatch::of_process(), vec![Duration::ZERO; number]);
            drop(new(threads)?);
            let set_up = at.busy() / u32::try_from(threads).unwrap_or(u32::MAX);
            let (watch, is_stopped) = (Stopwatch::of_thread(), || interrupt.is_set());
            let mut progress = |progress: &Progress| {
                if let Some(busy) = busy.get_mut(progress.rank) {
                    *busy += progress.spent;
                }
            };
            // No proof remembers another.
            proof += 1;
            let outcome = prove(proof, dispatcher, &solver, &is_stopped, &mut progress).map_err(Exit::failure)?;
            if is_stopped() {
                return Err(Exit::Stopped);
            }
            Ok((Run { time: at.time(), busy, serial: set_up + watch.busy() }, (outcome.lower, outcome.upper)))
        },
        report,
    )
}
