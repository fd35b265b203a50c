use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use amazons_mpi::Launch;
use amazons_program::ranks::{self, RankOptions, Setup, thread_count, usual_threads};
use amazons_program::{Exit, Interrupt, process_time};
use clap::{Args, Subcommand};
use mastermind::optimum::{Outcome, Progress, Settings, Solver, prove};
use mastermind::{Game, Tree};

use crate::board::{count_of, numbers};
use crate::files::{self, expect_writable};

#[derive(Args, Debug)]
pub(crate) struct OptimumArgs {
    /// Pegs x colours, and r (a colour may repeat) or n (it may not)
    #[arg(long, value_name = "PxCr|PxCn", default_value = "4x6r")]
    game: Game,
    /// Maximum number of guesses for any secret
    #[arg(long, value_name = "GUESSES", value_parser = clap::value_parser!(u8).range(1..=100))]
    max: Option<u8>,
    /// Write the tree to a file
    #[arg(long, value_name = "TREE")]
    save: Option<PathBuf>,
    /// Stop after this many sets of codes, with bounds
    #[arg(long, value_name = "SETS")]
    nodes: Option<u64>,
    /// Stop after this many seconds, with bounds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Threads in each process (default: one for each core, or one under a launcher)
    #[arg(short = 'j', long, value_name = "N", value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
    /// Remember 2 to the power of this many sets, 16 bytes each
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(10..=34))]
    memory: Option<u32>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "expected seconds, such as 60 or 0.5".to_owned())
}

pub(crate) fn run(args: &OptimumArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let usual = if Launch::from_env().is_some() { 1 } else { usual_threads() };
    let threads = args.threads.map_or(usual, NonZeroUsize::get);
    // Set-up takes a while, too.
    let interrupt = Interrupt::catch().map_err(Exit::failure)?;
    let settings = Settings { max_guesses: args.max, memory_bits: args.memory, threads };
    // A game that is too large is so on all ranks, but only rank 0 says it.
    let solver = Solver::new(args.game, settings);
    let options = RankOptions { threads: args.threads, ..RankOptions::default() };
    ranks::run(
        "mastermind",
        &options,
        |task| solver.as_ref().map_err(ToString::to_string)?.do_job(task, || Duration::ZERO),
        |dispatcher, setup| {
            let solver = solver.as_ref().map_err(Exit::usage)?;
            expect_writable(args.save.as_deref())?;
            let begun = Instant::now();
            let searched = std::cell::Cell::new(0);
            let is_stopped = || {
                interrupt.is_set()
                    || args.time.is_some_and(|time| begun.elapsed() >= time)
                    || args.nodes.is_some_and(|nodes| searched.get() >= nodes)
            };
            let (mut shown, is_shown) = (begun, io::stderr().is_terminal());
            let mut progress = |progress: &Progress| {
                searched.set(progress.nodes);
                if is_shown && shown.elapsed() > Duration::from_millis(200) {
                    shown = Instant::now();
                    show(args.game, progress);
                }
            };
            let outcome = prove(0, dispatcher, solver, &is_stopped, &mut progress).map_err(Exit::failure)?;
            if is_shown {
                eprint!("\r\x1b[K");
            }
            let proved = report(args, setup, &outcome, begun.elapsed(), out)?;
            Ok(if interrupt.is_set() { Exit::Stopped } else { proved })
        },
    )
}

/// Prints what is proved, and saves the tree.
fn report(
    args: &OptimumArgs,
    setup: &Setup,
    outcome: &Outcome,
    elapsed: Duration,
    out: &mut impl Write,
) -> Result<Exit, Exit> {
    let codes = f64::from(args.game.codes());
    let Outcome { lower, upper, tree, nodes } = outcome;
    let limit = args.max.map_or_else(String::new, |max| format!(" with at most {max} guesses"));
    match upper {
        Some(upper) if lower == upper => {
            writeln!(out, "{}{limit}: optimum {upper}, {:.4} a secret", args.game, f64::from(*upper) / codes)?;
        }
        Some(upper) => writeln!(out, "{}{limit}: optimum between {lower} and {upper}", args.game)?,
        None if outcome.is_impossible() => writeln!(out, "{}{limit}: impossible", args.game)?,
        None => writeln!(out, "{}{limit}: optimum at least {lower}", args.game)?,
    }
    if let Some(tree) = tree {
        let walk = tree.walk(args.game).map_err(Exit::failure)?;
        writeln!(out, "secrets found at guess 1, 2, ..: {}", numbers(&walk.distribution))?;
    }
    writeln!(
        out,
        "{nodes} sets searched, {} of {}, {:.3} s ({:.3} s of processor time on rank 0)",
        count_of(setup.ranks, "rank"),
        count_of(setup.threads, "thread"),
        elapsed.as_secs_f64(),
        process_time().as_secs_f64(),
    )?;
    if let (Some(path), Some(tree)) = (&args.save, tree) {
        files::write(path, &tree.to_text(args.game).map_err(Exit::failure)?)?;
        writeln!(out, "tree saved to {}", path.display())?;
    }
    Ok(if Some(*lower) == *upper || outcome.is_impossible() { Exit::Success } else { Exit::Partly })
}

/// Shows on a terminal how far the search is.
fn show(game: Game, progress: &Progress) {
    let Progress { guess, place: (place, count), lower, upper, nodes, .. } = progress;
    let upper = upper.map_or_else(String::new, |upper| format!(", best {upper}"));
    let guess = game.text(game.code(*guess));
    eprint!("\rfirst guess {guess} ({place} of {count}): at least {lower}{upper}, {nodes} sets\x1b[K");
}

#[derive(Args, Debug)]
pub(crate) struct TreeArgs {
    #[command(subcommand)]
    command: TreeCommand,
}

#[derive(Debug, Subcommand)]
enum TreeCommand {
    /// Play a saved tree against every secret
    Check {
        /// The file
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

pub(crate) fn tree(args: &TreeArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let TreeCommand::Check { file } = &args.command;
    let (_, game, walk) =
        Tree::check(&files::read(file)?).map_err(|error| Exit::usage(format!("{}: {error}", file.display())))?;
    writeln!(
        out,
        "{}: all {} secrets found in {} guesses, at most {}; at guess 1, 2, ..: {}",
        game,
        game.codes(),
        walk.total(),
        walk.distribution.len(),
        numbers(&walk.distribution)
    )?;
    Ok(Exit::Success)
}
