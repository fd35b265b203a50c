//! Tables that a terminal shows.

use std::iter::once;
use std::mem;

use amazons_program::TextTable;

use crate::tournament::standings::{PlayerRow, Standings, endings};

/// Makes a table with a row for each player.
fn table(
    title: &str,
    columns: impl IntoIterator<Item = impl Into<String>>,
    players: &[PlayerRow],
    mut cells: impl FnMut(usize) -> Vec<String>,
) -> TextTable {
    let title = format!("   {title}");
    let mut table = TextTable::of_names(once(title).chain(columns.into_iter().map(Into::into)));
    for (place, player) in players.iter().enumerate() {
        let rank = player.rank.map_or_else(String::new, |rank| rank.to_string());
        table.row(once(format!("{rank:>2} {}", player.name)).chain(cells(place)));
    }
    table
}

/// Returns ratings and points.
pub(in crate::tournament) fn players(columns: &[&str], players: &[PlayerRow]) -> TextTable {
    table("player", columns.iter().copied(), players, |place| players[place].cells())
}

/// Returns the points of each player against each other one.
pub(super) fn points(standings: &Standings) -> TextTable {
    let n = standings.players.len();
    let mut cells = vec![vec![String::new(); n]; n];
    for row in &standings.meetings {
        let [i, j] = row.places;
        cells[i][j] = format!("{:.1}", row.points);
        cells[j][i] = format!("{:.1}", row.points_against);
    }
    matrix("points of", standings, |place| mem::take(&mut cells[place]))
}

/// Returns the chance of each player to be stronger than each other one, in percent.
pub(super) fn superiority(standings: &Standings) -> TextTable {
    let cell = |i: usize, j: usize| {
        let los = standings.los[i][j].filter(|_| i != j);
        los.map_or_else(String::new, |los| format!("{:.1}", 100.0 * los))
    };
    matrix("stronger, %", standings, |i| (0..standings.players.len()).map(|j| cell(i, j)).collect())
}

/// Returns a table with a column for each player, named by its rank.
fn matrix(title: &str, standings: &Standings, cells: impl FnMut(usize) -> Vec<String>) -> TextTable {
    let column = |row: &PlayerRow| row.rank.map_or_else(String::new, |rank| rank.to_string());
    table(title, standings.players.iter().map(column), &standings.players, cells)
}

/// Returns how often each player won and lost by each kind of ending.
pub(super) fn ending_counts(standings: &Standings) -> Option<TextTable> {
    let (players, names) = (&standings.players, endings(&standings.players));
    let cell = |place: usize, name| players[place].endings.get(name).map_or_else(String::new, |ending| ending.text());
    let cells = |place| names.iter().map(|name| cell(place, name)).collect();
    (!names.is_empty()).then(|| table("won-lost by", names.iter().copied(), players, cells))
}

/// Returns the matches of a knockout.
pub(super) fn matches(standings: &Standings) -> Option<TextTable> {
    let mut table = TextTable::of_names(["match", "points"]);
    let matches = standings.matches();
    for row in &matches {
        let [winner, loser] = &row.players;
        let points = format!("{:.1} : {:.1}", row.points, row.points_against);
        table.row([format!("{winner} against {loser}"), points]);
    }
    (!matches.is_empty()).then_some(table)
}

/// Returns the advantage of moving first on each board.
pub(super) fn boards(standings: &Standings) -> Option<TextTable> {
    let mut table = TextTable::of_names(["   board", "games", "moves", "score of who moves first, %"]);
    for board in &standings.boards {
        let [low, high] = board.interval.map(|bound| 100.0 * bound);
        table.row([
            format!("   {}", board.board),
            board.games.to_string(),
            format!("{:.1}", board.moves),
            format!("{:.1} ({low:.1} to {high:.1})", 100.0 * board.first_score),
        ]);
    }
    (!standings.boards.is_empty()).then_some(table)
}
