use crate::Size;
use crate::average::Value;

/// Scores this close are equal: mirrored columns differ in their last bits.
const EQUAL: f64 = 1e-9;

/// Chooses a column from the scores of searches to depth 1, 2, and so on.
///
/// The earliest proven win; if all columns lose, the latest proven loss; otherwise the highest score of those that do
/// not lose. Of equal ones the nearest to the centre, then the left one.
#[derive(Clone, Debug)]
pub struct Choice {
    size: Size,
    columns: Vec<Column>,
}

#[derive(Clone, Copy, Debug)]
struct Column {
    column: u32,
    value: Value,
    /// The first depth at which the value was proven.
    proven_at: Option<u32>,
}

impl Choice {
    /// Nothing has been searched yet.
    pub const fn new(size: Size) -> Self {
        Self { size, columns: Vec::new() }
    }

    /// Adds the values of all free columns, for the side to move, of the search to this depth.
    pub fn add(&mut self, depth: u32, values: &[(u32, Value)]) {
        let proven_at = |column| self.columns.iter().find(|it| it.column == column).and_then(|it| it.proven_at);
        let columns = values.iter().map(|&(column, value)| {
            let proven_at = proven_at(column).or_else(|| value.is_proven().then_some(depth));
            Column { column, value, proven_at }
        });
        self.columns = columns.collect();
    }

    /// Returns whether deeper searches change nothing.
    pub fn is_final(&self) -> bool {
        self.columns.iter().any(|it| it.value == Value::Win) || self.columns.iter().all(|it| it.value == Value::Loss)
    }

    /// Returns the column to play, counted from 0; `None` before the first search.
    pub fn column(&self) -> Option<u32> {
        let wins = || self.columns.iter().filter(|it| it.value == Value::Win);
        if let Some(earliest) = wins().filter_map(|it| it.proven_at).min() {
            return self.nearest(wins().filter(|it| it.proven_at == Some(earliest)));
        }
        let open = || self.columns.iter().filter(|it| it.value != Value::Loss);
        if let Some(best) = open().map(|it| it.value.score()).reduce(f64::max) {
            return self.nearest(open().filter(|it| it.value.score() >= best - EQUAL));
        }
        let latest = self.columns.iter().filter_map(|it| it.proven_at).max();
        self.nearest(self.columns.iter().filter(|it| it.proven_at == latest))
    }

    /// Returns the column that is nearest to the centre; of two, the left one.
    fn nearest<'a>(&self, columns: impl Iterator<Item = &'a Column>) -> Option<u32> {
        columns.map(|it| it.column).min_by_key(|&column| (2 * column + 1).abs_diff(self.size.width()))
    }
}
