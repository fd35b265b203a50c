use std::fs::File;
use std::io::Write;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::Path;
use std::time::Instant;

use amazons_formats::color;
use amazons_program::ranks::{RankOptions, Ranks, run as on_ranks};
use amazons_rules::{Color, Position};
use amazons_solve::{Limit, Solution, SolveLimits};
use anyhow::Context;
use serde::Serialize;

use crate::cli::SolveArgs;
use crate::command::Exit;
use crate::command::games::{STANDARD, cut, read};
use crate::command::moves::stdin_positions;
use crate::complain;
use crate::game::{BoardArgs, starting_position};
use crate::host::available_memory;
use crate::proof_file::{Proven, read_proof, write_proof};
use crate::prover::{Answer, Checkpoint, Effort, PositionJob, Prover, Worker, known};
use crate::text::error_chain;

/// A solution as JSON.
#[derive(Serialize)]
struct Solved<'a> {
    position: &'a str,
    /// `black`, `white`, or null when a limit was in the way.
    #[serde(with = "color")]
    winner: Option<Color>,
    #[serde(rename = "move")]
    winning_move: Option<&'a str>,
    /// Whether the result is a shipped one, without a search.
    known: bool,
    nodes: u64,
    table_entries: u64,
    proof_positions: Option<usize>,
    /// The limit that left the winner or the proof's size open: `nodes`, `time`, `proof`.
    limit: Option<&'static str>,
    seconds: f64,
}

/// Solves one position, or each of standard input.
pub(super) fn run(args: &SolveArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    if let Some(free) = available_memory().filter(|&free| args.table as u64 > free) {
        let [asked, free] = [args.table as u64, free].map(|bytes| bytes >> 20);
        return Ok(Exit::usage(format_args!("--table: {asked} MiB are more than the {free} MiB that are free")));
    }
    let limits = SolveLimits {
        nodes: args.nodes.unwrap_or(u64::MAX),
        table_bytes: args.table,
        proof_positions: if args.no_proof { 0 } else { SolveLimits::default().proof_positions },
        threads: args.threads.unwrap_or(NonZeroU32::MIN),
        ..SolveLimits::default()
    };
    let worker = Worker::new(limits);
    let threads = NonZeroUsize::try_from(limits.threads).ok();
    let options = RankOptions { threads, in_hand: 1, ..RankOptions::default() };
    let mut solved = Ok(Exit::Success);
    on_ranks(
        "server",
        &options,
        |task| worker.work(task).map_err(|error| error.to_string()),
        |ranks, setup| {
            if setup.ranks > 1 {
                worker.share_tables();
            }
            let effort = Effort { limits, time: args.time.map(|time| time.0), interrupt: &setup.interrupt };
            solved = solve_all(args, effort, &worker, ranks, out);
            Ok(Exit::Success)
        },
    )?;
    solved
}

fn solve_all(
    args: &SolveArgs,
    effort: Effort<'_>,
    worker: &Worker,
    ranks: &mut Ranks<'_, PositionJob, Answer>,
    out: &mut impl Write,
) -> anyhow::Result<Exit> {
    let positions = match &args.text {
        _ if args.stdin => stdin_positions(&args.board)?.collect::<Result<_, _>>()?,
        Some(text) if text == STANDARD || Path::new(text).exists() => {
            let source = read(Path::new(text), None, args.game)?;
            vec![cut(source.game, &source.name, args.ply)?.position().clone()]
        }
        _ if args.ply.is_some() || args.game.is_some() => {
            return Ok(Exit::usage("--ply and --game are for files with games"));
        }
        text => {
            let position = text.as_ref().or(args.board.position.as_ref()).cloned();
            vec![starting_position(&BoardArgs { position, ..args.board.clone() })?]
        }
    };
    let mut exit = Exit::Success;
    for position in &positions {
        match solve_one(args, position, effort, worker, ranks, out)? {
            Exit::Success => {}
            Exit::Stopped => return Ok(Exit::Stopped),
            other => exit = other,
        }
    }
    Ok(exit)
}

fn solve_one(
    args: &SolveArgs,
    position: &Position,
    effort: Effort<'_>,
    worker: &Worker,
    ranks: &mut Ranks<'_, PositionJob, Answer>,
    out: &mut impl Write,
) -> anyhow::Result<Exit> {
    let refused = |error| Exit::usage(format_args!("cannot solve this position: {error}"));
    let start = Instant::now();
    // All ranks, and a file with the proof, have a board as its text says it.
    let position = &Position::parse(&position.to_string())?;
    let is_asked = args.anew || args.proof.is_some() || args.checkpoint.is_some();
    if let Some((winner, winning_move)) = known(position).filter(|_| !is_asked) {
        let solution = Solution { winner: Some(winner), winning_move, ..Solution::default() };
        tell(args, position, &solution, None, out)?;
        return Ok(Exit::Success);
    }
    let root = worker.root(&position.to_string()).map_err(refused)?;
    let checkpoint = args.checkpoint.as_ref().map(|file| Checkpoint::open(file, position)).transpose();
    let checkpoint = checkpoint.map_err(|error| Exit::usage(format_args!("--checkpoint: {error}")))?;
    let mut solution = Prover::new(&root, effort, ranks, checkpoint).solve()?;
    let mut is_proven = false;
    let mut go_on = || effort.goes_on(start);
    match (&args.proof, solution.winner) {
        (Some(path), Some(winner)) => {
            let nodes = effort.limits.nodes.saturating_sub(solution.nodes);
            match root.solver.proof(position, (winner, nodes), &mut go_on) {
                Ok((found, positions)) => {
                    write_proof(path, position, winner, &found)?;
                    solution.proof_positions = Some(positions);
                    is_proven = true;
                }
                Err(limit) => solution.limit = Some(limit),
            }
        }
        _ => solution = root.solver.with_proof_size(position, solution, &effort.limits, &mut go_on),
    }
    tell(args, position, &solution, Some(start.elapsed().as_secs_f64()), out)?;
    let nodes = solution.nodes;
    Ok(match (solution.winner, solution.limit) {
        (Some(_), _) if args.proof.is_some() && !is_proven => {
            Exit::Refuted("no proof was written: raise --nodes or --time".to_owned())
        }
        (Some(_), _) => Exit::Success,
        (None, _) if effort.interrupt.is_set() => {
            complain(&format!("interrupted after {nodes} positions"));
            Exit::Stopped
        }
        (None, Some(Limit::Nodes)) => Exit::Refuted(format!("undecided after {nodes} positions: raise --nodes")),
        (None, _) => Exit::Refuted(format!("undecided after {nodes} positions: raise --time")),
    })
}

/// Writes the result, and what it cost, unless it was known before.
fn tell(
    args: &SolveArgs,
    position: &Position,
    solution: &Solution,
    seconds: Option<f64>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let winning_move = solution.winning_move.map(|mv| position.board().move_text(mv));
    if args.json {
        let Solution { winner, nodes, table_entries, proof_positions, .. } = *solution;
        let (winning_move, limit) = (winning_move.as_deref(), solution.limit.map(limit_name));
        let (position, known) = (&position.to_string(), seconds.is_none());
        let seconds = seconds.unwrap_or_default();
        let solved =
            Solved { position, winner, winning_move, known, nodes, table_entries, proof_positions, limit, seconds };
        writeln!(out, "{}", serde_json::to_string(&solved)?).context("cannot write the solution")?;
    } else {
        let result = match (solution.winner, winning_move) {
            (Some(winner), Some(mv)) => format!("{winner} wins with {mv}"),
            (Some(winner), None) if !position.has_moves() => {
                format!("{winner} wins: {} cannot move", position.side_to_move())
            }
            (Some(winner), None) => format!("{winner} wins: every move of the side to move loses"),
            (None, _) => "undecided".to_owned(),
        };
        let cost = seconds.map_or_else(
            || "known from docs/solved.md; --anew searches again".to_owned(),
            |seconds| cost(solution, seconds),
        );
        writeln!(out, "{result}\n{cost}").context("cannot write the solution")?;
    }
    Ok(())
}

/// Walks through a file with a proof.
pub(super) fn verify(file: &Path, out: &mut impl Write) -> anyhow::Result<Exit> {
    let name = file.display();
    match read_proof(File::open(file).with_context(|| format!("cannot read {name}"))?) {
        Ok(Proven { position, winner, moves, positions }) => {
            let told = format!("{winner} wins {position}: proven by {moves} moves and {positions} positions");
            writeln!(out, "{told}").context("cannot write the result")?;
            Ok(Exit::Success)
        }
        Err(error) => Ok(Exit::Refuted(format!("{name}: no proof: {}", error_chain(error.as_ref())))),
    }
}

const fn limit_name(limit: Limit) -> &'static str {
    match limit {
        Limit::Nodes => "nodes",
        Limit::Time => "time",
        Limit::Proof => "proof",
    }
}

fn cost(solution: &Solution, seconds: f64) -> String {
    let Solution { nodes, table_entries, .. } = *solution;
    let proof = match (solution.winner, solution.proof_positions, solution.limit) {
        (None, ..) => "no proof".to_owned(),
        (_, Some(positions), _) => format!("a proof of {positions} positions"),
        (_, None, Some(Limit::Proof)) => {
            format!("a proof of more than {} positions", SolveLimits::default().proof_positions)
        }
        (_, None, Some(Limit::Nodes)) => "a proof too large to be counted within --nodes".to_owned(),
        (_, None, Some(Limit::Time)) => "a proof too large to be counted in the time left".to_owned(),
        (_, None, None) => "the proof not counted".to_owned(),
    };
    format!("{nodes} positions searched, {table_entries} in the table, {proof}, {seconds:.3} s")
}
