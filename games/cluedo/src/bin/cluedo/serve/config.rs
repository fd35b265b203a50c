//! The options of the server in a file: the same names, the same values.

use std::ffi::OsString;
use std::path::Path;

use amazons_program::Exit;
use clap::{ArgAction, Args, Command, FromArgMatches};
use cluedo::tournament::{line_of, syntax_error};
use toml::de::{DeTable, DeValue};

use super::ServeArgs;
use crate::input_file::MAX_TEXT_LEN;
use amazons_program::files::read_file;

/// The program's name in clap's messages.
const NAME: &str = "serve";

/// Reads the options of a file, and those of the command line, which win.
pub(super) fn read(file: &Path) -> Result<ServeArgs, Exit> {
    let name = file.display();
    let text = read_file(file, MAX_TEXT_LEN).map_err(|error| Exit::usage(format!("{name}: {error}")))?;
    let options = options(&text, |what| Exit::Usage(format!("{name}: {what}")))?;
    // What was typed was read without a complaint before.
    let typed: Vec<OsString> = std::env::args_os().skip_while(|word| word != "serve").skip(1).collect();
    let given = parse(typed.clone()).map_err(|error| Exit::Usage(reason(&error)))?;
    let mut words = Vec::new();
    let (mut port, mut games) = (given.port, given.games);
    for (key, mut option) in options {
        match key.as_str() {
            "port" => port = port.or(parse(option).ok().and_then(|args| args.port)),
            "games" => games = games.or(option.pop().and_then(|word| word.into_string().ok()?.parse().ok())),
            "seat" if !given.seats.is_empty() => {}
            _ => words.extend(option),
        }
    }
    let mut args = parse(words.into_iter().chain(typed)).map_err(|error| Exit::Usage(reason(&error)))?;
    (args.port, args.games) = (port, games);
    Ok(args)
}

/// Parses words as the program's own command line.
fn parse(words: impl IntoIterator<Item = OsString>) -> Result<ServeArgs, clap::Error> {
    let name = [OsString::from(NAME), "--config=-".into()];
    let matches = ServeArgs::augment_args(Command::new(NAME)).try_get_matches_from(name.into_iter().chain(words));
    matches.and_then(|matches| ServeArgs::from_arg_matches(&matches))
}

fn reason(error: &clap::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

/// Returns each option of a file with its words of a command line; every one is checked alone, so errors have a line.
fn options(text: &str, wrong: impl Fn(String) -> Exit) -> Result<Vec<(String, Vec<OsString>)>, Exit> {
    let table = DeTable::parse(text).map_err(|error| wrong(syntax_error(text, &error)))?;
    let command = ServeArgs::augment_args(Command::new(NAME));
    let mut options = Vec::new();
    for (key, value) in table.into_inner() {
        let place = line_of(text, key.span().start);
        let wrong = |what: String| wrong(format!("line {place}: {what}"));
        let key = key.into_inner();
        let found = command.get_arguments().find(|arg| {
            let positional = arg.is_positional() && arg.get_id().as_str() == key;
            positional || arg.get_long() == Some(&key) || key == "n" && arg.get_short() == Some('n')
        });
        let found = found.filter(|arg| arg.get_long() != Some("config"));
        let arg = found.ok_or_else(|| wrong(format!("unknown option {key}: the names are those of serve --help")))?;
        let is_flag = matches!(arg.get_action(), ArgAction::SetTrue);
        let values = match value.into_inner() {
            DeValue::Array(values) if matches!(arg.get_action(), ArgAction::Append) => {
                values.into_iter().map(|value| scalar(value.into_inner())).collect::<Option<Vec<_>>>()
            }
            value => scalar(value).map(|value| vec![value]),
        };
        let values = values.ok_or_else(|| wrong(format!("{key}: write a number, a text or true")))?;
        let mut words: Vec<OsString> = Vec::new();
        for value in values {
            match (arg.get_long(), is_flag, value.as_str()) {
                (_, true, "false") => {}
                (Some(long), true, "true") => words.push(format!("--{long}").into()),
                (Some(_), true, _) => return Err(wrong(format!("{key}: write true or false"))),
                (Some(long), false, _) => words.push(format!("--{long}={value}").into()),
                (None, _, _) if key == "games" => words.extend(["0".into(), value.into()]),
                (None, ..) => words.push(value.into()),
            }
        }
        parse(words.clone()).map_err(|error| wrong(reason(&error)))?;
        options.push((key.into_owned(), words));
    }
    Ok(options)
}

fn scalar(value: DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.into_owned()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Boolean(truth) => Some(truth.to_string()),
        _ => None,
    }
}
