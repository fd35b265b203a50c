//! The cost of the protocols: counted for any number of players, timed for as many as there are cores.

use std::io::Write;

use amazons_program::speedup::Report;
use amazons_program::{Exit, Interrupt, SIGINT, ranks};

use crate::bench_args::BenchArgs;
use crate::{operation_counts, timings, workloads};

pub(crate) fn run(args: &BenchArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    // On all ranks: they would wait for one that ends before they have met.
    args.report.make_folder()?;
    let mut report = Report::new("mastermind", env!("CARGO_PKG_VERSION"));
    measure(args, &mut report)?;
    if ranks::is_first() {
        args.report.print(&report, out)?;
    }
    Ok(Exit::Success)
}

/// Measures what is asked for; only rank 0 fills the report.
fn measure(args: &BenchArgs, report: &mut Report) -> Result<(), Exit> {
    if let Some(game) = args.scoring {
        return workloads::scoring(args, game, report);
    }
    if let Some(game) = args.optimum {
        return workloads::optimum(args, game, report);
    }
    let sessions = timings::plan(args)?;
    Interrupt::end_at_once(&[SIGINT]).map_err(Exit::failure)?;
    if ranks::is_first() {
        operation_counts::count(args, report);
    }
    timings::run(args, &sessions, report)
}
