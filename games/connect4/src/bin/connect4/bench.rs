use std::io::Write;
use std::num::NonZeroUsize;
use std::time::Duration;

use amazons_program::ranks::{RankOptions, Setup};
use amazons_program::speedup::{Report, ReportArgs, check_cores};
use amazons_program::{Exit, cores, ranks_here, thread_time};
use clap::Args;
use connect4::Position;
use connect4::search::{Computer, Method, SearchSettings};

use crate::bench_tables::{self, Model, Series};
use crate::board_args::open_position;
use crate::measurement::{Policy, latency, measure, measure_alone};
use crate::ranks::{self, Engine, RankArgs, exit};

/// Maximum number of processes of a model.
const MAX_MODELLED: usize = 1_000_000;

#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// Plies to search; the report has 6, at which nobody can win from the empty board
    #[arg(short, long, value_name = "PLIES", allow_negative_numbers = true, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Plies above the tasks, a table for each
    #[arg(short = 'T', long, value_name = "PLIES", allow_negative_numbers = true, value_delimiter = ',', default_values_t = [1, 2, 3])]
    task_depth: Vec<u32>,
    /// The moves that lead to the position
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    position: String,
    /// Follow the rule as it is written, without a table
    #[arg(long)]
    plain: bool,
    /// The assignment of tasks to processes
    #[arg(long, value_enum, default_value_t = Policy::Ours)]
    policy: Policy,
    /// Searches of which the median counts
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// Add what counted tasks would take on these numbers of processes
    #[arg(long, value_name = "PROCESSES", allow_negative_numbers = true, value_delimiter = ',', num_args = 0..=1)]
    #[arg(default_missing_value = "2,4,8,16,32,64", require_equals = true)]
    model: Vec<usize>,
    /// Microseconds that the model counts for a message (default: measured, 0 with one process)
    #[arg(long, value_name = "MICROSECONDS", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(..=60_000_000))]
    latency: Option<u64>,
    /// Measure with more processes than cores
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    report: ReportArgs,
    #[command(flatten)]
    ranks: RankArgs,
}

impl BenchArgs {
    /// Returns how to run on ranks: a process is a rank, also when it is a thread.
    fn options(&self) -> RankOptions {
        RankOptions { are_ranks: true, ..self.ranks.options() }
    }

    const fn search(&self, task_depth: u32) -> SearchSettings {
        let method = if self.plain { Method::Plain } else { Method::Table };
        SearchSettings { depth: self.depth, task_depth: Some(task_depth), method }
    }

    /// Returns what is searched, for titles.
    fn what(&self) -> String {
        let position = if self.position.is_empty() { "the empty board" } else { &self.position };
        format!("depth {}, {position}", self.depth)
    }
}

pub(crate) fn run(args: &BenchArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    // Before so many threads start.
    check_cores(args.ranks.threads.map_or(0, NonZeroUsize::get), args.force)?;
    ranks::lead(&args.options(), |engine, setup, _| lead(args, engine, setup, out))
}

fn lead(args: &BenchArgs, engine: &mut Engine<'_, '_>, setup: &Setup, out: &mut impl Write) -> Result<Exit, Exit> {
    let position = open_position(connect4::Size::STANDARD, &args.position)?;
    check(args, setup)?;
    args.report.make_folder()?;
    let mut report = Report::new("connect4", env!("CARGO_PKG_VERSION"));
    report.head.extend(head(args, setup));
    report.has_comments = true;
    let (all, base) = series(args, engine, setup, &position)?;
    report.head.push(("one process, at best", format!("{base:.6} s, the base of every speed-up")));
    report.tables.extend(all.iter().map(|series| bench_tables::times(series, args.depth, base)));
    report.tables.extend(all.iter().filter_map(bench_tables::shares));
    report.plots.extend(bench_tables::plots(&all, base, &args.what()));
    if !args.model.is_empty() {
        let models = models(args, engine, &position)?;
        report.tables.extend(models.iter().map(|model| bench_tables::model(model, &args.model)));
        report.plots.push(("model.svg".to_owned(), bench_tables::model_plot(&models, &args.model, &args.what())));
    }
    args.report.print(&report, out)?;
    Ok(Exit::Success)
}

fn check(args: &BenchArgs, setup: &Setup) -> Result<(), Exit> {
    if let Some(task_depth) = args.task_depth.iter().find(|task_depth| !(1..=args.depth).contains(*task_depth)) {
        return Err(Exit::usage(connect4::DepthError::Level { depth: args.depth, task_depth: *task_depth }));
    }
    if let Some(number) = args.model.iter().find(|number| !(1..=MAX_MODELLED).contains(*number)) {
        return Err(Exit::usage(format!("--model {number}: 1 to {MAX_MODELLED} processes")));
    }
    check_cores(ranks_here(setup.ranks) * setup.threads, args.force)
}

fn head(args: &BenchArgs, setup: &Setup) -> Vec<(&'static str, String)> {
    let kind = setup.launcher.as_deref().unwrap_or("threads");
    let crowded = if ranks_here(setup.ranks) * setup.threads > cores() { ", oversubscribed" } else { "" };
    let method = if args.plain { "the rule as it is written" } else { "with a table" };
    let policy = if args.policy == Policy::Seed { ", the report's policy" } else { "" };
    let mut head = vec![
        ("processes", format!("up to {} ({kind}{crowded})", setup.ranks)),
        ("search", format!("{}, {method}{policy}, median of {}", args.what(), args.repeat)),
    ];
    if setup.launcher.is_some() {
        head.push((
            "start-up",
            format!("{:.3} s for joining the MPI job, in no time below", setup.start_up.as_secs_f64()),
        ));
    }
    head
}

/// Measures all task depths on all numbers of processes, and one process without tasks; returns the shortest time of
/// one process, too. The repeats take turns, so that a busy minute of the machine spoils none of them.
fn series(
    args: &BenchArgs,
    engine: &mut Engine<'_, '_>,
    setup: &Setup,
    position: &Position,
) -> Result<(Vec<Series>, f64), Exit> {
    let computer = Computer::new(thread_time);
    let depths = args.task_depth.iter();
    let settings: Vec<_> = depths.clone().flat_map(|&depth| (1..=setup.ranks).map(move |it| (depth, it))).collect();
    let (mut all, mut base) = (vec![Vec::new(); settings.len()], f64::INFINITY);
    for number in 1..=args.repeat {
        for (&(task_depth, processes), all) in settings.iter().zip(&mut all) {
            let search = args.search(task_depth);
            let measured = measure(engine, &computer, args.policy, position, &search, processes)?;
            if processes == 1 {
                base = base.min(measured.seconds);
            }
            all.push(measured);
        }
        // Numbers that no search of the ranks has.
        base = base.min(measure_alone(&computer, position, &args.search(1), u32::MAX - number)?);
    }
    let mut medians = all.into_iter().map(|mut all| {
        all.sort_by(|one, two| one.seconds.total_cmp(&two.seconds));
        all.swap_remove(all.len() / 2)
    });
    let series = |&task_depth: &u32| Series { task_depth, measured: medians.by_ref().take(setup.ranks).collect() };
    Ok((depths.map(series).collect(), base))
}

/// Counts the calls of every task, and measures how long a call and a message take.
fn models(args: &BenchArgs, engine: &mut Engine<'_, '_>, position: &Position) -> Result<Vec<Model>, Exit> {
    let latency = match args.latency {
        Some(microseconds) => Duration::from_micros(microseconds),
        None => latency(engine, position)?.unwrap_or_default(),
    };
    engine.use_ranks(usize::MAX);
    let count = |engine: &mut Engine<'_, '_>, task_depth| {
        // A table would make the cost of a task depend on those before it.
        let search = SearchSettings { method: Method::Plain, ..args.search(task_depth) };
        engine.evaluate_all_tasks(position, &search).map_err(exit)
    };
    let alone = count(engine, 1)?;
    let cpu: Duration = alone.cpu.iter().sum();
    let per_call = cpu.as_secs_f64() / alone.calls.max(1) as f64;
    let model = |&task_depth: &u32| {
        let counted = count(engine, task_depth)?;
        Ok(Model {
            task_depth,
            costs: counted.costs.into_iter().flatten().collect(),
            latency: bench_tables::in_calls(latency, per_call),
            base: alone.calls,
        })
    };
    args.task_depth.iter().map(model).collect()
}
