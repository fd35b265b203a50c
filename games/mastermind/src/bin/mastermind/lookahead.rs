use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use amazons_program::ranks::{thread_count, usual_threads};
use amazons_program::{Exit, process_time};
use clap::Args;
use mastermind::{Game, LookAhead};

use crate::files::expect_writable;
use crate::tree::{numbers, save};

/// More codes would take days.
const CODES_MAX: u32 = 100_000;

#[derive(Args, Debug)]
pub(crate) struct LookAheadArgs {
    /// Pegs x colours, and r (a colour may repeat) or n (it may not)
    #[arg(long, value_name = "PxCr|PxCn", default_value = "4x6r")]
    game: Game,
    /// How many guesses to try in each position for each of two strategies
    #[arg(long, value_name = "GUESSES", default_value = "2")]
    width: NonZeroUsize,
    /// Write the tree to a file
    #[arg(long, value_name = "TREE")]
    save: Option<PathBuf>,
    /// Threads (default: one for each core)
    #[arg(short = 'j', long, value_name = "N", value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
}

/// Builds a tree by looking ahead.
pub(crate) fn run(args: &LookAheadArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let game = args.game;
    if game.codes() > CODES_MAX {
        return Err(Exit::usage(format!("{game} has {} codes: looking ahead takes at most {CODES_MAX}", game.codes())));
    }
    expect_writable(args.save.as_deref())?;
    let threads = args.threads.map_or_else(usual_threads, NonZeroUsize::get);
    let tree = LookAhead::new(game, args.width.get(), threads).tree();
    let walk = tree.walk(game).map_err(Exit::failure)?;
    #[expect(clippy::cast_precision_loss, reason = "a mean is shown with a few digits")]
    let mean = walk.total() as f64 / f64::from(game.codes());
    writeln!(out, "{game}: {} guesses, {mean:.4} a secret, first {}", walk.total(), game.text(tree.guess))?;
    writeln!(out, "secrets found at guess 1, 2, ..: {}", numbers(&walk.distribution))?;
    writeln!(out, "{:.3} s of processor time", process_time().as_secs_f64())?;
    if let Some(path) = &args.save {
        save(&tree, game, path, out)?;
    }
    Ok(Exit::Success)
}
