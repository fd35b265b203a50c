use std::fs;
use std::path::Path;

use amazons_program::files::read_file;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::game::GameSettings;
use crate::tournament::plan::{Plan, PlanError};

/// Maximum size of a plan, so that reading an endless pipe stops.
const SIZE_MAX: u64 = 1 << 20;

/// Reads a plan from a file; relative paths are taken from its folder. The error is a line: the file, the line and
/// column, and what is wrong.
pub fn read_plan(path: &Path) -> Result<Plan, PlanError> {
    read_checked(path, Plan::new)
}

/// Reads a file of settings and checks them with a function that takes its folder.
pub(crate) fn read_checked<S: DeserializeOwned, T>(
    path: &Path,
    check: impl FnOnce(&S, &Path) -> Result<T, PlanError>,
) -> Result<T, PlanError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    check(&read_toml(path)?, folder).map_err(|error| PlanError(format!("{}: {error}", path.display())))
}

fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<T, PlanError> {
    let name = path.display();
    let unreadable = |error: std::io::Error| PlanError(format!("cannot read {name}: {error}"));
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() || metadata.len() > SIZE_MAX {
        return Err(PlanError(format!("cannot read {name}: a plan is a file of at most 1 MiB")));
    }
    let text = read_file(path, SIZE_MAX).map_err(unreadable)?;
    toml::from_str(&text).map_err(|error| {
        let reason = match error.message() {
            // What the parser makes of any bare word that begins with a t or an f.
            told if told.starts_with("invalid boolean") => "expected true, false, a number or quoted text".to_owned(),
            told => told.lines().map(str::trim).collect::<Vec<_>>().join(", ").replace("u32", "a whole number"),
        };
        PlanError(match error.span() {
            Some(span) => {
                let (line, column) = place(&text, span.start);
                let key = setting(&text, span.start).unwrap_or_default();
                format!("{name}: line {line}, column {column}: {reason}{key}")
            }
            None => format!("{name}: {reason}"),
        })
    })
}

/// Returns the name of the setting whose value is at a byte, where both are in a line.
fn setting(text: &str, at: usize) -> Option<String> {
    let (name, _) = text.get(..at)?.rsplit('\n').next()?.split_once('=')?;
    Some(format!(", in {}", name.trim()))
}

/// Returns line and column of a byte, from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// Returns an option of a command line that belongs into the file of a plan, if there is one.
pub fn given_option(settings: &impl Serialize, game: &GameSettings) -> Option<String> {
    let is_given = |value: &Value| !value.is_null() && value.as_array().is_none_or(|values| !values.is_empty());
    let Ok(Value::Object(table)) = serde_json::to_value(settings) else { return None };
    let given = table.into_iter().find(|(_, value)| is_given(value)).map(|(name, _)| format!("--{name}"));
    given.or_else(|| game.options().into_iter().next())
}
