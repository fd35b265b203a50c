use std::fmt::Write as _;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::time::Instant;

use amazons_mpi::Launch;
use amazons_program::ranks::{RankOptions, RankWorld};
use amazons_program::{Exit, Interrupt, SIGINT, SIGTERM, TYPED_MAX, Typed, ranks, read_line};
use clap::Args;
use connect4::perfect::frontier::{ALONE, Frontier};
use connect4::perfect::{Solver, Solvers};
use connect4::{BookChoice, Position, Size, excerpt};

use crate::board_args::Asked;
use crate::book_option::BookOption;
use crate::input::Input;

pub(crate) const MIB: u64 = 1 << 20;

#[derive(Args, Debug)]
pub(crate) struct SolveArgs {
    /// The moves that lead to each position (default: the empty board), such as 4453 or 4,4,5,3; a score after them is
    /// checked. Or its cells: 42 letters x, o, b by columns, or digits 1, 2, 0 by rows
    #[arg(value_name = "MOVES")]
    positions: Vec<String>,
    /// Read positions from standard input, one a line, and answer each at once; a blank line is the empty board
    #[arg(long, conflicts_with = "positions")]
    stdin: bool,
    /// Say only who wins: 1 for the side to move, -1 for its opponent, 0 for neither
    #[arg(long)]
    weak: bool,
    /// Print the score of each column instead of the position's; x is a full one
    #[arg(long)]
    columns: bool,
    /// Columns and rows
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t)]
    size: Size,
    #[command(flatten)]
    solver: SolverArgs,
}

/// How to solve.
#[derive(Args, Clone, Debug)]
pub(crate) struct SolverArgs {
    /// Threads that search together (default: one for each core)
    #[arg(short = 'j', long = "threads", value_name = "N", allow_negative_numbers = true, value_parser = amazons_program::ranks::thread_count)]
    threads: Option<NonZeroUsize>,
    /// Most memory for what is known of positions; what is not needed is not used
    #[arg(long, value_name = "MIB", allow_negative_numbers = true, default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
    #[command(flatten)]
    book: BookOption,
}

impl SolverArgs {
    pub(crate) fn solver(&self, size: Size) -> Result<Solver, Exit> {
        let threads = self.threads.map_or_else(ranks::usual_threads, NonZeroUsize::get);
        let book = self.book.read(size)?;
        let solver = Solver::new(size, self.memory * MIB, threads).map_err(|error| no_room(self.memory, &error))?;
        Ok(solver.with_book(book))
    }
}

pub(crate) fn no_room(mebibytes: u64, error: &io::Error) -> Exit {
    Exit::Failure(format!("no room for {mebibytes} MiB: {error}: name less with --memory"))
}

/// A source of scores and of input: this process alone, or all ranks.
trait Answers {
    /// Returns the score of a position, or only who wins, and how many positions have been searched for all so far.
    fn value(&mut self, position: &Position, is_weak: bool) -> Result<(i32, u64), Exit>;

    fn next_line(&mut self) -> Result<Typed, Exit>;
}

/// The threads of this process. Ctrl-C ends it at once.
struct Alone(Solver);

impl Answers for Alone {
    fn value(&mut self, position: &Position, is_weak: bool) -> Result<(i32, u64), Exit> {
        let never = || false;
        let value = if is_weak { self.0.winner(position, &never) } else { self.0.score(position, &never) };
        Ok((value.ok_or(Exit::Stopped)?, self.0.nodes()))
    }

    fn next_line(&mut self) -> Result<Typed, Exit> {
        Ok(read_line(&mut io::stdin().lock()))
    }
}

/// All ranks of a launcher, with which rank 0 keeps in touch while it waits for input.
struct OnRanks<'a, 'r, 'w> {
    frontier: Frontier<'a, &'w mut RankWorld>,
    interrupt: &'r Interrupt,
    input: Input,
}

impl Answers for OnRanks<'_, '_, '_> {
    fn value(&mut self, position: &Position, is_weak: bool) -> Result<(i32, u64), Exit> {
        let (frontier, stop) = (&mut self.frontier, || self.interrupt.is_set());
        let value = if is_weak { frontier.winner(position, &stop) } else { frontier.score(position, &stop) };
        Ok((value.map_err(Exit::Failure)?.ok_or(Exit::Stopped)?, frontier.nodes()))
    }

    fn next_line(&mut self) -> Result<Typed, Exit> {
        let (frontier, interrupt) = (&mut self.frontier, self.interrupt);
        self.input.line(|| if interrupt.is_set() { Err(Exit::Stopped) } else { frontier.idle().map_err(Exit::Failure) })
    }
}

/// Answers each position with a line: its moves, score, positions searched, microseconds.
pub(crate) fn run(args: &SolveArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    if Launch::from_env().is_some_and(|launch| launch.size > 1) {
        return run_on_ranks(args, out);
    }
    let solver = args.solver.solver(args.size)?;
    Interrupt::end_at_once(&[SIGINT, SIGTERM])
        .map_err(|error| Exit::Failure(format!("cannot catch Ctrl-C: {error}")))?;
    answer_all(args, &mut Alone(solver), out)
}

fn run_on_ranks(args: &SolveArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    // A book only saves work, and rank 0 says what is wrong with it once all have met.
    let (book, refused) = match args.solver.book.read(args.size) {
        Ok(book) => (book, None),
        Err(exit) => (BookChoice::Nothing, Some(exit)),
    };
    let solvers = Solvers::new(args.solver.memory * MIB, book);
    let options = RankOptions { threads: args.solver.threads, ..RankOptions::default() };
    ranks::run(
        "connect4",
        &options,
        |task| solvers.work(task),
        |dispatcher, setup| {
            refused.map_or(Ok(()), Err)?;
            let mut own = solvers.small(args.size).map_err(|error| no_room(args.solver.memory, &error))?;
            let note = |line: &str| eprintln!("connect4: {line}");
            let frontier = Frontier::new(dispatcher, setup.ranks * setup.threads);
            let frontier = frontier.trying_alone(&mut own, ALONE).with_notes(&note);
            answer_all(args, &mut OnRanks { frontier, interrupt: &setup.interrupt, input: Input::start() }, out)
        },
    )
}

fn answer_all(args: &SolveArgs, answers: &mut impl Answers, out: &mut impl Write) -> Result<Exit, Exit> {
    let mut nodes = 0;
    if args.stdin {
        return answer_lines(args, answers, &mut nodes, out);
    }
    let empty = [String::new()];
    let texts = if args.positions.is_empty() { &empty[..] } else { &args.positions };
    // All are checked before the first is solved.
    let wrong = |text: &str, why: String| Exit::Usage(format!("position {:?}: {why}", excerpt(text)));
    let read = |text: &String| Asked::parse(args.size, text).map_err(|why| wrong(text, why));
    let mut exit = Exit::Success;
    for asked in &texts.iter().map(read).collect::<Result<Vec<_>, _>>()? {
        if let Err(why) = answer(args, asked, answers, &mut nodes, out)? {
            eprintln!("connect4: {}: {why}", asked.text);
            exit = Exit::Partly;
        }
    }
    Ok(exit)
}

/// Answers lines in their order; a bad one with an empty line, and a line on standard error.
fn answer_lines(
    args: &SolveArgs,
    answers: &mut impl Answers,
    nodes: &mut u64,
    out: &mut impl Write,
) -> Result<Exit, Exit> {
    let mut exit = Exit::Success;
    for number in 1_u64.. {
        let line = match answers.next_line()? {
            Typed::Line(line) => Ok(line),
            Typed::NotText => Err("not text (UTF-8)".to_owned()),
            Typed::TooLong => Err(format!("more than {TYPED_MAX} bytes")),
            Typed::Failed(error) => return Err(Exit::Failure(format!("cannot read standard input: {error}"))),
            Typed::End => break,
        };
        let line = line.as_ref().map(|line| line.trim());
        let found = match line.map_err(Clone::clone).and_then(|text| Asked::parse(args.size, text)) {
            Ok(asked) => answer(args, &asked, answers, nodes, out)?,
            Err(reason) => {
                writeln!(out)?;
                out.flush()?;
                Err(reason)
            }
        };
        if let Err(reason) = found {
            eprintln!("line {number}: {reason}");
            exit = Exit::Partly;
        }
    }
    Ok(exit)
}

/// Prints the line for a position; `nodes` were searched for those before it. Returns whether the score that came with
/// it is right.
fn answer(
    args: &SolveArgs,
    Asked { text, position, score: told }: &Asked,
    answers: &mut impl Answers,
    nodes: &mut u64,
    out: &mut impl Write,
) -> Result<Result<(), String>, Exit> {
    let (start, before) = (Instant::now(), *nodes);
    let mut ask = |position: &Position| -> Result<i32, Exit> {
        let (value, searched) = answers.value(position, args.weak)?;
        *nodes = searched;
        Ok(value)
    };
    let (result, score) = if args.columns {
        let mut scores = Vec::new();
        for column in position.columns() {
            let mut next = *position;
            next.play_free(column);
            scores.push((column, -ask(&next)?));
        }
        (in_columns(args.size, &scores), scores.iter().map(|it| it.1).max().unwrap_or_default())
    } else {
        let score = ask(position)?;
        (score.to_string(), score)
    };
    writeln!(out, "{text} {result} {} {}", *nodes - before, start.elapsed().as_micros())?;
    out.flush()?;
    let told = told.map(|told| if args.weak { told.signum() } else { told });
    Ok(told.filter(|told| *told != score).map_or(Ok(()), |told| Err(format!("the score is {score}, not {told}"))))
}

/// Returns the scores of all columns, with an x for a full one.
fn in_columns(size: Size, scores: &[(u32, i32)]) -> String {
    let mut text = String::new();
    for column in 0..size.width() {
        let gap = if column == 0 { "" } else { " " };
        // Writing to a string cannot fail.
        let _ = match scores.iter().find(|it| it.0 == column) {
            Some((_, score)) => write!(text, "{gap}{score}"),
            None => write!(text, "{gap}x"),
        };
    }
    text
}
