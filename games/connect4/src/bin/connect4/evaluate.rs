use std::io::Write;
use std::time::{Duration, Instant};

use amazons_program::Exit;
use clap::Args;
use connect4::search::{Evaluation, Method, SearchSettings};
use connect4::{Choice, Size};
use serde_json::json;

use crate::board_args::open_position;
use crate::ranks::{Engine, RankArgs, exit, lead};

#[derive(Args, Debug)]
pub(crate) struct EvaluateArgs {
    /// The moves that lead to the position
    #[arg(value_name = "MOVES", default_value = "")]
    moves: String,
    /// Plies to search
    #[arg(short, long, value_name = "PLIES", allow_negative_numbers = true, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Plies above the tasks (default: enough for every thread)
    #[arg(short = 'T', long, value_name = "PLIES", allow_negative_numbers = true)]
    task_depth: Option<u32>,
    /// Follow the rule as it is written, and count its calls
    #[arg(long)]
    plain: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Columns and rows
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t)]
    size: Size,
    #[command(flatten)]
    ranks: RankArgs,
}

pub(crate) fn run(args: &EvaluateArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    lead(&args.ranks.options(), |engine, _, _| evaluate(args, engine, out))
}

fn evaluate(args: &EvaluateArgs, engine: &mut Engine<'_, '_>, out: &mut impl Write) -> Result<Exit, Exit> {
    let position = open_position(args.size, &args.moves)?;
    let method = if args.plain { Method::Plain } else { Method::Table };
    let settings = SearchSettings { depth: args.depth, task_depth: args.task_depth, method };
    let start = Instant::now();
    let evaluation = engine.evaluate(&position, &settings).map_err(exit)?;
    let elapsed = start.elapsed();
    if args.json {
        writeln!(out, "{}", report(args, &evaluation, elapsed))?;
        return Ok(Exit::Success);
    }
    for (column, value) in &evaluation.values {
        writeln!(out, "{}  {value:+}", args.size.column_name(*column))?;
    }
    let cpu: Duration = evaluation.cpu.iter().sum();
    writeln!(
        out,
        "depth {}, task depth {}, {} tasks ({} computed), {} {}, {:.3} s ({:.3} s of processor time)",
        args.depth,
        evaluation.task_depth,
        evaluation.tasks,
        evaluation.computed.iter().sum::<usize>(),
        evaluation.calls,
        if args.plain { "calls" } else { "positions" },
        elapsed.as_secs_f64(),
        cpu.as_secs_f64(),
    )?;
    let mut choice = Choice::new(args.size);
    choice.add(args.depth, &evaluation.values);
    if let Some(column) = choice.column() {
        writeln!(out, "best column at this depth: {}", args.size.column_name(column))?;
    }
    Ok(Exit::Success)
}

fn report(args: &EvaluateArgs, evaluation: &Evaluation, elapsed: Duration) -> serde_json::Value {
    let columns = evaluation.values.iter().map(|(column, value)| {
        json!({
            "column": args.size.column_name(*column),
            "score": value.score(),
            "bits": format!("{:016x}", value.score().to_bits()),
            "proven": value.is_proven(),
        })
    });
    json!({
        "position": args.moves,
        "size": args.size.to_string(),
        "depth": args.depth,
        "task_depth": evaluation.task_depth,
        "tasks": evaluation.tasks,
        "computed": evaluation.computed,
        "calls": evaluation.calls,
        "seconds": elapsed.as_secs_f64(),
        "cpu_seconds": evaluation.cpu.iter().map(Duration::as_secs_f64).collect::<Vec<_>>(),
        "columns": columns.collect::<Vec<_>>(),
    })
}
