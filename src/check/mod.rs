//! Tries out a player: what every server may ask of it, step by step.
//!
//! [`run`] takes the steps and tells each [`Finding`] as soon as it is there; [`Form`] writes findings down. Everything runs
//! in the sandbox, in processes of its own, unless valgrind is asked for.

mod graphs;
mod harness;
mod leaks;
mod opponent;
mod print;
mod program;
mod report;
mod steps;
mod trouble;

use std::io;

pub use harness::CheckError;
pub use leaks::LeakSearch;
pub use print::{Form, needed_directions};
pub use program::ProgramCheck;
pub use report::{Finding, Report, Status, Step};

use crate::game::GameConfig;
use harness::Harness;
use steps::Steps;

/// Tries out player 1 of a configuration, whose limits and seed hold; `size` is that of the boards of whole games.
///
/// # Errors
/// When the host fails, or `tell` does.
pub fn run(
    config: GameConfig,
    size: Option<u32>,
    search: LeakSearch,
    mut tell: impl FnMut(Step, &Finding) -> io::Result<()>,
) -> Result<Report, CheckError> {
    let mut steps = Steps::new(Harness::new(config)?, size, search);
    let mut report = Report::default();
    for step in Step::ALL {
        let mut finding = steps.take(step)?;
        if step == Step::Functions && finding.status == Status::Failed {
            steps.block("functions are missing");
        }
        finding.detail = one_line(&finding.detail);
        tell(step, &finding)?;
        report.findings.push((step, finding));
    }
    report.needed_directions = steps.needed_directions();
    Ok(report)
}

/// Reports about a file that no loader would open.
///
/// # Errors
/// When `tell` fails.
pub fn not_a_library(
    reason: &str,
    mut tell: impl FnMut(Step, &Finding) -> io::Result<()>,
) -> Result<Report, CheckError> {
    let mut report = Report::default();
    for step in Step::ALL {
        let finding = match step {
            Step::Loads => Finding::failed(
                format!("it is not a shared library: {reason}"),
                "build it with: cc -shared -fPIC -o player.so player.c",
            ),
            _ => Finding::skipped("it does not load"),
        };
        tell(step, &finding)?;
        report.findings.push((step, finding));
    }
    Ok(report)
}

/// A player's words may hold line ends.
fn one_line(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<_>>().join(" ")
}
