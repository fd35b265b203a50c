//! Tables with a row for each player, as a terminal and as a page show them.

use std::fmt::Write;
use std::iter::once;
use std::mem;

use amazons_program::TextTable;

use super::escaped;
use crate::tournament::standings::{PlayerRow, Standings, endings};

/// The columns of an event's players.
pub(super) const EVENT_COLUMNS: [&str; 7] = ["Elo", "+-", "points", "games", "won", "lost", "at fault"];

/// The columns of a ladder's players.
pub(in crate::tournament) const LADDER_COLUMNS: [&str; 10] =
    ["version", "Elo", "+-", "Glicko-2", "+-", "points", "games", "won", "lost", "at fault"];

/// A table with a row for each player; cells at the end of a row may be missing.
#[derive(Debug)]
pub(in crate::tournament) struct PlayerTable {
    columns: Vec<Cell>,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    rank: Option<usize>,
    name: Cell,
    cells: Vec<Cell>,
}

/// A text, which may be empty, and what a page shows when it is pointed at.
#[derive(Clone, Debug, Default)]
struct Cell {
    text: String,
    tip: String,
}

impl Cell {
    fn html(&self, tag: &str) -> String {
        let tip = if self.tip.is_empty() { String::new() } else { format!(" title=\"{}\"", escaped(&self.tip)) };
        let text = match self.text.as_str() {
            "" => "&middot;".to_owned(),
            "+-" => "&plusmn;".to_owned(),
            text => escaped(text),
        };
        format!("<{tag}{tip}>{text}")
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { text: text.into(), tip: String::new() }
    }
}

impl PlayerTable {
    fn new<C: Into<Cell>>(
        columns: impl IntoIterator<Item = impl Into<Cell>>,
        players: &[PlayerRow],
        mut cells: impl FnMut(usize) -> Vec<C>,
    ) -> Self {
        let row = |(place, player): (usize, &PlayerRow)| Row {
            rank: player.rank,
            name: player.name.as_str().into(),
            cells: cells(place).into_iter().map(Into::into).collect(),
        };
        Self {
            columns: columns.into_iter().map(Into::into).collect(),
            rows: players.iter().enumerate().map(row).collect(),
        }
    }

    /// Returns ratings and points.
    pub(in crate::tournament) fn of_players(columns: &[&str], players: &[PlayerRow]) -> Self {
        let mut table = Self::new(columns.iter().copied(), players, |place| players[place].cells());
        for (row, player) in table.rows.iter_mut().zip(players) {
            row.name.tip = player.file.as_ref().or(player.sha256.as_ref()).cloned().unwrap_or_default();
        }
        table
    }

    /// Returns the points of each player against each other one.
    pub(super) fn of_points(standings: &Standings) -> Self {
        let n = standings.players.len();
        let mut cells = vec![vec![Cell::default(); n]; n];
        for row in &standings.meetings {
            let [i, j] = row.places;
            let cell = |points: f64, elo: f64| Cell {
                text: format!("{points:.1}"),
                tip: format!("{elo:+.0} Elo, {} games, {} different", row.games, row.different),
            };
            cells[i][j] = cell(row.points, row.elo);
            cells[j][i] = cell(row.points_against, -row.elo);
        }
        Self::matrix(standings, |place| mem::take(&mut cells[place]))
    }

    /// Returns the chance of each player to be stronger than each other one, in percent.
    pub(super) fn of_superiority(standings: &Standings) -> Self {
        let cell = |i: usize, j: usize| {
            let los = standings.los[i][j].filter(|_| i != j);
            los.map_or_else(String::new, |los| format!("{:.1}", 100.0 * los))
        };
        Self::matrix(standings, |i| (0..standings.players.len()).map(|j| cell(i, j)).collect())
    }

    /// Returns a table with a column for each player, named by its rank.
    fn matrix<C: Into<Cell>>(standings: &Standings, cells: impl FnMut(usize) -> Vec<C>) -> Self {
        let column = |row: &PlayerRow| Cell {
            text: row.rank.map_or_else(String::new, |rank| rank.to_string()),
            tip: row.name.clone(),
        };
        Self::new(standings.players.iter().map(column), &standings.players, cells)
    }

    /// Returns how often each player won and lost by each kind of ending.
    pub(super) fn of_endings(standings: &Standings) -> Self {
        let (players, names) = (&standings.players, endings(&standings.players));
        let cell =
            |place: usize, name| players[place].endings.get(name).map_or_else(String::new, |ending| ending.text());
        Self::new(names.iter().copied(), players, |place| names.iter().map(|name| cell(place, name)).collect())
    }

    /// Adds a column, in which cells may be missing.
    pub(super) fn add_column(&mut self, name: &str, cells: impl Iterator<Item = Option<String>>) {
        self.columns.push(name.into());
        for (row, cell) in self.rows.iter_mut().zip(cells) {
            row.cells.extend(cell.map(Cell::from));
        }
    }

    /// Returns whether there is nothing to show.
    pub(super) const fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Returns it as text; the first column has this title.
    pub(in crate::tournament) fn to_text(&self, title: &str) -> String {
        let head = once(format!("   {title}")).chain(self.columns.iter().map(|cell| cell.text.clone()));
        let mut table = TextTable::of_names(head);
        for row in &self.rows {
            let name = format!("{:>2} {}", row.rank.unwrap_or(0), row.name.text);
            let cells = row.cells.iter().map(|cell| if cell.text.is_empty() { "." } else { &cell.text }.to_owned());
            table.row(once(name).chain(cells));
        }
        table.to_text()
    }

    /// Returns it as HTML.
    pub(in crate::tournament) fn to_html(&self) -> String {
        let row = |cells: &[Cell], tag: &str| cells.iter().map(|cell| cell.html(tag)).collect::<String>();
        let mut html = format!("<div class=wide><table><tr><th>#<th>player{}\n", row(&self.columns, "th"));
        for Row { rank, name, cells } in &self.rows {
            let rank = rank.map_or_else(String::new, |rank| rank.to_string());
            let _ = writeln!(html, "<tr><td>{rank}{}{}", name.html("th"), row(cells, "td"));
        }
        html + "</table></div>\n"
    }
}
