use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use crate::Exit;
use crate::exit::finish;
use crate::ranks::is_first;

/// Reads the arguments; under a launcher, only rank 0 says what is wrong with them, in one line.
///
/// # Errors
/// The status to end with: help was asked for, or an argument is wrong.
pub fn arguments<A: Parser>(program: &str) -> Result<A, ExitCode> {
    A::try_parse().map_err(|error| match error.kind() {
        // A launcher ends all ranks when one fails, and rank 0 may not have spoken yet.
        _ if !is_first() => ExitCode::SUCCESS,
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let printed = error.print().map(|()| Exit::Success);
            finish(program, printed.map_err(Exit::from))
        }
        _ => finish(program, Err(Exit::Usage(format!("{} (see --help)", first_paragraph(&error.to_string()))))),
    })
}

/// Returns the text up to the first empty line as one line.
fn first_paragraph(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    let line = lines.join(" ");
    line.strip_prefix("error: ").unwrap_or(&line).to_owned()
}
