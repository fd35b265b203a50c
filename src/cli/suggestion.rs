use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory};

use crate::cli::Cli;

/// Suggests a command for a word that stands where a player should, unless it is a file.
pub fn suggestion(word: &OsStr) -> Option<String> {
    if word.as_encoded_bytes().starts_with(b"-") || Path::new(word).exists() {
        return None;
    }
    // Without players there are only commands, and the parser says which one is close.
    let commands = Cli::command().get_subcommands().cloned().collect::<Vec<_>>();
    let server = Command::new("server").subcommand_required(true).subcommands(commands);
    let error = server.try_get_matches_from([OsStr::new("server"), word]).err()?;
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let close = match error.get(ContextKind::SuggestedSubcommand)? {
        // The closest comes last.
        ContextValue::Strings(close) => close.last()?,
        ContextValue::String(close) => close,
        _ => return None,
    };
    Some(format!("there is no file and no command '{}': did you mean {close}?", word.display()))
}

/// Returns what to do about a command that stands behind an option, where a player is expected.
pub fn misplaced_command() -> Option<String> {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    words.first().filter(|word| word.as_encoded_bytes().starts_with(b"-"))?;
    let server = Cli::command();
    let takes_a_value = |word: &OsString| {
        let is_it = |arg: &Arg| {
            let long = arg.get_long().map(|long| format!("--{long}"));
            let short = arg.get_short().map(|short| format!("-{short}"));
            [long, short].into_iter().flatten().any(|name| *word == *name)
        };
        let known = server.get_arguments().find(|arg| is_it(arg));
        known.is_some_and(|arg| arg.get_action().takes_values() && !arg.is_require_equals_set())
    };
    let pairs = words.iter().zip(words.iter().skip(1));
    let mut others = pairs.filter(|(before, _)| !takes_a_value(before)).map(|(_, word)| word);
    let found = others.find(|word| server.find_subcommand(word).is_some() && !Path::new(word).exists())?;
    Some(format!("options go after the command: server {} ...", found.display()))
}
