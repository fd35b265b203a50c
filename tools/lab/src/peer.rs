//! Matches against other programs.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use amazons_rules::{Board, Color, Move, Position};
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use crate::boards;
use crate::contender::Contender;
use crate::openings::OpeningArgs;
use crate::pairs::Pairs;
use crate::workers;

#[derive(Args, Debug)]
pub(crate) struct PeerArgs {
    /// The engine whose strength is shown, such as `budget=1000ms`.
    engine: Contender,
    /// The other program, started in a shell.
    #[arg(long)]
    command: String,
    /// The protocol of the other program.
    #[arg(long, value_enum)]
    protocol: Protocol,
    /// The other program's time for a move in milliseconds, on the clock; Botzone's bots have their own.
    #[arg(long, default_value_t = 1000)]
    time: u64,
    /// The board: Botzone's bots play c8 only.
    #[arg(long, default_value = "standard")]
    board: String,
    #[command(flatten)]
    openings: OpeningArgs,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
}

/// The protocol of another program.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Protocol {
    /// UCI with the variant `amazons` and large boards, in Fairy-Stockfish's notation: `a4a5,a5b5`.
    Uci,
    /// Botzone's plain protocol, a process for each move: the number of the turn, then all moves so far.
    Botzone,
}

pub(crate) fn play(args: &PeerArgs) -> Result<()> {
    let start = boards::start(&args.board)?;
    let job = |index: usize| {
        let (opening, moves) = args.openings.draw(&start, index)?;
        let first = opening.side_to_move();
        let mut won = 0;
        for side in [first, first.opposite()] {
            won += usize::from(wins(args, &opening, &moves, side)?);
        }
        Ok(won)
    };
    let mut all = Pairs::default();
    workers::run(args.jobs, args.openings.pairs, job, |_, won| {
        all.add(won);
        eprintln!("{all}");
        Ok(())
    })?;
    println!(
        "{} against {} ({} ms) on {}, seed {}: {all}",
        args.engine.text, args.command, args.time, args.board, args.openings.seed
    );
    Ok(())
}

/// Returns whether the engine wins with this colour; an illegal answer of the other program is an error.
fn wins(args: &PeerArgs, opening: &Position, moves: &[Move], side: Color) -> Result<bool> {
    let mut position = opening.clone();
    let mut moves = moves.to_vec();
    let board = Arc::clone(position.board());
    let mut engine = args.engine.engine(&board);
    let mut peer = match args.protocol {
        Protocol::Uci => Some(Uci::start(&args.command)?),
        Protocol::Botzone => None,
    };
    while position.has_moves() {
        let mv = if position.side_to_move() == side {
            engine.search(&position, &mut args.engine.budget.limits()).context("there is a move")?.mv
        } else {
            match &mut peer {
                Some(uci) => uci.play(&position, Duration::from_millis(args.time))?,
                None => botzone(&args.command, &board, &moves)?,
            }
        };
        position.try_play(mv).with_context(|| format!("the answer in {position}"))?;
        moves.push(mv);
    }
    Ok(position.side_to_move() != side)
}

/// A program that speaks UCI.
struct Uci {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Uci {
    fn start(command: &str) -> Result<Self> {
        let mut process = shell(command)?;
        let input = process.stdin.take().context("the program has an input")?;
        let output = BufReader::new(process.stdout.take().context("the program has an output")?);
        let mut uci = Self { process, input, output };
        uci.say("uci")?;
        uci.wait_for("uciok")?;
        uci.say("setoption name UCI_Variant value amazons")?;
        uci.say("setoption name Threads value 1")?;
        uci.say("isready")?;
        uci.wait_for("readyok")?;
        Ok(uci)
    }

    fn say(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}").context("the other program listens")
    }

    /// Reads up to a line with this prefix, and returns its rest.
    fn wait_for(&mut self, word: &str) -> Result<String> {
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                bail!("the other program ended before it sent {word}");
            }
            if let Some(rest) = line.trim_end().strip_prefix(word) {
                return Ok(rest.trim().to_owned());
            }
        }
    }

    fn play(&mut self, position: &Position, time: Duration) -> Result<Move> {
        self.say(&format!("position fen {position}"))?;
        self.say(&format!("go movetime {}", time.as_millis()))?;
        let answer = self.wait_for("bestmove")?;
        let text = answer.split(' ').next().unwrap_or_default();
        read_uci(position.board(), text).with_context(|| format!("'{answer}' is not a move"))
    }
}

impl Drop for Uci {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Reads `a4a5,a5b5`: from, to, to, arrow.
fn read_uci(board: &Board, text: &str) -> Result<Move> {
    let (step, shot) = text.split_once(',').context("there is no comma")?;
    let split = |squares: &str| {
        let second =
            squares.char_indices().skip(1).find(|(_, c)| c.is_ascii_alphabetic()).map_or(squares.len(), |(at, _)| at);
        (squares[..second].to_owned(), squares[second..].to_owned())
    };
    let ((from, to), (_, arrow)) = (split(step), split(shot));
    Ok(board.parse_move(&format!("{from}-{to}/{arrow}"))?)
}

/// Asks a program that reads all moves so far and answers one, on eight columns and rows; x counts columns, y rows
/// from the top.
fn botzone(command: &str, board: &Board, moves: &[Move]) -> Result<Move> {
    let mut process = shell(command)?;
    let columns = board.columns();
    let mut text = format!("{}\n", moves.len() / 2 + 1);
    // Black's first request holds no move.
    if moves.len().is_multiple_of(2) {
        text.push_str("-1 -1 -1 -1 -1 -1\n");
    }
    for mv in moves {
        let numbers = [mv.from, mv.to, mv.arrow].map(|vertex| format!("{} {}", vertex % columns, vertex / columns));
        text.push_str(&numbers.join(" "));
        text.push('\n');
    }
    process.stdin.take().context("the program has an input")?.write_all(text.as_bytes())?;
    let output = process.wait_with_output()?;
    let answer = String::from_utf8_lossy(&output.stdout).into_owned();
    let numbers: Vec<u32> = answer.split_ascii_whitespace().take(6).map_while(|word| word.parse().ok()).collect();
    let [x0, y0, x1, y1, x2, y2] = numbers[..] else { bail!("'{}' is not a move", answer.trim()) };
    Ok(Move { from: y0 * columns + x0, to: y1 * columns + x1, arrow: y2 * columns + x2 })
}

fn shell(command: &str) -> Result<Child> {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec {command}")]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    shell.spawn().with_context(|| format!("cannot run {command}"))
}
