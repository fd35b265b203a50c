use crate::average::Value;
use crate::perfect::{Solver, Stop};
use crate::{Position, Size};

/// Scores this close are equal: mirrored columns differ in their last bits.
const EQUAL: f64 = 1e-9;

/// Chooses a column from the scores of searches to depth 1, 2, and so on.
///
/// The earliest proven win; if all columns lose, the latest proven loss; otherwise the highest score of those that do
/// not lose. Of equal ones the nearest to the centre, then the left one.
#[derive(Clone, Debug)]
pub struct Choice {
    size: Size,
    /// The depth of the last search.
    pub depth: u32,
    /// Positions looked at, at all depths.
    pub nodes: u64,
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
    pub const fn new(size: Size) -> Self {
        Self { size, depth: 0, nodes: 0, columns: Vec::new() }
    }

    /// Searches to each depth in turn, until deeper searches would change nothing. A search returns the values of all
    /// free columns, and how many positions it looked at.
    pub(crate) fn search<E>(
        size: Size,
        depth: u32,
        mut search: impl FnMut(u32) -> Result<(Vec<(u32, Value)>, u64), E>,
    ) -> Result<Self, E> {
        let mut choice = Self::new(size);
        while choice.depth < depth.max(1) && !(choice.depth > 0 && choice.is_final()) {
            let (values, nodes) = search(choice.depth + 1)?;
            choice.add(choice.depth + 1, &values);
            choice.nodes += nodes;
        }
        Ok(choice)
    }

    /// Adds the values of all free columns, for the side to move, of the search to this depth.
    pub fn add(&mut self, depth: u32, values: &[(u32, Value)]) {
        let proven_at = |column| self.columns.iter().find(|it| it.column == column).and_then(|it| it.proven_at);
        let columns = values.iter().map(|&(column, value)| {
            let proven_at = proven_at(column).or_else(|| value.is_proven().then_some(depth));
            Column { column, value, proven_at }
        });
        self.columns = columns.collect();
        self.depth = depth;
    }

    /// Returns the values of the columns at the last depth.
    pub fn values(&self) -> impl Iterator<Item = (u32, Value)> {
        self.columns.iter().map(|it| (it.column, it.value))
    }

    /// Returns the column to play and its value; `None` before the first search.
    pub fn best(&self) -> Option<(u32, Value)> {
        let column = self.column()?;
        self.values().find(|it| it.0 == column)
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

/// A column to play, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Chosen {
    /// The column, counted from 0.
    pub column: u32,
    /// The expected result, from -1, a loss of the side to move, to 1.
    pub value: Option<f64>,
    /// Whether that is certain: 1 is a win, 0 a draw, -1 a loss.
    pub is_proven: bool,
    /// The score of best play, if the level knows it.
    pub score: Option<i32>,
    /// Positions looked at, as the level counts them.
    pub nodes: u64,
}

impl Chosen {
    /// Chooses a column with the best score; `None` when the game is over, or the search was stopped.
    pub fn perfect(solver: &mut Solver, position: &Position, stop: &Stop<'_>) -> Option<Self> {
        let before = solver.nodes();
        let (score, column) = (solver.score(position, stop)?, solver.best(position, stop)?);
        Some(Self::solved(column, score, solver.nodes() - before))
    }

    /// Takes what searches to depth 1, 2 and so on have chosen; `None` before the first.
    pub fn searched(choice: &Choice) -> Option<Self> {
        let (column, value) = choice.best()?;
        let (is_proven, nodes) = (value.is_proven(), choice.nodes);
        Some(Self { column, value: Some(value.score()), is_proven, score: None, nodes })
    }

    pub fn solved(column: u32, score: i32, nodes: u64) -> Self {
        Self { column, value: Some(f64::from(score.signum())), is_proven: true, score: Some(score), nodes }
    }

    /// Returns the score of best play, or else the expected value.
    pub fn known_score(&self) -> Option<f64> {
        self.score.map(f64::from).or(self.value)
    }
}
