use std::fmt::Write;

use amazons_statistics::Elo;
use unicode_width::UnicodeWidthStr;

use super::Report;
use crate::tournament::standings::{PlayerRow, Standings, Timing, endings};

/// Wider tables do not fit a terminal.
const COLUMNS_MAX: usize = 16;

/// Returns standings as text for a terminal.
#[must_use]
pub fn text(report: &Report<'_>) -> String {
    let Report { title, subtitle, standings, timing } = *report;
    let mut blocks = vec![format!("{title}: {subtitle}\n"), players(standings, timing)];
    blocks.extend(standings.sentence().map(|sentence| format!("{sentence}\n")));
    blocks.push(matches(standings));
    if standings.players.len() > 2 && standings.players.len() <= COLUMNS_MAX {
        blocks.push(cross_table(standings));
        blocks.push(superiority(standings));
    } else if standings.players.len() > COLUMNS_MAX {
        blocks
            .push("who met whom, and who is likely to be stronger: see standings.csv and standings.html\n".to_owned());
    }
    blocks.push(pairs(standings));
    blocks.push(ending_counts(standings));
    blocks.push(boards(standings));
    blocks.extend(timing.map(overhead));
    blocks.push(standings.notices.iter().map(|notice| format!("note: {notice}\n")).collect());
    blocks.retain(|block| !block.is_empty());
    blocks.join("\n")
}

/// A table whose columns are as wide as what is in them; the first is flush left.
pub(in crate::tournament) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            // Formatting would count characters, of which some take two columns and some none.
            let padding = " ".repeat(widths[column] - cell.width());
            line.extend(if column == 0 { [cell.as_str(), &padding, ""] } else { ["  ", &padding, cell] });
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

pub(in crate::tournament) fn cells<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

fn numbered(row: &PlayerRow) -> String {
    format!("{:>2} {}", row.rank, row.name)
}

/// Returns the columns of a player from its rating on; a bye counts as won.
pub(super) fn numbers(row: &PlayerRow) -> [String; 7] {
    let points = row.points + 2.0 * f64::from(row.byes);
    let [games, won, lost, at_fault] = [row.games, row.won, row.lost, row.at_fault].map(|count| count.to_string());
    [format!("{:+.0}", row.elo), format!("{:.0}", row.error), format!("{points:.1}"), games, won, lost, at_fault]
}

fn players(standings: &Standings, timing: Option<&Timing>) -> String {
    let mut rows = vec![cells(["   player", "Elo", "+-", "points", "games", "won", "lost", "at fault"])];
    if timing.is_some() {
        rows[0].push("slowest move".to_owned());
    }
    for row in &standings.players {
        let mut cells = vec![numbered(row)];
        cells.extend(numbers(row));
        let slowest = timing.and_then(|timing| timing.slowest.iter().find(|slowest| slowest.player == row.name));
        cells.extend(slowest.map(|slowest| format!("{:.1} ms ({}-{})", slowest.ms, slowest.pair, slowest.game)));
        rows.push(cells);
    }
    let byes = if standings.players.iter().any(|row| row.byes > 0) { "; a bye counts as won" } else { "" };
    format!("{}Elo is relative to the average of these players, +- are 95 % intervals{byes}\n", table(&rows))
}

fn matches(standings: &Standings) -> String {
    let mut rows = vec![cells(["match", "points"])];
    rows.extend(standings.matches().iter().map(|row| {
        let [winner, loser] = &row.players;
        let points = format!("{:.1} : {:.1}", row.points, row.points_against);
        vec![format!("{winner} against {loser}"), points]
    }));
    if rows.len() > 1 { table(&rows) } else { String::new() }
}

fn cross_table(standings: &Standings) -> String {
    let n = standings.players.len();
    let mut points = vec![vec![String::new(); n]; n];
    for row in &standings.meetings {
        let [i, j] = row.places;
        points[i][j] = format!("{:.1}", row.points);
        points[j][i] = format!("{:.1}", row.points_against);
    }
    matrix(standings, "   points of", &points)
}

fn superiority(standings: &Standings) -> String {
    let cell = |i: usize, j: usize| {
        let los = standings.los[i][j].filter(|_| i != j);
        los.map_or_else(String::new, |los| format!("{:.1}", 100.0 * los))
    };
    let n = standings.players.len();
    let cells: Vec<Vec<String>> = (0..n).map(|i| (0..n).map(|j| cell(i, j)).collect()).collect();
    matrix(standings, "   stronger, %", &cells)
}

fn matrix(standings: &Standings, title: &str, cells: &[Vec<String>]) -> String {
    let mut rows = vec![vec![title.to_owned()]];
    rows[0].extend(standings.players.iter().map(|row| row.rank.to_string()));
    for (player, cells) in standings.players.iter().zip(cells) {
        let mut row = vec![numbered(player)];
        row.extend(cells.iter().map(|cell| if cell.is_empty() { ".".to_owned() } else { cell.clone() }));
        rows.push(row);
    }
    table(&rows)
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

fn ending_counts(standings: &Standings) -> String {
    let names = endings(&standings.players);
    if names.is_empty() {
        return String::new();
    }
    let mut rows = vec![vec!["   won-lost by".to_owned()]];
    rows[0].extend(names.iter().map(|name| (*name).to_owned()));
    for player in &standings.players {
        let mut row = vec![numbered(player)];
        let ending = |name| player.endings.get(name).map_or(".".to_owned(), |ending| ending.text());
        row.extend(names.iter().map(ending));
        rows.push(row);
    }
    table(&rows)
}

fn boards(standings: &Standings) -> String {
    if standings.boards.is_empty() {
        return String::new();
    }
    let mut rows = vec![cells(["   board", "games", "moves", "score of who moves first, %"])];
    for board in &standings.boards {
        let [low, high] = board.interval.map(|bound| 100.0 * bound);
        rows.push(vec![
            format!("   {}", board.board),
            board.games.to_string(),
            format!("{:.1}", board.moves),
            format!("{:.1} ({low:.1} to {high:.1})", 100.0 * board.first_score),
        ]);
    }
    table(&rows)
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
