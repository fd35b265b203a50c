use std::fmt::Write;

use amazons_statistics::Elo;

use super::{Report, tables};
use crate::tournament::standings::{EVENT_COLUMNS, Standings, Timing};

/// Wider tables do not fit a terminal.
const COLUMNS_MAX: usize = 16;

/// Returns standings as text for a terminal.
pub fn text(report: &Report<'_>) -> String {
    let Report { title, subtitle, standings, timing } = *report;
    let mut blocks = vec![format!("{title}: {subtitle}\n"), players(standings, timing)];
    blocks.extend(standings.sentence.as_ref().map(|sentence| format!("{sentence}\n")));
    blocks.extend(tables::matches(standings).map(|table| table.to_text()));
    if standings.players.len() > 2 && standings.players.len() <= COLUMNS_MAX {
        blocks.push(tables::points(standings).to_text());
        blocks.push(tables::superiority(standings).to_text());
    } else if standings.players.len() > COLUMNS_MAX {
        blocks.push("who met whom, and who is likely to be stronger: see standings.csv\n".to_owned());
    }
    blocks.push(pairs(standings));
    let more = [tables::ending_counts(standings), tables::boards(standings)];
    blocks.extend(more.into_iter().flatten().map(|table| table.to_text()));
    blocks.extend(timing.map(overhead));
    blocks.push(
        standings.notices.iter().chain(&standings.suspicions).map(|notice| format!("note: {notice}\n")).collect(),
    );
    blocks.retain(|block| !block.is_empty());
    blocks.join("\n")
}

/// The players; a bye counts as won.
fn players(standings: &Standings, timing: Option<&Timing>) -> String {
    let mut table = tables::players(&EVENT_COLUMNS, &standings.players);
    if let Some(timing) = timing {
        let slowest = standings.players.iter().map(|row| {
            let slowest = timing.slowest.iter().find(|slowest| slowest.player == row.name)?;
            Some(format!("{:.1} ms ({}-{})", slowest.ms, slowest.pair, slowest.game))
        });
        table.column("slowest move", slowest);
    }
    let byes = if standings.players.iter().any(|row| row.byes > 0) { "; a bye counts as won" } else { "" };
    format!("{}Elo is relative to the average of these players, +- are 95 % intervals{byes}\n", table.to_text())
}

/// How the pairs of two players went; for more players that is in the other files.
fn pairs(standings: &Standings) -> String {
    let ([row], [_, _]) = (&standings.meetings[..], &standings.players[..]) else { return String::new() };
    let [lost2, lost1, even, won1, won2] = row.pairs;
    let [elo, nelo] = [row.elo, row.nelo].map(Elo::new);
    let elo = row.error.map_or_else(String::new, |error| format!("; Elo {elo:.1} +- {error:.1}, normalised {nelo:.1}"));
    let player = &row.players[0];
    format!("{player} in pairs: {lost2} lost, {lost1} half lost, {even} even, {won1} half won, {won2} won{elo}\n")
}

fn overhead(timing: &Timing) -> String {
    let mut text = String::new();
    if timing.unrated_games > 0 {
        let _ = writeln!(
            text,
            "{} more games are not rated: their pairs are not whole, or beyond the verdict",
            timing.unrated_games
        );
    }
    if let (Some(median), Some(most)) = (timing.overhead_median_us, timing.overhead_99_us) {
        let moves = timing.moves;
        let _ = writeln!(
            text,
            "our own overhead per move: {median:.0} us in the median, {most:.0} us at 99 % ({moves} moves of this run)"
        );
    }
    text
}
