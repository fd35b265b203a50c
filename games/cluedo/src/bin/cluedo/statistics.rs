use std::convert::Infallible;
use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::time::Duration;

use amazons_mpi::Deadline;
use amazons_mpi::jobs::{Event, JobId, Task};
use amazons_program::ranks::{self, RankOptions, Ranks, Setup};
use amazons_program::{Exit, ranks::alone};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use cluedo::classic::{AiType, Batch, Cell, ExactLaw, LineUp, Tally};
use cluedo::game::Asking;

use crate::statistics_text::{self as text, Row};
use crate::values;

#[derive(Args, Debug)]
pub(crate) struct StatisticsArgs {
    /// Games of each cell of the table
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub(crate) games: u64,
    /// Types of AIs, separated by commas
    #[arg(long, value_name = "TYPES", value_delimiter = ',', default_value = "default,listening,mix")]
    #[arg(value_parser = values::ai_types())]
    pub(crate) types: Vec<AiType>,
    /// The type of each AI of one table, separated by commas, instead of --types and --ais
    #[arg(long = "ai", value_name = "LIST", value_delimiter = ',', conflicts_with_all = ["types", "ais"])]
    #[arg(value_parser = values::ai_types())]
    pub(crate) list: Vec<AiType>,
    /// Numbers of AIs, such as 3 or 2..5
    #[arg(long, value_name = "AIS", default_value = "2..5", value_parser = values::ais)]
    pub(crate) ais: RangeInclusive<u64>,
    /// Where all random numbers come from; several seeds, such as 1..40, show how far tables scatter
    #[arg(long, value_name = "SEEDS", default_value = "1", value_parser = values::span)]
    pub(crate) seed: RangeInclusive<u64>,
    /// Compute the law of two default AIs, without any game
    #[arg(long, conflicts_with_all = ["document", "json", "games", "types", "list", "ais", "seed"])]
    pub(crate) exact: bool,
    /// Add the figures of the report of 2012, of 250 games each, and how many standard errors they are off
    #[arg(long)]
    pub(crate) document: bool,
    /// The first player asked to refute a suggestion: the next one, or the one with the lowest rank
    #[arg(long, value_name = "ORDER", default_value = "cyclic")]
    #[arg(value_parser = PossibleValuesParser::new(["cyclic", "lowest"]).map(asking))]
    pub(crate) asking: Asking,
    /// Print JSON, with the law of rounds
    #[arg(long)]
    pub(crate) json: bool,
    /// Threads that play in each process (default: one for each core, or one under a launcher)
    #[arg(short = 'j', long = "threads", value_name = "N", value_parser = amazons_program::ranks::thread_count)]
    pub(crate) threads: Option<NonZeroUsize>,
}

fn asking(name: String) -> Asking {
    if name == "lowest" { Asking::Lowest } else { Asking::Cyclic }
}

/// A job takes some hundredths of a second.
const BATCH: u64 = 5_000;

/// The same with AIs that reason.
const REASONING_BATCH: u64 = 20;

/// How often Ctrl-C is looked for.
const LOOK: Duration = Duration::from_millis(100);

pub(crate) fn run(args: &StatisticsArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    if args.exact {
        return alone(|| text::exact(&ExactLaw::compute(), out));
    }
    let options = RankOptions { threads: args.threads, ..RankOptions::default() };
    let work = |task: Task<'_, Batch>| Ok::<_, Infallible>(task.job.cell.play(task.job.seed, task.job.games.clone()));
    ranks::run("cluedo", &options, work, |dispatcher, setup| {
        let rows = play(args, dispatcher, setup)?;
        match args.seed.clone().count() {
            _ if args.json => text::json(&rows, args.document, out),
            1 => text::table(&rows, args.document, out),
            seeds => text::scatter(&rows, seeds, args.document, out),
        }
    })
}

fn line_ups(args: &StatisticsArgs) -> Result<Vec<LineUp>, Exit> {
    if !args.list.is_empty() {
        let ais = LineUp::new(&args.list);
        return Ok(vec![ais.ok_or_else(|| Exit::usage("--ai seats 2 to 5 AIs: name as many types"))?]);
    }
    let [first, last] = [args.ais.start(), args.ais.end()].map(|&count| usize::try_from(count).unwrap_or(5));
    let of_type = |ai_type: &AiType| (first..=last).map(|count| LineUp::uniform(*ai_type, count)).collect::<Vec<_>>();
    Ok(args.types.iter().flat_map(of_type).collect())
}

fn play(args: &StatisticsArgs, dispatcher: &mut Ranks<'_, Batch, Tally>, setup: &Setup) -> Result<Vec<Row>, Exit> {
    let mut rows: Vec<Row> = Vec::new();
    for ais in line_ups(args)? {
        let cell = Cell::new(ais, args.asking);
        rows.extend(args.seed.clone().map(|seed| Row { cell, seed, tally: Tally::default() }));
    }
    let cells: Vec<(Cell, u64)> = rows.iter().map(|row| (row.cell, row.seed)).collect();
    let mut batches = cells.into_iter().enumerate().flat_map(|(row, (cell, seed))| {
        let size = if cell.ais.reasons() { REASONING_BATCH } else { BATCH };
        let starts = (0..args.games.div_ceil(size)).map(move |batch| batch * size);
        starts.map(move |start| (row, Batch { cell, seed, games: start..args.games.min(start + size) }))
    });
    let mut waiting: Vec<(JobId, usize)> = Vec::new();
    loop {
        while dispatcher.room() > 0
            && let Some((row, batch)) = batches.next()
        {
            waiting.push((dispatcher.push(&batch), row));
        }
        if waiting.is_empty() {
            return Ok(rows);
        }
        if setup.interrupt.is_set() {
            return Err(Exit::Stopped);
        }
        match dispatcher.next_event(Deadline::after(LOOK)) {
            Ok(Some(Event::Result { job, answer: tally, .. })) => {
                if let Some(at) = waiting.iter().position(|(id, _)| *id == job) {
                    rows[waiting.swap_remove(at).1].tally += &tally;
                }
            }
            Ok(Some(Event::Left { rank, reason: Some(reason) })) => eprintln!("cluedo: rank {rank} left: {reason}"),
            Ok(_) => {}
            Err(nobody) => return Err(Exit::failure(nobody)),
        }
    }
}
