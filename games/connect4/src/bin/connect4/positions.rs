use std::io::Write;

use amazons_program::Exit;
use clap::Args;
use connect4::Size;
use connect4::book::{MAX_PLIES, Opening, openings};

#[derive(Args, Debug)]
pub(crate) struct PositionsArgs {
    /// Plies from the empty board
    #[arg(long, value_name = "PLIES", allow_negative_numbers = true, default_value_t = 8)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_PLIES)))]
    ply: u32,
    /// Count those, too, where neither side could win with a stone now
    #[arg(long)]
    quiet: bool,
    /// Columns and rows
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t)]
    size: Size,
}

/// Prints the number of positions, and that of those that differ by more than a mirror.
pub(crate) fn run(args: &PositionsArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let openings = openings(args.size, args.ply);
    let mut print = |name: &str, openings: &[Opening]| {
        let all: usize = openings.iter().map(Opening::weight).sum();
        writeln!(out, "{name} {all:>10}, up to mirror {:>10}", openings.len())
    };
    print("open ", &openings)?;
    if args.quiet {
        let quiet: Vec<Opening> = openings.into_iter().filter(Opening::is_quiet).collect();
        print("quiet", &quiet)?;
    }
    Ok(Exit::Success)
}
