use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use amazons_mpi::Deadline;
use amazons_mpi::jobs::{Event, InOrder, Task};
use amazons_program::Exit;
use amazons_program::ranks::{RankOptions, Ranks, Setup, alone, run as on_ranks};
use clap::{Args, Subcommand};
use connect4::Size;
use connect4::book::{Book, Counts, MAX_PLIES};
use connect4::book_making::{Batch, Making};
use connect4::perfect::Solver;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::book_option::{MAX_BYTES, read, wrong};
use crate::solve::{MIB, no_room};

/// How often to ask whether Ctrl-C was pressed.
const ASK_EVERY: Duration = Duration::from_millis(100);
/// The book of 8 plies whose results are published: quiet positions after which the first player wins, loses, draws.
const PUBLISHED: (Size, u32, Counts) = (Size::STANDARD, 8, Counts { wins: 44_473, losses: 16_635, draws: 6_449 });

#[derive(Args, Debug)]
#[command(arg_required_else_help = false)]
pub(crate) struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Debug, Subcommand)]
enum BookCommand {
    /// Compute a book on all threads or ranks; what was stopped goes on where it was
    Make(MakeArgs),
    /// Check a book, and count its results
    Check {
        /// The book (default: the one that is shipped)
        file: Option<PathBuf>,
    },
}

#[derive(Args, Debug)]
struct MakeArgs {
    /// The book; FILE.part keeps what is done so far
    file: PathBuf,
    /// Plies before the positions of the book
    #[arg(long, value_name = "PLIES", allow_negative_numbers = true, default_value_t = 8)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_PLIES)))]
    plies: u32,
    /// Columns and rows
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t)]
    size: Size,
    /// Memory of each rank for what is known of positions
    #[arg(long, value_name = "MIB", allow_negative_numbers = true, default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
    /// Threads that compute in each process (default: one for each core, or one under a launcher)
    #[arg(short = 'j', long = "threads", value_name = "N", allow_negative_numbers = true, value_parser = amazons_program::ranks::thread_count)]
    threads: Option<NonZeroUsize>,
}

pub(crate) fn run(args: &BookArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    match &args.command {
        BookCommand::Make(args) => make(args),
        BookCommand::Check { file } => alone(|| check(file.as_deref(), out)),
    }
}

fn check(file: Option<&Path>, out: &mut impl Write) -> Result<Exit, Exit> {
    let book = file.map_or_else(|| Ok(Book::shipped().clone()), read)?;
    let counts = book.counts();
    let Counts { wins, losses, draws } = counts;
    writeln!(out, "{}, {} plies, {} scores", book.size(), book.plies(), book.len())?;
    writeln!(
        out,
        "{} quiet positions: {wins} wins, {losses} losses, {draws} draws for the first player",
        wins + losses + draws
    )?;
    if (book.size(), book.plies()) == (PUBLISHED.0, PUBLISHED.1) && counts != PUBLISHED.2 {
        let Counts { wins, losses, draws } = PUBLISHED.2;
        let file = file.map_or("the shipped book".into(), |file| file.display().to_string());
        eprintln!("{file}: {wins} wins, {losses} losses, {draws} draws are published");
        return Ok(Exit::Partly);
    }
    Ok(Exit::Success)
}

fn make(args: &MakeArgs) -> Result<Exit, Exit> {
    let making = Making::new(args.size, args.plies);
    // All threads of a rank share a table; each has a solver of its own while it has a batch.
    let first =
        Solver::with_full_table(args.size, args.memory * MIB, 1).map_err(|error| no_room(args.memory, &error))?;
    let solvers = Mutex::new(Vec::<Solver>::new());
    let options = RankOptions { threads: args.threads, ..RankOptions::default() };
    on_ranks(
        "connect4",
        &options,
        |task: Task<'_, Batch>| {
            let batch = Some(task.job).filter(|batch| batch.belongs_to(&making)).ok_or("a batch of another book")?;
            let idle = solvers.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut solver = match idle {
                Some(solver) => solver,
                None => first.companion(1).map_err(|error| format!("no room for a solver: {error}"))?,
            };
            let scores = making.solve(batch, &mut solver, &|| task.is_cancelled());
            solvers.lock().unwrap_or_else(PoisonError::into_inner).push(solver);
            scores.ok_or_else(|| "it was cancelled".to_owned())
        },
        |ranks, setup| lead(args, &making, ranks, setup),
    )
}

/// Hands out the batches, and keeps what comes back.
fn lead(args: &MakeArgs, making: &Making, ranks: &mut Ranks<'_, Batch, Vec<i8>>, setup: &Setup) -> Result<Exit, Exit> {
    let mut part = Part::open(&args.file, making)?;
    let bar = ProgressBar::with_draw_target(Some(making.len() as u64), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} positions, {elapsed} so far, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_position(part.scores.len() as u64);
    bar.reset_eta();
    let (mut batches, mut results) = (making.batches(part.scores.len()), InOrder::default());
    loop {
        while ranks.room() > 0
            && let Some(batch) = batches.next()
        {
            results.expect(ranks.push(&batch));
        }
        if results.is_empty() {
            break;
        }
        if setup.interrupt.is_set() {
            bar.abandon();
            eprintln!("connect4: stopped; the same command goes on from here");
            return Ok(Exit::Stopped);
        }
        match ranks.next_event(Deadline::after(ASK_EVERY)) {
            Ok(Some(Event::Result { job, answer, .. })) => results.insert(job, answer),
            Ok(Some(Event::Left { rank, reason: Some(reason) })) => {
                bar.suspend(|| eprintln!("connect4: rank {rank}: {reason}: others do its work"));
            }
            Ok(_) => {}
            Err(error) => return Err(Exit::failure(error)),
        }
        while let Some((_, scores)) = results.pop() {
            part.append(scores)?;
            bar.set_position(part.scores.len() as u64);
        }
    }
    bar.finish();
    part.finish(making)
}

/// A book that is being made: what `FILE.part` has so far.
struct Part {
    file: PathBuf,
    path: PathBuf,
    opened: File,
    scores: Vec<i8>,
}

impl Part {
    /// Opens what an earlier run left, or begins anew.
    fn open(file: &Path, making: &Making) -> Result<Self, Exit> {
        if file.is_dir() {
            return Err(wrong(file, "is a folder: name a file in it"));
        }
        if file.exists() && !file.is_file() {
            return Err(wrong(file, "is not a file that can be replaced: name another one"));
        }
        let mut path = file.as_os_str().to_owned();
        path.push(".part");
        let path = PathBuf::from(path);
        let head = making.head();
        let opened = OpenOptions::new().create(true).read(true).append(true).open(&path);
        let mut opened = opened.map_err(|error| Exit::unwritable(&path, &error))?;
        let mut bytes = Vec::new();
        (&opened).take(MAX_BYTES).read_to_end(&mut bytes).map_err(|error| wrong(&path, error))?;
        if bytes.is_empty() {
            opened.write_all(head.as_bytes()).map_err(|error| Exit::unwritable(&path, &error))?;
            bytes = head.clone().into_bytes();
        }
        let scores = bytes.strip_prefix(head.as_bytes()).filter(|scores| scores.len() <= making.len());
        let scores = scores.ok_or_else(|| wrong(&path, "begun for another book: remove it, or name another file"))?;
        let scores = scores.iter().map(|byte| byte.cast_signed()).collect();
        Ok(Self { file: file.to_owned(), path, opened, scores })
    }

    fn append(&mut self, scores: Vec<i8>) -> Result<(), Exit> {
        let bytes: Vec<u8> = scores.iter().map(|score| score.cast_unsigned()).collect();
        self.opened.write_all(&bytes).map_err(|error| failed(&self.path, error))?;
        self.scores.extend(scores);
        Ok(())
    }

    /// Writes the book under another name first, so that a file of its name is always whole.
    fn finish(self, making: &Making) -> Result<Exit, Exit> {
        let book = making.finish(self.scores).map_err(|error| wrong(&self.path, error))?;
        let mut new = self.file.as_os_str().to_owned();
        new.push(".new");
        let new = PathBuf::from(new);
        let written = File::create(&new).and_then(|mut opened| {
            opened.write_all(&book.to_bytes())?;
            opened.sync_all()
        });
        written.map_err(|error| failed(&new, error))?;
        fs::rename(&new, &self.file).map_err(|error| failed(&self.file, error))?;
        fs::remove_file(&self.path).map_err(|error| failed(&self.path, error))?;
        Ok(Exit::Success)
    }
}

fn failed(file: &Path, error: io::Error) -> Exit {
    Exit::Failure(format!("{}: {error}", file.display()))
}
