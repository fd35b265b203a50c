//! The list of teams that a course begins with.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use amazons_program::files::read_file;
use thiserror::Error;

use crate::tournament::ladder::valid_name;
use crate::tournament::name_rule;

/// The first line of a list of teams; columns from the right may be missing.
pub const HEADER: &str = "name,display name,email";

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
        /// Why not.
        source: io::Error,
    },
    /// It has no line of names of columns.
    #[error("{}: the first line must be '{HEADER}', or its beginning", .0.display())]
    NoHeader(PathBuf),
    /// A line is not a team.
    #[error("{}: line {line}: {wrong}", .path.display())]
    Line {
        /// The list.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The mistake.
        wrong: TeamError,
    },
    /// It names nobody.
    #[error("{}: there are no teams", .0.display())]
    Empty(PathBuf),
}

/// Why a line is not a team.
#[derive(Debug, Error)]
pub enum TeamError {
    /// A field begins with a quotation mark, and does not end with one.
    #[error("a quotation mark is missing")]
    Quoted,
    /// It has so many fields.
    #[error("expected at most 3 fields ({HEADER}), found {0}")]
    TooMany(usize),
    /// A field, which begins like this, is too long or has control characters.
    #[error("'{0}...' is longer than {FIELD_MAX} bytes, or not plain text")]
    Field(String),
    /// The name cannot stand in a table.
    #[error("invalid team name '{0}': {rule}", rule = name_rule())]
    Name(String),
    /// Names that differ in their case alone would be mixed up.
    #[error("there is a team {0} already")]
    Twice(String),
}

/// Reads a list of teams.
pub fn read_teams(path: &Path) -> Result<Vec<ListedTeam>, ListError> {
    let list = || path.to_owned();
    let text = read_file(path, LIST_MAX).map_err(|source| ListError::Unreadable { path: list(), source })?;
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let names = HEADER.split(',');
    let is_header =
        |line: &str| !line.is_empty() && fields(line).is_some_and(|found| names.zip(found).all(|(a, b)| a == b));
    if !lines.next().is_some_and(|(_, line)| is_header(line.trim())) {
        return Err(ListError::NoHeader(list()));
    }
    let (mut teams, mut seen) = (Vec::new(), BTreeSet::new());
    for (number, text) in lines {
        let wrong = |wrong| ListError::Line { path: list(), line: number, wrong };
        let team = team(text).map_err(wrong)?;
        if !seen.insert(team.name.to_lowercase()) {
            return Err(wrong(TeamError::Twice(team.name)));
        }
        teams.push(team);
    }
    if teams.is_empty() { Err(ListError::Empty(list())) } else { Ok(teams) }
}

fn team(line: &str) -> Result<ListedTeam, TeamError> {
    let fields = fields(line.trim()).ok_or(TeamError::Quoted)?;
    if fields.len() > 3 {
        return Err(TeamError::TooMany(fields.len()));
    }
    if let Some(long) = fields.iter().find(|field| field.len() > FIELD_MAX || field.chars().any(char::is_control)) {
        return Err(TeamError::Field(long.chars().filter(|letter| !letter.is_control()).take(20).collect()));
    }
    let mut fields = fields.into_iter();
    let name = fields.next().unwrap_or_default();
    if !valid_name(&name) {
        return Err(TeamError::Name(name));
    }
    let mut optional = || fields.next().filter(|field| !field.is_empty());
    Ok(ListedTeam { name, display: optional(), email: optional() })
}

/// Splits a line of comma-separated values (RFC 4180, without line breaks in fields).
fn fields(line: &str) -> Option<Vec<String>> {
    let (mut fields, mut field, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => field.extend(letters.next()),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(std::mem::take(&mut field).trim().to_owned()),
            letter => field.push(letter),
        }
    }
    fields.push(field.trim().to_owned());
    (!is_quoted).then_some(fields)
}
