use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::Exit;
use crate::exit::{finish, is_first};

/// Maximum number of characters of an argument that a message repeats.
const TYPED_MAX: usize = 120;

/// Reads the arguments; under a launcher, only rank 0 reports errors in them, in one line. The error is the status to
/// end with: help was asked for, or an argument is wrong.
pub fn arguments<A: Parser>(program: &str) -> Result<A, ExitCode> {
    A::try_parse().map_err(shortened).map_err(|error| match error.kind() {
        // A launcher ends all ranks when one fails, and rank 0 may not have printed the error yet.
        _ if !is_first() => ExitCode::SUCCESS,
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let printed = error.print().map(|()| Exit::Success);
            finish(program, printed.map_err(Exit::from))
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            finish(program, Err(Exit::usage("a command is missing: --help lists them")))
        }
        _ => finish(
            program,
            Err(Exit::Usage(format!("{} (see --help)", in_words(&first_paragraph(&error.to_string()))))),
        ),
    })
}

/// Cuts what was typed where it is too long to be repeated.
fn shortened(mut error: clap::Error) -> clap::Error {
    for kind in [ContextKind::InvalidValue, ContextKind::InvalidArg, ContextKind::InvalidSubcommand] {
        if let Some(ContextValue::String(typed)) = error.get(kind)
            && let Some((end, _)) = typed.char_indices().nth(TYPED_MAX)
        {
            let beginning = format!("{}...", &typed[..end]);
            error.insert(kind, ContextValue::String(beginning));
        }
    }
    error
}

/// Rewords the standard library's errors about numbers for people who do not write Rust.
fn in_words(text: &str) -> String {
    let words = [
        ("number too large to fit in target type", "too large"),
        ("number too small to fit in target type", "too small"),
        ("number would be zero for non-zero type", "at least 1 is needed"),
        ("invalid digit found in string", "not a whole number"),
        ("cannot parse integer from empty string", "a number is missing"),
        ("invalid float literal", "not a number"),
    ];
    words.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// Returns the text up to the first empty line as one line.
fn first_paragraph(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    let line = lines.join(" ");
    line.strip_prefix("error: ").unwrap_or(&line).to_owned()
}
