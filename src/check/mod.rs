//! Checks a player step by step: everything that a server may ask of it.
//!
//! [`run`] checks a library and [`run_program`] another program; a [`CheckReport`] writes the findings. Everything runs
//! in the sandbox, in separate processes, unless valgrind is requested.

mod finding;
mod graphs;
mod harness;
mod leaks;
mod opponent;
mod outcome;
mod program;
mod report;
mod results;
mod step;
mod steps;
mod trouble;

use std::io::Write;

use anyhow::Context;

pub use leaks::LeakSearch;
pub use outcome::CheckOutcome;
pub use program::run_program;
pub use report::{CheckReport, Form};

use crate::game::{DirectionsArg, GameConfig};
use finding::{Finding, Status};
use harness::Harness;

use step::{CheckStep, STEPS};
use steps::Steps;

/// The context of a report that fails.
const WRITE: &str = "cannot write";

/// The servers that a player is checked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Servers {
    /// This one, and what others are known to do.
    All,
    /// This one on this machine: a player may use its limits to the full.
    This,
}

/// Checks player 1 of a configuration with its limits and seed; whole games use boards of `size`.
///
/// Returns whether it passes.
pub fn run(
    config: GameConfig,
    size: Option<u32>,
    search: LeakSearch,
    servers: Servers,
    mut report: CheckReport<impl Write>,
) -> anyhow::Result<bool> {
    let mut steps = Steps::new(Harness::new(config)?, size, search, servers);
    for (step, ..) in STEPS {
        if servers == Servers::This && step.label().is_optional {
            continue;
        }
        let mut finding = steps.take(step)?;
        if step == CheckStep::Functions && finding.status == Status::Failed {
            steps.block("functions are missing");
        }
        // A player's text may contain line ends.
        finding.detail = finding.detail.lines().map(str::trim_end).collect::<Vec<_>>().join(" ");
        report.add(step.label(), finding).context(WRITE)?;
    }
    report.finish(steps.needed_directions().map(DirectionsArg::from)).context(WRITE)
}

/// Reports on a file that no loader would open.
pub fn not_a_library(reason: &str, mut report: CheckReport<impl Write>) -> anyhow::Result<bool> {
    for (step, ..) in STEPS {
        let finding = match step {
            CheckStep::Loads => Finding::failed(
                format!("it is not a shared library: {reason}"),
                "build it with: cc -shared -fPIC -o player.so player.c",
            ),
            _ => Finding::skipped("it does not load"),
        };
        report.add(step.label(), finding).context(WRITE)?;
    }
    report.finish(None).context(WRITE)
}
