use std::fmt;

use anyhow::Context;

use crate::cli::RunArgs;
use crate::command::Exit;
use crate::tournament::cores::{physical_cores, usual_concurrency};
use crate::tournament::{RunOptions, Show};

/// Decides how many games run at a time on this machine, and where.
pub(super) fn on_this_machine(args: RunArgs, threads: usize) -> anyhow::Result<RunOptions> {
    let cores = physical_cores().context("cannot ask which cores there are")?;
    let usual = usual_concurrency(cores.len(), threads);
    let concurrency = args.concurrency.map_or(usual, |number| number.get() as usize);
    let needed = concurrency * threads;
    if needed > cores.len() && concurrency > 1 && !args.force {
        let there = cores.len();
        let what = format!("--concurrency: {concurrency} games at a time need {needed} cores, and there are {there}");
        return Err(crowded(what).into());
    }
    let cores = if threads == 1 { cores } else { Vec::new() };
    Ok(RunOptions { concurrency, cores, show: show(args.quiet) })
}

/// Refuses to play more games at a time than there are cores for.
pub(super) fn crowded(what: impl fmt::Display) -> Exit {
    Exit::usage(format_args!("{what}: times would not be fair; --force does it all the same"))
}

pub(super) const fn show(quiet: bool) -> Show {
    if quiet { Show::Nothing } else { Show::Auto }
}
