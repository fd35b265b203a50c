use std::fmt::Write as _;

use serde_json::{Map, Value};
use unicode_width::UnicodeWidthStr;

/// A table of a report, as text, CSV or JSON.
///
/// ```
/// use amazons_program::TextTable;
///
/// let mut table = TextTable::new("times", ["processes", "seconds"]);
/// table.row(["1", "2.5"]);
/// table.row(["2", "1.25"]);
/// assert_eq!(table.to_text(), "times\nprocesses  seconds\n        1      2.5\n        2     1.25\n");
/// assert_eq!(table.to_csv(), "processes,seconds\n1,2.5\n2,1.25\n");
/// assert_eq!(table.to_json()[1]["seconds"], 1.25);
/// ```
#[derive(Clone, Debug, Default)]
pub struct TextTable {
    title: String,
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// Makes a table without rows.
    pub fn new(title: impl Into<String>, head: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { title: title.into(), head: head.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row, with a cell for each column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Returns the title.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the names of the columns.
    #[must_use]
    pub fn head(&self) -> &[String] {
        &self.head
    }

    /// Returns the rows.
    #[must_use]
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// Returns the title and aligned columns.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut widths: Vec<usize> = self.head.iter().map(|cell| cell.width()).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.width());
            }
        }
        let mut text = format!("{}\n", self.title);
        for row in [&self.head].into_iter().chain(&self.rows) {
            let padded = |(cell, width): (&String, &usize)| " ".repeat(width - cell.width()) + cell;
            let cells: Vec<_> = row.iter().zip(&widths).map(padded).collect();
            let _ = writeln!(text, "{}", cells.join("  ").trim_end());
        }
        text
    }

    /// Returns head and rows as comma-separated values.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let quoted = |cell: &String| match cell.contains([',', '"', '\n']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.clone(),
        };
        let line = |row: &Vec<String>| row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n";
        [&self.head].into_iter().chain(&self.rows).map(line).collect()
    }

    /// Returns an object for each row; cells that are numbers become numbers.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let number = |cell: &str| cell.parse::<u64>().map(Value::from).ok();
        let decimal = |cell: &str| cell.parse::<f64>().map(Value::from).ok();
        let value = |cell: &String| number(cell).or_else(|| decimal(cell)).unwrap_or_else(|| cell.as_str().into());
        let object = |row: &Vec<String>| {
            let pairs = self.head.iter().cloned().zip(row.iter().map(value));
            Value::Object(pairs.collect::<Map<_, _>>())
        };
        self.rows.iter().map(object).collect()
    }
}
