use std::io::Write;
use std::time::{Duration, Instant};

use amazons_program::Exit;
use clap::Args;
use connect4::average::Value;
use connect4::search::{Evaluation, Method, SearchSettings};
use connect4::{Choice, Position, Size};
use serde_json::json;

use crate::board_args::open_position;
use crate::ranks::{Engine, RankArgs, exit};

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
    pub(crate) ranks: RankArgs,
}

pub(crate) fn run(args: &EvaluateArgs, engine: &mut Engine<'_, '_>, out: &mut impl Write) -> Result<Exit, Exit> {
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
        writeln!(out, "{}  {}", args.size.column_name(*column), describe(*value))?;
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
    if let Some(column) = best(&position, args.depth, &evaluation) {
        writeln!(out, "best column at this depth: {}", args.size.column_name(column))?;
    }
    Ok(Exit::Success)
}

/// Returns the column with the best value of this one search.
fn best(position: &Position, depth: u32, evaluation: &Evaluation) -> Option<u32> {
    let mut choice = Choice::new(position.size());
    choice.add(depth, &evaluation.values);
    choice.column()
}

/// Returns a value as text, with all digits that tell it from its neighbours.
fn describe(value: Value) -> String {
    match value {
        Value::Win => "wins".to_owned(),
        Value::Loss => "loses".to_owned(),
        Value::Guess(score) => format!("{score:+}"),
    }
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
