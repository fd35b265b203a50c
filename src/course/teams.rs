//! The list of teams that a course begins with.

use std::collections::BTreeSet;
use std::path::Path;

use amazons_program::files::read_file;

use crate::tournament::PlanError;
use crate::tournament::ladder::valid_name;

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

/// Reads a list of teams.
///
/// # Errors
/// A line: the file, the number of the line, and what is wrong.
pub fn read_teams(path: &Path) -> Result<Vec<ListedTeam>, String> {
    let shown = path.display();
    let text = read_file(path, LIST_MAX).map_err(|error| format!("cannot read {shown}: {error}"))?;
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let names = HEADER.split(',');
    let is_header =
        |line: &str| !line.is_empty() && fields(line).is_some_and(|found| names.zip(found).all(|(a, b)| a == b));
    if !lines.next().is_some_and(|(_, line)| is_header(line.trim())) {
        return Err(format!("{shown}: the first line must be '{HEADER}', or its beginning"));
    }
    let (mut teams, mut seen) = (Vec::new(), BTreeSet::new());
    for (number, line) in lines {
        let team = team(line).map_err(|reason| format!("{shown}: line {number}: {reason}"))?;
        // Names that differ in their case alone would be mixed up.
        if !seen.insert(team.name.to_lowercase()) {
            return Err(format!("{shown}: line {number}: there is a team {} already", team.name));
        }
        teams.push(team);
    }
    if teams.is_empty() {
        return Err(format!("{shown}: there are no teams"));
    }
    Ok(teams)
}

fn team(line: &str) -> Result<ListedTeam, String> {
    let fields = fields(line.trim()).ok_or("a quotation mark is missing")?;
    if fields.len() > 3 {
        return Err(format!("expected at most 3 fields ({HEADER}), found {}", fields.len()));
    }
    if let Some(long) = fields.iter().find(|field| field.len() > FIELD_MAX || field.chars().any(char::is_control)) {
        let start: String = long.chars().filter(|letter| !letter.is_control()).take(20).collect();
        return Err(format!("'{start}...' is longer than {FIELD_MAX} bytes, or not plain text"));
    }
    let mut fields = fields.into_iter();
    let name = fields.next().unwrap_or_default();
    if !valid_name(&name) {
        return Err(PlanError::of_name(&name).to_string().replace("player name", "team name"));
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
