use std::io::Write;

use amazons_program::Exit;
use clap::Args;
use connect4::perft;

use crate::board_args::BoardArgs;

#[derive(Args, Debug)]
pub(crate) struct PerftArgs {
    /// Plies
    #[arg(short, long, value_name = "PLIES", allow_negative_numbers = true, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Count positions instead of sequences
    #[arg(long)]
    distinct: bool,
    #[command(flatten)]
    board: BoardArgs,
}

/// Prints a line for each depth: positions, and how many of them the last move won.
pub(crate) fn run(args: &PerftArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let position = args.board.position()?;
    for depth in 1..=args.depth {
        let (all, won) = if args.distinct {
            let (layer, won) = perft::distinct(&position, depth);
            (layer.len() as u64, won as u64)
        } else {
            perft::sequences(&position, depth)
        };
        writeln!(out, "{depth:2} {all:>20} {won:>18} won")?;
    }
    Ok(Exit::Success)
}
