use std::fmt::Write;

use super::{Latest, Row, Table};
use crate::referee::PlayerNumber;
use crate::tournament::report::{Bar, STYLE, bars_of, escaped};

/// How often a page asks for a newer one, in seconds.
const REFRESH: u32 = 10;

/// More former versions than anybody looks at; all are in ladder.csv.
const FORMER_MAX: usize = 100;

/// Returns a ladder as one page without scripts, that links records, logs and reports next to it and renews itself.
#[must_use]
pub fn page(table: &Table, title: &str) -> String {
    let mut page = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">\n\
         <meta http-equiv=refresh content={REFRESH}>\n<title>{title}</title><style>{STYLE}</style>\n<h1>{title}</h1><p>{}</p>\n",
        escaped(&table.subtitle()),
        title = escaped(title),
    );
    for notice in &table.notices {
        let _ = writeln!(page, "<p class=notice>{}</p>", escaped(notice));
    }
    let _ = writeln!(page, "<h2>Players</h2>{}", rows(&table.players));
    page.push_str("<p>Elo is relative to the average of all versions, Glicko-2 begins at 1500; &plusmn; and bars are 95 % intervals.</p>\n");
    let bars: Vec<Bar<'_>> = table
        .players
        .iter()
        .map(|row| Bar { name: &row.name, points: row.strength, error: row.strength_error })
        .collect();
    let _ = writeln!(page, "<h2>Elo</h2>{}", bars_of(&bars, (-50.0, 50.0), |points| format!("{points:+.0}")));
    page.push_str(&games(table));
    page.push_str(&refused(table));
    if !table.former.is_empty() {
        let _ =
            writeln!(page, "<h2>Earlier versions</h2>{}", rows(&table.former[..table.former.len().min(FORMER_MAX)]));
    }
    page
}

fn rows(rows: &[Row]) -> String {
    let mut html =
        "<div class=wide><table><tr><th>#<th>player<th>version<th>Elo<th>&plusmn;<th>Glicko-2<th>&plusmn;<th>points<th>games<th>won<th>lost\
         <th>at fault\n"
            .to_owned();
    for row in rows {
        let _ = writeln!(
            html,
            "<tr><td>{}<th title=\"{}\">{}<td>{}<td>{:+.0}<td>{:.0}<td>{:.0}<td>{:.0}<td>{:.1}<td>{}<td>{}<td>{}<td>{}",
            row.rank.map_or_else(String::new, |rank| rank.to_string()),
            row.sha256,
            escaped(&row.name),
            row.version,
            row.strength,
            row.strength_error,
            row.rating,
            row.error,
            row.points,
            row.games,
            row.won,
            row.lost,
            row.at_fault,
        );
    }
    html + "</table></div>"
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
        html.push_str("<h2>Latest games</h2><div class=wide><table><tr><th>game<th>players<th>result<th>moves<th>\n");
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
