//! The list of teams that a course begins with.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use amazons_program::files::read_file;
use thiserror::Error;

use crate::tournament::ladder::valid_name;
use crate::tournament::name_rule;

/// The columns of a list of teams, which its first line names in any order; only the first must be there.
pub const HEADER: &str = "name,display name,email";

/// Spreadsheets take one of these before a number for a month.
const MONTHS: &str = "jan january januar feb february februar mar march mär märz mrz apr april may mai jun june juni jul \
    july juli aug august sep sept september oct october okt oktober nov november dec december dez dezember";

/// Maximum size of a list, and of a field.
const LIST_MAX: u64 = 1 << 20;
const FIELD_MAX: usize = 200;

/// A team as it was listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedTeam {
    /// Its name in tables and files.
    pub name: String,
    /// Its name for people.
    pub display: Option<String>,
    /// Where to write to it.
    pub email: Option<String>,
}

/// Why a list of teams cannot be used.
#[derive(Debug, Error)]
pub enum ListError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable {
        /// The list.
        path: PathBuf,
        source: io::Error,
    },
    /// It has no line of names of columns.
    #[error(
        "{}: the first line must name columns of '{HEADER}', separated by commas or semicolons; only name must be there",
        .0.display()
    )]
    NoHeader(PathBuf),
    /// A line is not a team.
    #[error("{}: line {line}: {wrong}", .path.display())]
    Line {
        /// The list.
        path: PathBuf,
        line: usize,
        /// The mistake.
        wrong: TeamError,
    },
    #[error("{}: there are no teams", .0.display())]
    Empty(PathBuf),
}

/// Why a line is not a team.
#[derive(Debug, Error)]
pub enum TeamError {
    #[error("a quotation mark is missing")]
    Quoted,
    #[error("expected at most {0} fields, found {1}")]
    TooMany(usize, usize),
    #[error("'{0}...' is longer than {FIELD_MAX} bytes, or not plain text")]
    Field(String),
    #[error("invalid team name '{0}': {rule}", rule = name_rule())]
    Name(String),
    #[error("invalid team name '{0}', which spreadsheets take for a number, date or formula: begin it with a word")]
    Number(String),
    #[error("there is a team {0} already")]
    Twice(String),
}

pub fn read_teams(path: &Path) -> Result<Vec<ListedTeam>, ListError> {
    let list = || path.to_owned();
    let text = read_file(path, LIST_MAX).map_err(|source| ListError::Unreadable { path: list(), source })?;
    // Spreadsheets mark their text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let columns = lines.next().and_then(|(_, line)| Columns::read(line));
    let columns = columns.ok_or_else(|| ListError::NoHeader(list()))?;
    let (mut teams, mut seen) = (Vec::new(), BTreeSet::new());
    for (number, text) in lines {
        let wrong = |wrong| ListError::Line { path: list(), line: number, wrong };
        let team = columns.team(text).map_err(wrong)?;
        if !seen.insert(team.name.to_lowercase()) {
            return Err(wrong(TeamError::Twice(team.name)));
        }
        teams.push(team);
    }
    if teams.is_empty() { Err(ListError::Empty(list())) } else { Ok(teams) }
}

/// The first line of a list.
struct Columns {
    separator: char,
    count: usize,
    /// The places of those of [`HEADER`].
    places: [Option<usize>; 3],
}

impl Columns {
    fn read(line: &str) -> Option<Self> {
        let separator = if line.contains(';') { ';' } else { ',' };
        let found: Vec<String> = fields(line, separator)?.iter().map(|name| name.to_lowercase()).collect();
        let mut known = HEADER.split(',');
        let places = [(); 3].map(|()| known.next().and_then(|name| found.iter().position(|it| it == name)));
        let is_known = places.iter().flatten().count() == found.len() && places[0].is_some();
        is_known.then_some(Self { separator, count: found.len(), places })
    }

    fn team(&self, line: &str) -> Result<ListedTeam, TeamError> {
        let fields = fields(line, self.separator).ok_or(TeamError::Quoted)?;
        if fields.len() > self.count {
            return Err(TeamError::TooMany(self.count, fields.len()));
        }
        if let Some(long) = fields.iter().find(|field| field.len() > FIELD_MAX || field.chars().any(char::is_control)) {
            return Err(TeamError::Field(long.chars().filter(|letter| !letter.is_control()).take(20).collect()));
        }
        let [name, display, email] =
            self.places.map(|place| fields.get(place?).filter(|field| !field.is_empty()).cloned());
        let name = name.unwrap_or_default();
        if !valid_name(&name) {
            return Err(TeamError::Name(name));
        }
        if is_number(&name) { Err(TeamError::Number(name)) } else { Ok(ListedTeam { name, display, email }) }
    }
}

/// Returns whether spreadsheets take a name for a number, a truth, a date or a formula.
fn is_number(name: &str) -> bool {
    let name = name.to_lowercase();
    let word = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let is_month = word.len() < name.len() && MONTHS.split_whitespace().any(|it| it == word.trim_end_matches('-'));
    !name.starts_with(char::is_alphabetic) || is_month || name == "true" || name == "false"
}

/// Splits a line of separated values (RFC 4180, without line breaks in fields).
fn fields(line: &str, separator: char) -> Option<Vec<String>> {
    let (mut fields, mut field, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.trim().chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => field.extend(letters.next()),
            '"' => is_quoted = !is_quoted,
            letter if letter == separator && !is_quoted => fields.push(std::mem::take(&mut field).trim().to_owned()),
            letter => field.push(letter),
        }
    }
    fields.push(field.trim().to_owned());
    (!is_quoted).then_some(fields)
}
