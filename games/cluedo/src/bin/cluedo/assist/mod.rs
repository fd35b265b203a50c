//! `cluedo assist`: a helper at a real table, at the terminal or as a page.

mod page;
mod session;
mod texts;

use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use amazons_program::{Exit, Interrupt, SIGINT};
use clap::Args;
use cluedo::assist::deck::Deck;

use crate::input_file::{MOST_TEXT, read_file};
use session::{Next, Session};

#[derive(Debug, Args)]
pub(crate) struct AssistArgs {
    /// The cards: classic, a number of players for those of the course, or a file with a line for each type, as
    /// "room: Hall, Study, Lounge"
    #[arg(long, value_name = "classic|N|FILE", default_value = "classic")]
    deck: String,
    /// Write the helper as one page that works offline, and end
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "cluedo-assist.html")]
    web: Option<PathBuf>,
}

/// A line may have this many bytes.
const LONGEST_LINE: usize = 4096;

pub(crate) fn run(args: &AssistArgs, input: impl BufRead, out: &mut impl Write) -> Result<Exit, Exit> {
    let deck = deck(&args.deck)?;
    if let Some(file) = &args.web {
        let name = file.display();
        let text = page::page(&deck, args.deck == "classic");
        fs::write(file, text).map_err(|error| Exit::failure(format!("cannot write {name}: {error}")))?;
        writeln!(out, "{name} is the helper: open it in a browser")?;
        return Ok(Exit::Success);
    }
    // A read of standard input would go on after Ctrl-C.
    Interrupt::end_at_once(&[SIGINT]).map_err(|error| Exit::failure(format!("cannot catch Ctrl-C: {error}")))?;
    let mut session = Session::new(deck, args.deck.clone());
    let is_person = io::stdin().is_terminal();
    if is_person {
        writeln!(out, "{}", texts::WELCOME)?;
    }
    let mut input = input;
    loop {
        if is_person {
            write!(out, "> ")?;
            out.flush()?;
        }
        let Some(line) = line(&mut input)? else { return Ok(Exit::Success) };
        let next = match &line {
            Ok(line) => session.line(line, out)?,
            Err(wrong) => {
                writeln!(out, "{wrong}")?;
                Next::Go
            }
        };
        out.flush()?;
        if next == Next::End {
            return Ok(Exit::Success);
        }
    }
}

/// Reads `--deck`.
fn deck(name: &str) -> Result<Deck, Exit> {
    if name == "classic" {
        return Ok(Deck::classic());
    }
    if let Ok(players) = name.parse() {
        return Deck::course(players).ok_or_else(|| Exit::usage(format!("--deck {name}: 2 to 10 can play")));
    }
    let text = read_file(Path::new(name), MOST_TEXT).map_err(|error| Exit::usage(format!("--deck {name}: {error}")))?;
    Deck::parse(&text).map_err(|error| Exit::usage(format!("--deck {name}: {error}")))
}

/// Reads a line: nothing at the end, a sentence if it is not text or too long.
fn line(input: &mut impl BufRead) -> Result<Option<Result<String, &'static str>>, Exit> {
    let mut bytes = Vec::new();
    let wrong = |error: io::Error| Exit::failure(format!("cannot read standard input: {error}"));
    let mut has_more = false;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(wrong(error)),
        };
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(chunk.len(), |end| end + 1);
        let is_over = chunk.is_empty();
        if bytes.len() + taken <= LONGEST_LINE {
            bytes.extend_from_slice(&chunk[..taken]);
        } else {
            has_more = true;
        }
        input.consume(taken);
        if is_over && bytes.is_empty() && !has_more {
            return Ok(None);
        }
        if is_over || end.is_some() {
            break;
        }
    }
    if has_more {
        return Ok(Some(Err("this line is too long: a line has at most 4096 bytes")));
    }
    Ok(Some(String::from_utf8(bytes).map_err(|_| "this line is not UTF-8 text")))
}
