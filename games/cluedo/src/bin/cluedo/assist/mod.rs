//! `cluedo assist`: a helper at a real table, at the terminal or in a browser.

mod session;
mod web;

use std::fs::File;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::{process, thread};

use amazons_program::files::read_file;
use amazons_program::{Exit, Interrupt, TYPED_MAX, Typed, read_line};
use clap::Args;
use cluedo::card_names::CardNames;

use crate::input_file::MAX_TEXT_LEN;
use crate::web::PageArgs;
use session::{Session, Unsaved};

#[derive(Debug, Args)]
pub(crate) struct AssistArgs {
    /// The cards: classic, a number of players for those of the course, or a file with a line for each type, as
    /// "room: Hall, Study, Lounge"
    #[arg(long, value_name = "classic|N|FILE", default_value = "classic")]
    deck: String,
    /// Type on a page in a browser instead of here
    #[arg(long)]
    web: bool,
    #[command(flatten)]
    page: PageArgs,
}

pub(crate) fn run(args: &AssistArgs, input: impl BufRead, out: &mut impl Write) -> Result<Exit, Exit> {
    let deck = deck(&args.deck)?;
    let mut session = Session::new(deck, args.deck.clone());
    keep_when_stopped(&session.unsaved, &args.deck)?;
    if args.web {
        let address = args.page.address()?;
        let (_server, url) = web::serve(session, address)?;
        args.page.announce(out, "the helper is at", url)?;
        // Until a signal ends the program.
        loop {
            thread::park();
        }
    }
    let ended = converse(&mut session, input, out);
    keep(&session.unsaved, &args.deck);
    ended
}

fn converse(session: &mut Session, mut input: impl BufRead, out: &mut impl Write) -> Result<Exit, Exit> {
    let is_person = io::stdin().is_terminal();
    if is_person {
        writeln!(out, "{}", session::WELCOME)?;
    }
    loop {
        if is_person {
            write!(out, "> ")?;
            out.flush()?;
        }
        let answer = match read_line(&mut input) {
            Typed::Line(line) => session.line(&line),
            Typed::TooLong => Some(format!("this line is too long: a line has at most {TYPED_MAX} bytes")),
            Typed::NotText => Some("this line is not UTF-8 text".to_owned()),
            Typed::End => None,
            Typed::Failed(error) => return Err(Exit::failure(format!("cannot read standard input: {error}"))),
        };
        match answer {
            None => return Ok(Exit::Success),
            Some(text) if text.is_empty() => {}
            Some(text) => writeln!(out, "{text}")?,
        }
        out.flush()?;
    }
}

/// Ends the program on Ctrl-C and other signals, after it has kept the notes.
fn keep_when_stopped(unsaved: &Unsaved, deck: &str) -> Result<(), Exit> {
    let interrupts = Interrupt::catch_all().map_err(|error| Exit::failure(format!("cannot catch Ctrl-C: {error}")))?;
    let (unsaved, deck) = (Arc::clone(unsaved), deck.to_owned());
    thread::spawn(move || {
        interrupts.wait();
        keep(&unsaved, &deck);
        process::exit(Exit::Stopped.status().into());
    });
    Ok(())
}

/// Maximum number of files in the folder of unsaved notes.
const KEPT_MAX: usize = 10_000;

/// Writes notes that were not saved to a file of their own, and says how to go on.
fn keep(unsaved: &Unsaved, deck: &str) {
    // Locked to the end: a signal waits until the file is whole.
    let mut unsaved = unsaved.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(text) = unsaved.take() else { return };
    let deck = if deck == "classic" { String::new() } else { format!(" --deck {deck}") };
    for number in 1..KEPT_MAX {
        let name = if number == 1 { "cluedo-game.txt".to_owned() } else { format!("cluedo-game-{number}.txt") };
        match File::create_new(&name).and_then(|mut file| file.write_all(text.as_bytes())) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Ok(()) => {
                eprintln!("cluedo: the game is in {name}: go on with cluedo assist{deck}, then open {name}");
                return;
            }
            Err(_) => break,
        }
    }
    eprintln!("cluedo: the game cannot be kept here: go on with cluedo assist{deck}, then these lines:\n{text}");
}

fn deck(name: &str) -> Result<CardNames, Exit> {
    if name == "classic" {
        return Ok(CardNames::classic().clone());
    }
    if let Ok(players) = name.parse() {
        return CardNames::course(players).ok_or_else(|| Exit::usage(format!("--deck {name}: 2 to 10 can play")));
    }
    let text =
        read_file(Path::new(name), MAX_TEXT_LEN).map_err(|error| Exit::usage(format!("--deck {name}: {error}")))?;
    CardNames::parse(&text).map_err(|error| Exit::usage(format!("--deck {name}: {error}")))
}
