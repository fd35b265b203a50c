use std::io::Write;

use anyhow::Context;

use crate::command::Exit;
use crate::doctor::{Condition, examine};

/// Shows what this machine offers for running players.
pub(super) fn run(json: bool, out: &mut impl Write) -> anyhow::Result<Exit> {
    let examination = examine();
    if json {
        writeln!(out, "{}", serde_json::to_string(&examination)?).context("cannot write")?;
    } else {
        for finding in &examination.findings {
            let mark = match finding.state {
                Condition::Good => "ok  ",
                Condition::Fair => "fair",
                Condition::Poor => "POOR",
            };
            writeln!(out, "{mark}  {:<9} {}", finding.subject, finding.found).context("cannot write")?;
            for (label, text) in [("lost", finding.lost), ("remedy", finding.remedy)] {
                if let Some(text) = text {
                    writeln!(out, "{:16} {label}: {text}", "").context("cannot write")?;
                }
            }
        }
    }
    Ok(match examination.state() {
        Condition::Good | Condition::Fair => Exit::Success,
        Condition::Poor if !examination.can_play => Exit::Refuted("no player can be run here".to_owned()),
        Condition::Poor => Exit::Refuted("players are less confined here than they could be".to_owned()),
    })
}
