use std::io::{self, BufRead, BufWriter, Write};

use amazons_program::files::text;
use amazons_rules::{MoveList, Position};
use anyhow::Context;

use crate::command::Exit;
use crate::game::{BoardArgs, ConfigError, starting_position};

/// Lists the moves of the position that the options describe.
pub(super) fn run_one(board: &BoardArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    list(&starting_position(board)?, out)?;
    Ok(Exit::Success)
}

/// Lists the moves of each position text of standard input.
pub(super) fn run_all(board: &BoardArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    let mut out = BufWriter::new(out);
    for position in stdin_positions(board)? {
        list(&position?, &mut out)?;
    }
    out.flush().context("cannot write the moves")?;
    Ok(Exit::Success)
}

/// Returns the positions of standard input, one a line, which may have blank lines.
pub(super) fn stdin_positions(board: &BoardArgs) -> Result<impl Iterator<Item = Result<Position, Exit>>, Exit> {
    let failed = |error| Exit::usage(format_args!("cannot read standard input: {error}"));
    let lines = (1..).zip(text(io::stdin().lock()).map_err(failed)?.lines());
    let is_blank = |line: &io::Result<String>| line.as_ref().is_ok_and(|line| line.trim().is_empty());
    Ok(lines.filter(move |(_, line)| !is_blank(line)).map(move |(number, line)| {
        let position = Some(line.map_err(failed)?);
        starting_position(&BoardArgs { position, ..board.clone() }).map_err(|error| match error {
            ConfigError::Position(error) => Exit::usage(format_args!("standard input, line {number}: {error}")),
            error => Exit::usage(error),
        })
    }))
}

fn list(position: &Position, out: &mut impl Write) -> anyhow::Result<()> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut texts: Vec<String> = moves.iter().map(|&mv| position.board().move_text(mv)).collect();
    texts.sort_unstable();
    writeln!(out, "{}\t{}", texts.len(), texts.join(" ")).context("cannot write the moves")
}
