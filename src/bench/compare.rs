//! The figures of two builds side by side.

use super::median;

/// The width of a row's name in the tables of `server bench`.
const NAME_LEN: usize = 22;

/// A row of these tables.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchRow {
    /// The name of its table.
    pub table: String,
    /// The board, and where it varies the instruction set.
    pub name: String,
    /// The amount of work.
    pub count: u64,
    /// The time that it took.
    pub seconds: f64,
}

impl BenchRow {
    fn speed(&self) -> f64 {
        self.count as f64 / self.seconds
    }
}

/// The speeds of two builds in one row.
#[derive(Clone, Debug, PartialEq)]
pub struct RowRatio {
    /// The names of the table and of the row.
    pub row: [String; 2],
    /// The median of each build's speed, in units of work a second.
    pub speeds: [f64; 2],
    /// The median of the ratios of runs that followed each other; above 1 if the first build is quicker.
    pub ratio: f64,
    /// Whether both did the same amount of work.
    pub is_same_work: bool,
}

/// Reads the tables that this or another version of `server bench` prints.
pub fn bench_rows(text: &str) -> Vec<BenchRow> {
    let (mut rows, mut table) = (Vec::new(), "");
    for line in text.lines() {
        let Some((name, cells)) = line.split_at_checked(NAME_LEN) else { continue };
        let cells: Vec<&str> = cells.split_ascii_whitespace().collect();
        let [_, count, seconds, ..] = cells[..] else { continue };
        match (count.parse(), seconds.parse()) {
            (Ok(count), Ok(seconds)) if seconds > 0.0 => {
                rows.push(BenchRow { table: table.to_owned(), name: name.trim_end().to_owned(), count, seconds });
            }
            _ => table = name.trim_end(),
        }
    }
    rows
}

/// Compares two builds that ran in turn; rows that only one of them has are left out.
pub fn ratios(runs: &[[Vec<BenchRow>; 2]]) -> Vec<RowRatio> {
    let Some([first, _]) = runs.first() else { return Vec::new() };
    let compared = first.iter().filter_map(|row| {
        let is_it = |other: &&BenchRow| (&other.table, &other.name) == (&row.table, &row.name);
        let pairs: Option<Vec<[&BenchRow; 2]>> =
            runs.iter().map(|[one, two]| Some([one.iter().find(is_it)?, two.iter().find(is_it)?])).collect();
        let pairs = pairs?;
        let speed = |build: usize| median(pairs.iter().map(|pair| pair[build].speed()).collect());
        Some(RowRatio {
            row: [row.table.clone(), row.name.clone()],
            speeds: [speed(0), speed(1)],
            ratio: median(pairs.iter().map(|[one, two]| one.speed() / two.speed()).collect()),
            is_same_work: pairs.iter().all(|[one, two]| one.count == two.count),
        })
    });
    compared.collect()
}
