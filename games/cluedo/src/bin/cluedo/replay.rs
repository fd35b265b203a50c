use std::io::Write;
use std::path::{Path, PathBuf};

use amazons_program::Exit;
use clap::Args;
use cluedo::classic::{self, Defect};
use cluedo::record::{ReadError, Rules, Totals, check_course, rules_of};

use crate::input_file::{self, LineError};

/// Maximum length of a classic game's record: even a long game has only a few thousand lines.
const CLASSIC_MAX: usize = 16 << 20;

#[derive(Args, Debug)]
pub(crate) struct ReplayArgs {
    /// The records: of `cluedo play --record` or `cluedo serve --record`
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
}

/// Checks records: a line for each that is right, and one on standard error for each that is not.
pub(crate) fn run(args: &ReplayArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let mut exit = Exit::Success;
    for path in &args.files {
        let shown = path.display();
        match check(path)? {
            Ok(found) => writeln!(out, "{shown}: right: {found}")?,
            Err(defect) => {
                eprintln!("cluedo: {shown}:{defect}");
                exit = Exit::Partly;
            }
        }
    }
    Ok(exit)
}

fn check(path: &Path) -> Result<Result<String, Defect>, Exit> {
    let mut lines = input_file::open_record(path)?;
    let first = match lines.next() {
        Some(Ok(first)) => first,
        Some(Err(wrong)) => return Ok(Err(Defect::new(1, wrong))),
        None => return Ok(Err(Defect::new(1, "the record is empty"))),
    };
    Ok(match rules_of(&first) {
        None => Err(Defect::new(1, ReadError::Foreign)),
        Some(Rules::Course) => check_course(std::iter::once(Ok(first)).chain(lines)).map(|totals| course_text(&totals)),
        Some(Rules::Classic) => check_classic(first, lines),
    })
}

fn check_classic(mut text: String, lines: impl Iterator<Item = Result<String, LineError>>) -> Result<String, Defect> {
    for (line, number) in lines.zip(2..) {
        let line = line.map_err(|wrong| Defect::new(number, wrong))?;
        text.push('\n');
        text.push_str(&line);
        if text.len() > CLASSIC_MAX {
            return Err(Defect::new(number, format!("is beyond {CLASSIC_MAX} bytes: no game is so long")));
        }
    }
    classic::replay(&text).map(|game| {
        let winner = match game.winner {
            Some(0) => "the person wins".to_owned(),
            Some(rank) => format!("AI {rank} wins"),
            None => "nobody wins".to_owned(),
        };
        format!("{} suggestions, {} answers, {winner}", game.suggestions, game.answers)
    })
}

fn course_text(totals: &Totals) -> String {
    let s = |count: u64| if count == 1 { "" } else { "s" };
    let Totals { games, hypotheses, answers, accusations, faults, .. } = totals;
    let tables = totals.tables as u64;
    let mut text =
        format!("{games} game{} at {tables} table{}, {hypotheses} hypotheses, {answers} answers", s(*games), s(tables));
    text += &format!(", {accusations} accusation{}, {faults} fault{}", s(*accusations), s(*faults));
    for (name, wins) in &totals.wins {
        text += &format!("; {name} wins {wins}");
    }
    if totals.unwon > 0 {
        text += &format!("; nobody {}", totals.unwon);
    }
    text
}
