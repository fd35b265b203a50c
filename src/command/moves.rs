use std::io::{BufRead, BufWriter, Write};

use amazons_rules::{MoveList, Position};
use anyhow::Context;

use crate::command::Exit;
use crate::game::{BoardArgs, ConfigError, starting_position};

/// Lists the moves of the position that the options describe.
pub(super) fn run_one(board: &BoardArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    list(&starting_position(board)?, out)?;
    Ok(Exit::Success)
}

/// Lists the moves of each position text of the input, which may have blank lines.
pub(super) fn run_all(board: &BoardArgs, input: impl BufRead, out: &mut impl Write) -> anyhow::Result<Exit> {
    let mut out = BufWriter::new(out);
    for (number, line) in (1..).zip(input.lines()) {
        let line = line.context("cannot read standard input")?;
        if line.trim().is_empty() {
            continue;
        }
        match starting_position(&BoardArgs { position: Some(line), ..board.clone() }) {
            Ok(position) => list(&position, &mut out)?,
            Err(ConfigError::Position(error)) => {
                return Ok(Exit::usage(format_args!("standard input, line {number}: {error}")));
            }
            Err(error) => return Err(error.into()),
        }
    }
    out.flush().context("cannot write the moves")?;
    Ok(Exit::Success)
}

fn list(position: &Position, out: &mut impl Write) -> anyhow::Result<()> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut texts: Vec<String> = moves.iter().map(|&mv| position.board().move_text(mv)).collect();
    texts.sort_unstable();
    writeln!(out, "{}\t{}", texts.len(), texts.join(" ")).context("cannot write the moves")
}
