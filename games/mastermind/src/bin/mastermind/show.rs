use std::io::Write;
use std::path::{Path, PathBuf};

use amazons_program::Exit;
use clap::Args;
use mastermind::record::{Line, Record};

use crate::board::{Pegs, worths};
use crate::{files, page};

#[derive(Args, Debug)]
pub(crate) struct ReplayArgs {
    /// A record that --record wrote
    file: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// A record that --record wrote
    file: PathBuf,
    /// Write a page with the game
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

fn read(path: &Path) -> Result<Record, Exit> {
    let record =
        Record::parse(&files::read(path)?).map_err(|error| Exit::Usage(format!("{}, {error}", path.display())))?;
    if !record.is_complete {
        eprintln!("mastermind: {}: the game has no end", path.display());
    }
    Ok(record)
}

/// Prints a game, and what each guess was worth.
pub(crate) fn show(args: &ShowArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let record = read(&args.file)?;
    page::check(args.html.as_deref(), record.history.game())?;
    print(&record, out)?;
    write!(out, "\n{}", worths(&record.history))?;
    page::write(args.html.as_deref(), &record.history, record.secret)?;
    Ok(Exit::Success)
}

fn print(record: &Record, out: &mut impl Write) -> Result<(), Exit> {
    let (game, pegs) = (record.history.game(), Pegs::detect());
    for line in &record.lines {
        match line {
            Line::Game { strategy, protocol, ranks, .. } => {
                let protocol = protocol.as_ref().map_or_else(String::new, |name| format!(", {name} on {ranks} ranks"));
                writeln!(out, "{game}, {strategy}{protocol}")?;
            }
            Line::Round { guess, answer, left, .. } => {
                let code = game.parse_guess(guess).map_err(Exit::failure)?;
                writeln!(out, "{}  {answer}  {left} left", pegs.code(game, code))?;
            }
            Line::End { secret, .. } => {
                writeln!(out, "secret {}", secret.as_deref().unwrap_or("unknown"))?;
            }
        }
    }
    Ok(())
}

/// Plays a game again in the order of its record, and checks that it could go like that.
pub(crate) fn replay(args: &ReplayArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let record = read(&args.file)?;
    mastermind::replay(&record).map_err(|error| Exit::Usage(format!("{}, {error}", args.file.display())))?;
    print(&record, out)?;
    writeln!(out, "the game can be played again like this")?;
    Ok(Exit::Success)
}
