use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::time::Instant;

use amazons_program::ranks::{RankOptions, RankWorld, Setup};
use amazons_program::{Exit, Interrupt, SIGINT, SIGTERM, TYPED_MAX, Typed, ranks, read_line};
use clap::Args;
use connect4::perfect::frontier::{ALONE, Frontier};
use connect4::perfect::{Solver, Solvers};
use connect4::{BookChoice, Position, Size, excerpt};

use crate::board_args::Asked;
use crate::book::{BookOption, MIB};
use crate::input::Input;
use crate::ranks::exit;

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

fn no_room(mebibytes: u64, error: &io::Error) -> Exit {
    Exit::Failure(format!("no room for {mebibytes} MiB: {error}: name less with --memory"))
}

/// All ranks, and the input of rank 0, which keeps in touch with the others while it waits. A single rank is ended by
/// Ctrl-C at once.
struct Solving<'a, 'w> {
    args: &'a SolveArgs,
    frontier: Frontier<'a, &'w mut RankWorld>,
    setup: &'a Setup,
    input: Option<Input>,
}

/// Answers each position with a line: its moves, score, positions searched, microseconds.
pub(crate) fn run(args: &SolveArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    // A book only saves work, and rank 0 says what is wrong with it once all have met.
    let (book, refused) = match args.solver.book.read(args.size) {
        Ok(book) => (book, None),
        Err(refused) => (BookChoice::Nothing, Some(refused)),
    };
    let solvers = Solvers::new(args.solver.memory * MIB, book);
    let options = RankOptions { threads: args.solver.threads, ..RankOptions::default() };
    ranks::run(
        "connect4",
        &options,
        |task| solvers.work(task),
        |dispatcher, setup| {
            refused.map_or(Ok(()), Err)?;
            let (mut own, positions) = if setup.ranks > 1 {
                (solvers.small(args.size).map_err(|error| no_room(args.solver.memory, &error))?, ALONE)
            } else {
                let caught = Interrupt::end_at_once(&[SIGINT, SIGTERM]);
                caught.map_err(|error| Exit::Failure(format!("cannot catch Ctrl-C: {error}")))?;
                (args.solver.solver(args.size)?, u64::MAX)
            };
            let note = |line: &str| eprintln!("connect4: {line}");
            let frontier = Frontier::new(dispatcher, setup.ranks * setup.threads);
            let frontier = frontier.trying_alone(&mut own, positions).with_notes(&note);
            let input = (setup.ranks > 1).then(Input::start);
            Solving { args, frontier, setup, input }.answer_all(out)
        },
    )
}

impl Solving<'_, '_> {
    fn answer_all(&mut self, out: &mut impl Write) -> Result<Exit, Exit> {
        if self.args.stdin {
            return self.answer_lines(out);
        }
        let empty = [String::new()];
        let texts = if self.args.positions.is_empty() { &empty[..] } else { &self.args.positions };
        // All are checked before the first is solved.
        let wrong = |text: &str, why: String| Exit::Usage(format!("position {:?}: {why}", excerpt(text)));
        let read = |text: &String| Asked::parse(self.args.size, text).map_err(|why| wrong(text, why));
        let mut status = Exit::Success;
        for asked in &texts.iter().map(read).collect::<Result<Vec<_>, _>>()? {
            if let Err(why) = self.answer(asked, out)? {
                eprintln!("connect4: {}: {why}", asked.text);
                status = Exit::Partly;
            }
        }
        Ok(status)
    }

    /// Answers lines in their order; a bad one with an empty line, and a line on standard error.
    fn answer_lines(&mut self, out: &mut impl Write) -> Result<Exit, Exit> {
        let mut status = Exit::Success;
        for number in 1_u64.. {
            let asked = match self.next_line()? {
                Typed::Line(line) => Asked::parse(self.args.size, line.trim()),
                Typed::NotText => Err("not text (UTF-8)".to_owned()),
                Typed::TooLong => Err(format!("more than {TYPED_MAX} bytes")),
                Typed::Failed(error) => return Err(Exit::Failure(format!("cannot read standard input: {error}"))),
                Typed::End => break,
            };
            let found = match asked {
                Ok(asked) => self.answer(&asked, out)?,
                Err(reason) => {
                    writeln!(out)?;
                    out.flush()?;
                    Err(reason)
                }
            };
            if let Err(reason) = found {
                eprintln!("line {number}: {reason}");
                status = Exit::Partly;
            }
        }
        Ok(status)
    }

    fn next_line(&mut self) -> Result<Typed, Exit> {
        let Some(input) = &self.input else { return Ok(read_line(&mut io::stdin().lock())) };
        input.line(|| match self.setup.interrupt.is_set() {
            true => Err(Exit::Stopped),
            false => self.frontier.idle().map_err(exit),
        })
    }

    /// Prints the line for a position. Returns whether the score that came with it is right.
    fn answer(&mut self, asked: &Asked, out: &mut impl Write) -> Result<Result<(), String>, Exit> {
        let Asked { text, position, score: told } = asked;
        let (start, before) = (Instant::now(), self.frontier.nodes);
        let (result, score) = if self.args.columns {
            let mut scores = vec![None; self.args.size.width() as usize];
            for column in position.columns() {
                scores[column as usize] = Some(-self.value(&position.after(column))?);
            }
            let words = scores.iter().map(|score| score.map_or_else(|| "x".to_owned(), |score| score.to_string()));
            (words.collect::<Vec<_>>().join(" "), scores.iter().flatten().max().copied().unwrap_or_default())
        } else {
            let score = self.value(position)?;
            (score.to_string(), score)
        };
        writeln!(out, "{text} {result} {} {}", self.frontier.nodes - before, start.elapsed().as_micros())?;
        out.flush()?;
        let told = told.map(|told| if self.args.weak { told.signum() } else { told });
        Ok(told.filter(|told| *told != score).map_or(Ok(()), |told| Err(format!("the score is {score}, not {told}"))))
    }

    /// Returns the score of a position, or only who wins.
    fn value(&mut self, position: &Position) -> Result<i32, Exit> {
        let (frontier, stop) = (&mut self.frontier, || self.setup.interrupt.is_set());
        let value = if self.args.weak { frontier.winner(position, &stop) } else { frontier.score(position, &stop) };
        value.map_err(exit)
    }
}
