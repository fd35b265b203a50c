//! The server's reports: results, and its state on request.

use std::cell::RefCell;
use std::io::{self, Write};

use amazons_program::Exit;
use cluedo::game::Waiting;
use cluedo::line::guest::Status;
use cluedo::line::message::Codes;
use serde_json::json;

use super::shared::Shared;

pub(super) fn results(shared: &Shared, out: &mut impl Write) -> Result<(), Exit> {
    let server = &shared.server;
    let tables: Vec<_> = shared.tables.iter().map(RefCell::borrow).collect();
    let seats = tables.iter().enumerate().flat_map(|(table, one)| {
        one.guests().iter().enumerate().map(move |(seat, guest)| (table, seat, guest, one.games_begun()))
    });
    if server.args.json {
        let rows: Vec<_> = seats
            .map(|(table, seat, guest, games)| {
                json!({
                    "table": table, "seat": seat, "login": guest.name(), "games": games, "wins": guest.wins,
                    "faults": guest.faults, "gain": guest.gain, "dropped": guest.inbox.dropped,
                })
            })
            .collect();
        writeln!(out, "{}", json!({ "seed": server.options.seed, "seats": rows }))?;
        return Ok(());
    }
    if server.options.codes == Codes::Old {
        for table in &tables {
            let gains: Vec<String> = table.guests().iter().map(|guest| guest.gain.to_string()).collect();
            writeln!(out, "[{}]", gains.join(", "))?;
        }
        return Ok(());
    }
    writeln!(
        out,
        "{:>5} {:>4} {:32} {:>6} {:>6} {:>6} {:>6}",
        "table", "seat", "login", "games", "wins", "faults", "gain"
    )?;
    for (table, seat, guest, games) in seats {
        writeln!(
            out,
            "{table:5} {seat:4} {:32} {games:6} {:6} {:6} {:6}",
            guest.name(),
            guest.wins,
            guest.faults,
            guest.gain
        )?;
    }
    Ok(())
}

/// Prints tables, seats and counters to standard error; never hands or a secret.
pub(super) fn state(shared: &Shared) {
    let now = shared.now();
    let counters = shared.counters.borrow();
    let tables: Vec<_> = shared.tables.iter().map(RefCell::borrow).collect();
    let unfinished = || tables.iter().enumerate().filter(|(_, table)| table.ending().is_none());
    let mut text = format!(
        "{:.3} s: {} of {} tables unfinished, {} clients, {} connections, {} surplus, {} slow, {} faults, {} games over\n",
        shared.begun.elapsed().as_secs_f64(),
        unfinished().count(),
        tables.len(),
        shared.connections(),
        counters.connections,
        counters.surplus,
        counters.slow,
        counters.faults,
        counters.games
    );
    for (number, table) in unfinished().take(100) {
        let turn = table.game().map_or(0, cluedo::game::Game::turn);
        let is_answer = table.game().is_some_and(|game| matches!(game.waiting(), Waiting::Answer { .. }));
        let what = if is_answer { "a card" } else { "the turn" };
        let waits = table.waits_for().map_or("waits for players".to_owned(), |(seat, since)| {
            format!("waits for {what} of seat {seat}, {:.3} s", now.saturating_sub(since) as f64 / 1e6)
        });
        let seats: Vec<String> = table
            .guests()
            .iter()
            .map(|guest| match guest.status {
                Status::Ready => guest.name().to_owned(),
                other => format!("{} ({})", guest.name(), status(other)),
            })
            .collect();
        text += &format!("table {number}: game {}, turn {turn}, {waits}; {}\n", table.games_begun(), seats.join(", "));
    }
    // Nobody may be reading.
    let _ = io::stderr().write_all(text.as_bytes());
}

const fn status(status: Status) -> &'static str {
    match status {
        Status::Empty => "empty",
        Status::Hello { .. } => "has not said hello",
        Status::Ready => "ready",
        Status::Away { .. } => "away",
        Status::Gone => "gone",
        Status::Ghost => "ghost",
    }
}
