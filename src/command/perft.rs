use std::collections::BTreeMap;
use std::io::Write;
use std::time::Instant;

use amazons_rules::{MoveList, Position};
use anyhow::Context;

use crate::command::Exit;
use crate::game::{BoardArgs, starting_position};

/// Counts sequences of legal moves.
pub(super) fn run(board: &BoardArgs, depth: u32, divide: bool, out: &mut impl Write) -> anyhow::Result<Exit> {
    let position = starting_position(board)?;
    let start = Instant::now();
    let nodes = if divide && depth > 0 { count_each(&position, depth, out)? } else { position.perft(depth) };
    let seconds = start.elapsed().as_secs_f64();
    let speed = nodes as f64 / seconds / 1e6;
    writeln!(out, "perft({depth}) = {nodes}   {seconds:.3} s   {speed:.0} M/s").context("cannot write the count")?;
    Ok(Exit::Success)
}

fn count_each(position: &Position, depth: u32, out: &mut impl Write) -> anyhow::Result<u64> {
    let mut list = MoveList::new();
    position.legal_moves(&mut list);
    let mut below = position.clone();
    let mut counts = BTreeMap::new();
    for &mv in list.iter() {
        below.play_unchecked(mv);
        counts.insert(mv, below.perft(depth - 1));
        below.undo(mv);
    }
    for (&mv, nodes) in &counts {
        writeln!(out, "{} {nodes}", position.board().move_text(mv)).context("cannot write a count")?;
    }
    Ok(counts.values().sum())
}
