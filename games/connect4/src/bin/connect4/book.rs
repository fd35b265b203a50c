use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use amazons_mpi::Deadline;
use amazons_mpi::jobs::{Event, InOrder, Task};
use amazons_program::Exit;
use amazons_program::files::write_whole;
use amazons_program::ranks::{RankOptions, Ranks, Setup, alone, run as on_ranks};
use clap::{Args, Subcommand};
use connect4::book::{self, Book, Counts, MAX_PLIES, scored};
use connect4::perfect::Solvers;
use connect4::{BookChoice, Size};

use crate::progress;

/// Positions of a batch: neighbours have much in common, so whoever solves one is quick with the next.
const BATCH: usize = 8;
pub(crate) const MIB: u64 = 1 << 20;
/// Maximum size of a book.
const MAX_BYTES: u64 = 1 << 28;
/// How often to ask whether Ctrl-C was pressed.
const POLL_EVERY: Duration = Duration::from_millis(100);
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
    let openings = scored(args.size, args.plies);
    // All threads of a rank share a table; each has a solver of its own while it has a batch.
    let solvers = Solvers::new(args.memory * MIB, BookChoice::Nothing);
    let is_there_room = solvers.with_one(args.size, |_| Some(()));
    is_there_room.map_err(|error| Exit::Failure(format!("{error}: name less than {} with --memory", args.memory)))?;
    let options = RankOptions { threads: args.threads, ..RankOptions::default() };
    on_ranks(
        "connect4",
        &options,
        |task: Task<'_, Range<usize>>| solvers.scores(&openings, task.job.clone(), &|| task.is_cancelled()),
        |ranks, setup| lead(args, openings.len(), ranks, setup),
    )
}

/// Hands out the openings, and keeps the scores that come back.
fn lead(
    args: &MakeArgs,
    number: usize,
    ranks: &mut Ranks<'_, Range<usize>, Vec<i8>>,
    setup: &Setup,
) -> Result<Exit, Exit> {
    let head = book::head(args.size, args.plies, number);
    let mut part = Part::open(&args.file, head.as_bytes(), number)?;
    let bar = progress::bar(number as u64, "positions, {eta} left");
    bar.set_position(part.scores.len() as u64);
    bar.reset_eta();
    let batch = |start| start..number.min(start + BATCH);
    let (mut batches, mut results) = ((part.scores.len()..number).step_by(BATCH).map(batch), InOrder::default());
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
        match ranks.next_event(Deadline::after(POLL_EVERY)).map_err(Exit::failure)? {
            Some(Event::Result { job, answer, .. }) => results.insert(job, answer),
            Some(Event::Left { rank, reason: Some(reason) }) => {
                bar.suspend(|| eprintln!("connect4: rank {rank}: {reason}: others do its work"));
            }
            _ => {}
        }
        while let Some((_, scores)) = results.pop() {
            part.append(scores)?;
            bar.set_position(part.scores.len() as u64);
        }
    }
    bar.finish();
    let book = Book::new(args.size, args.plies, part.scores).map_err(|error| wrong(&part.path, error))?;
    write_whole(&args.file, &book.to_bytes()).map_err(|error| Exit::unwritable(&args.file, &error))?;
    fs::remove_file(&part.path).map_err(|error| failed(&part.path, &error))?;
    Ok(Exit::Success)
}

/// A book that is being made: what `FILE.part` has so far.
struct Part {
    path: PathBuf,
    opened: File,
    scores: Vec<i8>,
}

impl Part {
    /// Opens what an earlier run left of a book of so many scores, or begins anew.
    fn open(file: &Path, head: &[u8], number: usize) -> Result<Self, Exit> {
        if file.is_dir() {
            return Err(wrong(file, "is a folder: name a file in it"));
        }
        if file.exists() && !file.is_file() {
            return Err(wrong(file, "is not a file that can be replaced: name another one"));
        }
        let mut path = file.as_os_str().to_owned();
        path.push(".part");
        let path = PathBuf::from(path);
        let opened = OpenOptions::new().create(true).read(true).append(true).open(&path);
        let mut opened = opened.map_err(|error| Exit::unwritable(&path, &error))?;
        let mut bytes = Vec::new();
        (&opened).take(MAX_BYTES).read_to_end(&mut bytes).map_err(|error| wrong(&path, error))?;
        if bytes.is_empty() {
            opened.write_all(head).map_err(|error| Exit::unwritable(&path, &error))?;
            bytes = head.to_vec();
        }
        let scores = bytes.strip_prefix(head).filter(|scores| scores.len() <= number);
        let scores = scores.ok_or_else(|| wrong(&path, "begun for another book: remove it, or name another file"))?;
        let scores = scores.iter().map(|byte| byte.cast_signed()).collect();
        Ok(Self { path, opened, scores })
    }

    fn append(&mut self, scores: Vec<i8>) -> Result<(), Exit> {
        let bytes: Vec<u8> = scores.iter().map(|score| score.cast_unsigned()).collect();
        self.opened.write_all(&bytes).map_err(|error| failed(&self.path, &error))?;
        self.scores.extend(scores);
        Ok(())
    }
}

/// Which book to use.
#[derive(Args, Clone, Debug)]
pub(crate) struct BookOption {
    /// An opening book, made by `connect4 book make FILE` (default: the one that is shipped, for 7x6)
    #[arg(long = "book", value_name = "FILE|none")]
    file: Option<PathBuf>,
}

impl BookOption {
    pub(crate) const fn is_given(&self) -> bool {
        self.file.is_some()
    }

    /// Reads the book, which must be for boards of this size.
    pub(crate) fn read(&self, size: Size) -> Result<BookChoice, Exit> {
        let Some(file) = &self.file else { return Ok(BookChoice::Shipped) };
        if file.as_os_str() == "none" {
            return Ok(BookChoice::Nothing);
        }
        let book = read(file)?.for_size(size).map_err(|error| wrong(file, error))?;
        Ok(book.into())
    }
}

fn read(file: &Path) -> Result<Book, Exit> {
    let mut bytes = Vec::new();
    let read = File::open(file).and_then(|opened| opened.take(MAX_BYTES).read_to_end(&mut bytes));
    read.map_err(|error| wrong(file, error))?;
    Book::from_bytes(&bytes).map_err(|error| wrong(file, error))
}

fn wrong(file: &Path, reason: impl std::fmt::Display) -> Exit {
    Exit::Usage(format!("{}: {reason}", file.display()))
}

fn failed(file: &Path, error: &io::Error) -> Exit {
    Exit::Failure(format!("{}: {error}", file.display()))
}
