use std::io::Write;
use std::time::Instant;

use amazons_rules::Color;
use amazons_solve::{Solution, SolveLimits, solve};
use anyhow::Context;
use serde::Serialize;

use crate::cli::SolveArgs;
use crate::command::Exit;
use crate::game::{BoardArgs, starting_position};
use crate::host::available_memory;

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
    seconds: f64,
}

/// Finds out who wins.
pub(super) fn run(args: &SolveArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    let text = args.text.as_ref().or(args.board.position.as_ref()).cloned();
    let position = starting_position(&BoardArgs { position: text, ..args.board.clone() })?;
    let limits =
        SolveLimits { nodes: args.nodes.unwrap_or(u64::MAX), table_bytes: args.table, ..SolveLimits::default() };
    if let Some(free) = available_memory().filter(|&free| args.table as u64 > free) {
        let [asked, free] = [args.table as u64, free].map(|bytes| bytes >> 20);
        return Ok(Exit::usage(format_args!("--table: {asked} MiB are more than the {free} MiB that are free")));
    }
    let start = Instant::now();
    let mut go_on = || args.time.is_none_or(|time| start.elapsed() < time.0);
    let solution = solve(&position, &limits, &mut go_on)
        .map_err(|error| Exit::usage(format_args!("cannot solve this position: {error}")))?;
    let seconds = start.elapsed().as_secs_f64();
    let winning_move = solution.winning_move.map(|mv| position.board().move_text(mv));
    if args.json {
        let Solution { winner, nodes, table_entries, proof_positions, .. } = solution;
        let (winner, winning_move) = (winner.map(name), winning_move.as_deref());
        let position = &position.to_string();
        let solved = Solved { position, winner, winning_move, nodes, table_entries, proof_positions, seconds };
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
    Ok(match solution.winner {
        Some(_) => Exit::Success,
        None => Exit::Refuted(format!("undecided after {} positions: raise --nodes or --time", solution.nodes)),
    })
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

fn cost(solution: &Solution, limits: &SolveLimits, seconds: f64) -> String {
    let Solution { nodes, table_entries, .. } = *solution;
    let proof = match solution.proof_positions {
        Some(positions) => format!("a proof of {positions} positions"),
        None if solution.winner.is_some() => format!("a proof of more than {} positions", limits.proof_positions),
        None => "no proof".to_owned(),
    };
    format!("{nodes} positions searched, {table_entries} in the table, {proof}, {seconds:.3} s")
}
