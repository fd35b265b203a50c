use std::fmt::Write;

use amazons_program::escaped;

use super::{Latest, Table};
use crate::referee::PlayerNumber;
use crate::tournament::report::{head, paragraphs, players, ratings, section};
use crate::tournament::standings::{LADDER_COLUMNS, fault_kinds};

/// How often a page asks for a newer one, in seconds.
const REFRESH: u32 = 10;

/// How many former versions a page shows; all are in ladder.csv.
const FORMER_MAX: usize = 100;

/// Returns a ladder as one page without scripts, that links records, logs and reports next to it and renews itself.
pub(super) fn page(table: &Table, title: &str) -> String {
    let mut page = head(title, &table.subtitle(), &format!("<meta http-equiv=refresh content={REFRESH}>\n"));
    page.push_str(&paragraphs(table.sentence.as_slice()));
    page.push_str(&paragraphs(&table.notices));
    page.push_str(&paragraphs(&table.suspicions));
    page.push_str(&section("Players", &players(&LADDER_COLUMNS, &table.players)));
    page.push_str("<p>Elo is relative to the average of all versions, Glicko-2 begins at 1500; +- and bars are 95 % intervals.</p>\n");
    let bars: Vec<_> = table.players.iter().map(|row| (row.name.as_str(), row.elo, row.error)).collect();
    let _ = writeln!(page, "<h2>Elo</h2>{}", ratings(&bars));
    page.push_str(&faults(table));
    page.push_str(&games(table));
    page.push_str(&refused(table));
    if !table.former.is_empty() {
        let former = &table.former[..table.former.len().min(FORMER_MAX)];
        page.push_str(&section("Earlier versions", &players(&LADDER_COLUMNS, former)));
    }
    page
}

fn faults(table: &Table) -> String {
    let faulty = table.players.iter().filter(|row| row.at_fault > 0);
    let lines: String =
        faulty.map(|row| format!("<li>{}: {}\n", escaped(&row.name), fault_kinds(&row.faults))).collect();
    if lines.is_empty() { lines } else { format!("<h2>At fault</h2><ul>\n{lines}</ul>\n") }
}

fn games(table: &Table) -> String {
    let mut html = String::new();
    if !table.running.is_empty() {
        html.push_str("<h2>Pairs that are not finished</h2><ul>\n");
        for running in &table.running {
            let [one, two] = running.players.each_ref().map(|name| escaped(name));
            let _ = writeln!(html, "<li>{one} and {two} on {}", escaped(&running.board));
        }
        html.push_str("</ul>\n");
    }
    if !table.latest.is_empty() {
        html.push_str("<h2>Latest games</h2><div><table><tr><th>game<th>players<th>result<th>moves<th>\n");
        html.extend(table.latest.iter().map(latest));
        html.push_str("</table></div>\n");
    }
    html
}

fn latest(game: &Latest) -> String {
    let [one, two] = game.players.each_ref().map(|name| escaped(name));
    let name = format!("{}-{}", game.pair, game.game);
    let name = match &game.record {
        Some(record) => format!("<a href=\"{}\">{name}</a>", escaped(record)),
        None => name,
    };
    let winner = match game.winner {
        Some(PlayerNumber::One) => format!("{one} wins"),
        Some(PlayerNumber::Two) => format!("{two} wins"),
        None => "nobody wins".to_owned(),
    };
    let logs = game.logs.iter().map(|log| format!("<a class=log href=\"{}\">log</a> ", escaped(log)));
    format!(
        "<tr><td>{name}<td>{one} and {two}<td>{winner}: {}<td>{}<td>{}\n",
        game.termination.replace('_', " "),
        game.moves,
        logs.collect::<String>()
    )
}

fn refused(table: &Table) -> String {
    if table.refused.is_empty() {
        return String::new();
    }
    let mut html = "<h2>Not admitted</h2><ul>\n".to_owned();
    for refused in &table.refused {
        let name = escaped(&refused.name);
        let _ = writeln!(html, "<li><a href=\"rejected/{name}.txt\">{name}</a>: {}", escaped(&refused.reason));
    }
    html + "</ul>\n"
}
