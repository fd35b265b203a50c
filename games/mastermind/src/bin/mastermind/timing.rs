//! The heavy loads, timed on as many ranks as there are cores.

use std::time::{Duration, Instant};

use amazons_mpi::jobs::{Event, Task};
use amazons_mpi::{Deadline, Launch};
use amazons_program::ranks::{self, RankOptions, Ranks, Setup, usual_threads};
use amazons_program::{Exit, LinePlot, TextTable};
use mastermind::optimum::{Settings, Solver, prove};
use mastermind::{Candidates, Choice, Game, Scorer, Strategy};

use crate::bench::BenchArgs;

/// The guesses of a job.
const CHUNK: u32 = 256;

/// The most pairs of guess and code for a timed move.
const PAIRS_MAX: u64 = 400_000_000_000;

const HEAD: [&str; 7] = ["ranks", "by", "seconds", "speed-up", "efficiency", "Karp-Flatt", "note"];

/// Times the first move of a game, with every guess scored against every code.
pub(crate) fn scoring(args: &BenchArgs, game: Game) -> Result<(TextTable, LinePlot), Exit> {
    let pairs = u64::from(game.codes()).pow(2);
    if pairs > PAIRS_MAX {
        return Err(Exit::Usage(format!("{game} has {pairs} pairs of codes: --scoring times at most {PAIRS_MAX}")));
    }
    let scorer = Scorer::new(game, Strategy::Entropy);
    let candidates = scorer.candidates((0..game.codes()).collect());
    let title = format!("{game}: the first move by entropy, {pairs} pairs of a guess and a code");
    let mut rows = Rows::new(title, args);
    let mut base = None;
    for &number in rows.allowed()? {
        let mut found = None;
        let options = RankOptions { threads: Some(nonzero(number)), are_ranks: true, ..RankOptions::default() };
        ranks::run(
            "mastermind",
            &options,
            |task| part(&scorer, &candidates, task),
            |dispatcher, setup| {
                let (time, best) = match base {
                    Some(known) => known,
                    None => fastest(args, || Ok(whole(&scorer, &candidates)))?,
                };
                base = Some((time, best));
                let by_ranks = if setup.ranks == 1 {
                    time
                } else {
                    let (by_ranks, shared) = fastest(args, || handed_out(&scorer, dispatcher))?;
                    if shared != best {
                        return Err(Exit::Failure(format!("{number} ranks chose another guess than one")));
                    }
                    by_ranks
                };
                found = Some((setup.clone(), time, by_ranks));
                Ok(Exit::Success)
            },
        )?;
        // Other ranks of a launcher only work.
        let Some((setup, time, by_ranks)) = found else { break };
        let is_mpi = setup.launcher.is_some();
        rows.add(if is_mpi { setup.ranks } else { number as usize }, &setup, time, by_ranks);
        if is_mpi {
            break;
        }
    }
    Ok(rows.done())
}

/// A job: the best of a range of guesses.
fn part(scorer: &Scorer, candidates: &Candidates, task: Task<'_>) -> Result<Vec<u8>, String> {
    let from = u32::from_le_bytes(task.bytes.try_into().map_err(|_| "a job has 4 bytes".to_owned())?);
    let best = best(scorer, candidates, from).ok_or_else(|| format!("{from} is not a guess"))?;
    let mut bytes = best.key.to_le_bytes().to_vec();
    bytes.extend(best.index.to_le_bytes());
    bytes.push(u8::from(best.is_ruled_out));
    Ok(bytes)
}

fn best(scorer: &Scorer, candidates: &Candidates, from: u32) -> Option<Choice> {
    let to = scorer.game().codes().min(from.checked_add(CHUNK)?);
    let guesses: Vec<u32> = (from..to).collect();
    scorer.best(candidates, &guesses)
}

/// The best program of one process: no messages.
fn whole(scorer: &Scorer, candidates: &Candidates) -> Option<Choice> {
    let chunks = (0..scorer.game().codes()).step_by(CHUNK as usize);
    chunks.filter_map(|from| best(scorer, candidates, from)).min()
}

fn handed_out(scorer: &Scorer, dispatcher: &mut Ranks<'_>) -> Result<Option<Choice>, Exit> {
    let mut left = 0;
    for from in (0..scorer.game().codes()).step_by(CHUNK as usize) {
        dispatcher.push(from.to_le_bytes().to_vec());
        left += 1;
    }
    let mut least = None;
    while left > 0 {
        if let Some(Event::Result { bytes, rank, .. }) =
            dispatcher.next_event(Deadline::NEVER).map_err(Exit::failure)?
        {
            left -= 1;
            let read = || {
                let (key, rest) = bytes.split_first_chunk()?;
                let (index, rest) = rest.split_first_chunk()?;
                let [is_ruled_out] = rest else { return None };
                let (key, index) = (i64::from_le_bytes(*key), u32::from_le_bytes(*index));
                Some(Choice { key, is_ruled_out: *is_ruled_out != 0, index })
            };
            let choice = read().ok_or_else(|| Exit::Failure(format!("rank {rank} sent what is not a choice")))?;
            least = least.into_iter().chain([choice]).min();
        }
    }
    Ok(least)
}

/// Returns the shortest time of several runs, which must agree.
fn fastest<T: PartialEq>(args: &BenchArgs, run: impl FnMut() -> Result<T, Exit>) -> Result<(Duration, T), Exit> {
    let mut run = run;
    let mut shortest: Option<(Duration, T)> = None;
    for _ in 0..args.repeat.get() {
        let begun = Instant::now();
        let result = run()?;
        let time = begun.elapsed();
        shortest = Some(match shortest {
            Some((_, before)) if before != result => {
                return Err(Exit::Failure("the same work gave two results".to_owned()));
            }
            Some((before, _)) => (before.min(time), result),
            None => (time, result),
        });
    }
    shortest.ok_or_else(|| Exit::Failure("nothing was timed".to_owned()))
}

/// Rows of times.
struct Rows<'a> {
    args: &'a BenchArgs,
    table: TextTable,
    points: Vec<(f64, f64)>,
}

impl<'a> Rows<'a> {
    fn new(title: String, args: &'a BenchArgs) -> Self {
        Self { args, table: TextTable::new(title, HEAD), points: Vec::new() }
    }

    /// The numbers of ranks that may be timed.
    fn allowed(&self) -> Result<&'a [u32], Exit> {
        let (all, cores) = (self.args.ranks(), usual_threads());
        // A launcher has chosen already, and may have bound each rank to a core.
        if Launch::from_env().is_some_and(|launch| launch.size > 1) {
            return Ok(&all[..1]);
        }
        let fits = all.iter().take_while(|&&number| self.args.force || number as usize <= cores).count();
        if fits < all.len() {
            let refused = format!("{} ranks are more than the {cores} cores here (--force times them)", all[fits]);
            if fits == 0 {
                return Err(Exit::Usage(refused));
            }
            eprintln!("mastermind: {refused}");
        }
        Ok(&all[..fits])
    }

    fn add(&mut self, number: usize, setup: &Setup, base: Duration, time: Duration) {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let ranks = f64::from(number);
        let faster = base.as_secs_f64() / time.as_secs_f64();
        let serial =
            if number > 1 { format!("{:.3}", (1.0 / faster - 1.0 / ranks) / (1.0 - 1.0 / ranks)) } else { "-".into() };
        let note = if setup.launcher.is_none() && number as usize > usual_threads() { "oversubscribed" } else { "" };
        self.table.row([
            number.to_string(),
            setup.launcher.clone().unwrap_or_else(|| "threads".to_owned()),
            format!("{:.3}", time.as_secs_f64()),
            format!("{faster:.3}"),
            format!("{:.3}", faster / ranks),
            serial,
            note.to_owned(),
        ]);
        self.points.push((ranks, faster));
    }

    fn done(self) -> (TextTable, LinePlot) {
        let mut plot = LinePlot::new(self.table.title(), "ranks", "times");
        plot.line("ideal", self.points.iter().map(|&(ranks, _)| (ranks, ranks)));
        plot.line("measured", self.points);
        (self.table, plot)
    }
}

fn nonzero(number: u32) -> std::num::NonZeroUsize {
    std::num::NonZeroUsize::new(number as usize).unwrap_or(std::num::NonZeroUsize::MIN)
}

/// Times the proof of a game's optimum by threads; every number of them must prove the same.
pub(crate) fn optimum(args: &BenchArgs, game: Game) -> Result<(TextTable, LinePlot), Exit> {
    if Launch::from_env().is_some_and(|launch| launch.size > 1) {
        return Err(Exit::usage(
            "bench --optimum times threads: run it without a launcher, or time mastermind optimum",
        ));
    }
    let mut rows = Rows::new(format!("{game}: proof of the optimum"), args);
    let mut base = None;
    for &number in rows.allowed()? {
        let options = RankOptions { threads: Some(nonzero(number)), ..RankOptions::default() };
        let mut setup = None;
        let (time, proved) = fastest(args, || {
            // A new one remembers nothing.
            let solver = Solver::new(game, Settings { max_guesses: None, memory_bits: None }).map_err(Exit::usage)?;
            let mut bounds = None;
            ranks::run(
                "mastermind",
                &options,
                |task| solver.do_job(task),
                |dispatcher, found| {
                    let is_stopped = || found.interrupt.is_set();
                    let outcome = prove(dispatcher, &solver, &is_stopped, &mut |_| ()).map_err(Exit::failure)?;
                    setup = Some(found.clone());
                    bounds = Some((outcome.lower, outcome.upper));
                    if is_stopped() { Err(Exit::Stopped) } else { Ok(Exit::Success) }
                },
            )?;
            Ok(bounds)
        })?;
        let (base, expected) = *base.get_or_insert((time, proved));
        if proved != expected {
            return Err(Exit::Failure(format!("{number} threads proved another optimum")));
        }
        let Some(setup) = setup else { continue };
        rows.add(number as usize, &setup, base, time);
    }
    Ok(rows.done())
}
