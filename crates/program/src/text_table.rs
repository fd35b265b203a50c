use std::fmt::Write as _;

use serde_json::{Map, Value};
use unicode_width::UnicodeWidthStr;

/// A table of a report, as text, CSV, JSON or HTML.
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
    /// Whether the first column is flush left.
    is_of_names: bool,
}

impl TextTable {
    /// Makes a table without rows.
    pub fn new(title: impl Into<String>, head: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { title: title.into(), head: head.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// Makes a table without title and rows; its first column has names, which are flush left.
    pub fn of_names(head: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { is_of_names: true, ..Self::new("", head) }
    }

    /// Adds a row; cells at its end may be missing.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Returns the title.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the title, if there is one, and columns aligned by the width of their cells on a terminal.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut widths: Vec<usize> = self.head.iter().map(|cell| cell.width()).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.width());
            }
        }
        let mut text = if self.title.is_empty() { String::new() } else { format!("{}\n", self.title) };
        for row in [&self.head].into_iter().chain(&self.rows) {
            let padded = |(column, (cell, width)): (usize, (&String, &usize))| {
                // Formatting would count characters, of which some take two columns and some none.
                let padding = " ".repeat(width - cell.width());
                if column == 0 && self.is_of_names { cell.clone() + &padding } else { padding + cell }
            };
            let cells: Vec<_> = row.iter().zip(&widths).enumerate().map(padded).collect();
            let _ = writeln!(text, "{}", cells.join("  ").trim_end());
        }
        text
    }

    /// Returns head and rows as comma-separated values.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let line = |row: &Vec<String>| row.iter().map(|cell| csv_field(cell)).collect::<Vec<_>>().join(",") + "\n";
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

    /// Returns it as HTML.
    #[must_use]
    pub fn to_html(&self) -> String {
        let row = |tag: &str, cells: &[String]| {
            let cells: String = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
            format!("<tr>{cells}</tr>\n")
        };
        let rows: String = self.rows.iter().map(|cells| row("td", cells)).collect();
        let (title, head) = (escaped(&self.title), row("th", &self.head));
        format!("<div><table><caption>{title}</caption>\n{head}{rows}</table></div>\n")
    }
}

/// Quotes a field of comma-separated values that would be taken for more than one (RFC 4180).
#[must_use]
pub fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// Escapes what would be taken for HTML or XML.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
