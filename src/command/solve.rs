use std::fs::File;
use std::io::Write;
use std::num::NonZeroU32;
use std::path::Path;
use std::time::Instant;

use amazons_program::Interrupt;
use amazons_rules::{Color, Position};
use amazons_solve::{Limit, Solution, SolveLimits, prove, solve};
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
use crate::text::error_chain;

/// A solution as JSON.
#[derive(Serialize)]
struct Solved<'a> {
    position: &'a str,
    /// `black`, `white`, or null when a limit was in the way.
    winner: Option<&'static str>,
    #[serde(rename = "move")]
    winning_move: Option<&'a str>,
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
    let interrupts = Interrupt::catch_all().context("cannot catch signals")?;
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
        match solve_one(args, position, &interrupts, out)? {
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
    interrupts: &Interrupt,
    out: &mut impl Write,
) -> anyhow::Result<Exit> {
    let proof_positions = if args.no_proof { 0 } else { SolveLimits::default().proof_positions };
    let limits = SolveLimits {
        nodes: args.nodes.unwrap_or(u64::MAX),
        table_bytes: args.table,
        proof_positions,
        threads: args.threads.unwrap_or(NonZeroU32::MIN),
        ..SolveLimits::default()
    };
    let start = Instant::now();
    let mut go_on = || interrupts.count() == 0 && args.time.is_none_or(|time| start.elapsed() < time.0);
    let solved = match &args.proof {
        // A file has a board as its text says it.
        Some(_) => prove(&Position::parse(&position.to_string())?, &limits, &mut go_on),
        None => solve(position, &limits, &mut go_on).map(|solution| (solution, None)),
    };
    let (solution, moves) = solved.map_err(|error| Exit::usage(format_args!("cannot solve this position: {error}")))?;
    let seconds = start.elapsed().as_secs_f64();
    if let (Some(path), Some(winner), Some(moves)) = (&args.proof, solution.winner, &moves) {
        write_proof(path, position, winner, moves)?;
    }
    let winning_move = solution.winning_move.map(|mv| position.board().move_text(mv));
    if args.json {
        let Solution { winner, nodes, table_entries, proof_positions, .. } = solution;
        let (winner, winning_move, limit) = (winner.map(name), winning_move.as_deref(), solution.limit.map(limit_name));
        let position = &position.to_string();
        let solved = Solved { position, winner, winning_move, nodes, table_entries, proof_positions, limit, seconds };
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
        writeln!(out, "{result}\n{}", cost(&solution, &limits, seconds)).context("cannot write the solution")?;
    }
    let nodes = solution.nodes;
    Ok(match (solution.winner, solution.limit) {
        (Some(_), _) if args.proof.is_some() && moves.is_none() => {
            Exit::Refuted("no proof was written: raise --nodes or --time".to_owned())
        }
        (Some(_), _) => Exit::Success,
        (None, _) if interrupts.count() > 0 => {
            complain(&format!("interrupted after {nodes} positions"));
            Exit::Stopped
        }
        (None, Some(Limit::Nodes)) => Exit::Refuted(format!("undecided after {nodes} positions: raise --nodes")),
        (None, _) => Exit::Refuted(format!("undecided after {nodes} positions: raise --time")),
    })
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

const fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

fn cost(solution: &Solution, limits: &SolveLimits, seconds: f64) -> String {
    let Solution { nodes, table_entries, .. } = *solution;
    let proof = match (solution.winner, solution.proof_positions, solution.limit) {
        (None, ..) => "no proof".to_owned(),
        (_, Some(positions), _) => format!("a proof of {positions} positions"),
        (_, None, Some(Limit::Proof)) => format!("a proof of more than {} positions", limits.proof_positions),
        (_, None, Some(Limit::Nodes)) => "a proof too large to be counted within --nodes".to_owned(),
        (_, None, Some(Limit::Time)) => "a proof too large to be counted in the time left".to_owned(),
        (_, None, None) => "the proof not counted".to_owned(),
    };
    format!("{nodes} positions searched, {table_entries} in the table, {proof}, {seconds:.3} s")
}
