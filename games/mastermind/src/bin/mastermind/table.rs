use std::io::Write;
use std::num::NonZeroUsize;

use amazons_program::ranks::{thread_count, usual_threads};
use amazons_program::{Exit, TextTable, process_time};
use clap::Args;
use mastermind::{Game, Guesses, Strategy, Table};

use crate::board::numbers;
use crate::options::expect_at_most;

/// Maximum number of codes; more would take hours.
const CODES_MAX: u32 = 1_000_000;

#[derive(Args, Debug)]
pub(crate) struct TableArgs {
    /// Pegs x colours, and r (a colour may repeat) or n (it may not)
    #[arg(long, value_name = "PxCr|PxCn", default_value = "4x6r")]
    game: Game,
    /// Only this strategy: minimax, expected, entropy, parts or first
    #[arg(long, value_name = "NAME")]
    strategy: Option<Strategy>,
    /// Guess only codes that agree with all answers
    #[arg(long)]
    only_possible: bool,
    /// Also count the pairs of guess and candidate that the rule compares
    #[arg(long)]
    plain: bool,
    /// Print comma-separated values
    #[arg(long)]
    csv: bool,
    /// Threads (default: one for each core)
    #[arg(short = 'j', long, value_name = "N", value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
}

pub(crate) fn run(args: &TableArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let game = args.game;
    expect_at_most(CODES_MAX, game, "a table takes")?;
    let threads = args.threads.map_or_else(usual_threads, NonZeroUsize::get);
    let guesses = if args.only_possible { Guesses::Possible } else { Guesses::All };
    let mut head = vec!["strategy", "first", "total", "mean", "max", "secrets found at guess 1, 2, ..", "cpu ms"];
    if args.plain {
        head.push("pairs");
    }
    let mut table = TextTable::new(format!("{game}, {} secrets", game.codes()), head);
    for strategy in Strategy::ALL.into_iter().filter(|one| args.strategy.is_none_or(|only| only == *one)) {
        let begun = process_time();
        let line = Table::new(game, strategy, guesses, threads);
        let spent = process_time().saturating_sub(begun);
        let mut cells = vec![
            strategy.to_string(),
            line.first.map_or_else(String::new, |first| game.text(game.code(first))),
            line.total().to_string(),
            format!("{:.4}", line.mean()),
            line.distribution.len().to_string(),
            numbers(&line.distribution),
            format!("{:.1}", spent.as_secs_f64() * 1e3),
        ];
        if args.plain {
            cells.push(line.pairs.to_string());
        }
        table.row(cells);
    }
    out.write_all(if args.csv { table.to_csv() } else { table.to_text() }.as_bytes())?;
    Ok(Exit::Success)
}
