use std::str::FromStr;

use thiserror::Error;

/// Why text holds no weights or network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TextError {
    /// A line begins with an unknown name.
    #[error("line {0}: no such row")]
    Name(usize),
    /// A line has the wrong number of numbers, or one out of range.
    #[error("line {line}: give {expected}")]
    Numbers {
        /// The number of the line, from 1.
        line: usize,
        /// How many numbers the row takes, and their range.
        expected: String,
    },
    /// A name appears on two lines.
    #[error("line {0}: given before")]
    Twice(usize),
    /// A row has no line.
    #[error("no line for '{0}'")]
    Missing(String),
}

/// A row of a text.
pub(crate) struct Row<T> {
    pub(crate) name: String,
    /// The smallest and the largest number allowed.
    pub(crate) range: [T; 2],
}

/// Reads a line for each row, in any order: its name, then `N` numbers. `#` starts a comment.
pub(crate) fn read<T, const N: usize>(
    text: &str,
    rows: &[Row<T>],
    expected: impl Fn(&Row<T>) -> String,
) -> Result<Vec<[T; N]>, TextError>
where
    T: Copy + Default + PartialOrd + FromStr,
{
    let mut found = vec![None; rows.len()];
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let mut words: Vec<&str> = content.split_whitespace().collect();
        let texts = words.split_off(words.len().saturating_sub(N));
        let name = words.join(" ");
        let at = rows.iter().position(|row| row.name == name).ok_or(TextError::Name(line))?;
        let [least, largest] = rows[at].range;
        let mut numbers = [T::default(); N];
        for (number, text) in numbers.iter_mut().zip(texts) {
            let parsed = text.parse().ok().filter(|parsed| (least..=largest).contains(parsed));
            *number = parsed.ok_or_else(|| TextError::Numbers { line, expected: expected(&rows[at]) })?;
        }
        if found[at].replace(numbers).is_some() {
            return Err(TextError::Twice(line));
        }
    }
    let missing = |row: &Row<T>| TextError::Missing(row.name.clone());
    found.into_iter().zip(rows).map(|(numbers, row)| numbers.ok_or_else(|| missing(row))).collect()
}
