use std::ffi::OsStr;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory};

use crate::cli::Cli;

/// Suggests a command for a word that stands where a player should, unless it is a file.
#[must_use]
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
