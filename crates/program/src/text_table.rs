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
    /// Whether the first column is flush left, and empty cells have a mark.
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

    /// Adds a column, in which cells may be missing.
    pub fn column(&mut self, name: &str, cells: impl IntoIterator<Item = Option<String>>) {
        self.head.push(name.into());
        for (row, cell) in self.rows.iter_mut().zip(cells) {
            row.extend(cell);
        }
    }

    /// Returns the title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the title, if there is one, and columns aligned by the width of their cells on a terminal.
    pub fn to_text(&self) -> String {
        let mark = |cell: &String| if self.is_of_names && cell.is_empty() { ".".to_owned() } else { cell.clone() };
        let rows: Vec<Vec<String>> = self.lines().map(|row| row.iter().map(mark).collect()).collect();
        let mut widths = vec![0; self.head.len()];
        for row in &rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.width().max(*width);
            }
        }
        let mut text = if self.title.is_empty() { String::new() } else { format!("{}\n", self.title) };
        for row in rows {
            let padded = |(column, (cell, width)): (usize, (String, &usize))| {
                // Formatting would count characters, of which some take two columns and some none.
                let padding = " ".repeat(width - cell.width());
                if column == 0 && self.is_of_names { cell + &padding } else { padding + &cell }
            };
            let cells: Vec<_> = row.into_iter().zip(&widths).enumerate().map(padded).collect();
            let _ = writeln!(text, "{}", cells.join("  ").trim_end());
        }
        text
    }

    fn lines(&self) -> impl Iterator<Item = &Vec<String>> {
        [&self.head].into_iter().chain(&self.rows)
    }

    /// Returns head and rows as comma-separated values.
    pub fn to_csv(&self) -> String {
        let line = |row: &Vec<String>| row.iter().map(|cell| csv_field(cell)).collect::<Vec<_>>().join(",") + "\n";
        self.lines().map(line).collect()
    }

    /// Returns an object for each row; cells that are numbers become numbers.
    pub fn to_json(&self) -> Value {
        let number = |cell: &str| cell.parse::<u64>().map(Value::from).ok();
        let decimal = |cell: &str| cell.parse::<f64>().map(Value::from).ok();
        let value = |text: &String| number(text).or_else(|| decimal(text)).unwrap_or_else(|| text.as_str().into());
        let object = |row: &Vec<String>| {
            let pairs = self.head.iter().cloned().zip(row.iter().map(value));
            Value::Object(pairs.collect::<Map<_, _>>())
        };
        self.rows.iter().map(object).collect()
    }

    /// Returns it as HTML.
    pub fn to_html(&self) -> String {
        let row = |tag: &str, cells: &[String]| {
            let cells: String = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell.trim()))).collect();
            format!("<tr>{cells}</tr>\n")
        };
        let rows: String = self.rows.iter().map(|cells| row("td", cells)).collect();
        let caption =
            if self.title.is_empty() { String::new() } else { format!("<caption>{}</caption>", escaped(&self.title)) };
        format!("<div><table>{caption}\n{}{rows}</table></div>\n", row("th", &self.head))
    }
}

/// Quotes a field of comma-separated values that would be taken for more than one (RFC 4180).
pub fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// Escapes what would be taken for HTML or XML, in attributes, too; control characters become U+FFFD.
pub fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;").replace(char::is_control, "\u{fffd}")
}

/// Returns a number of things, which are named by a noun in the singular.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
