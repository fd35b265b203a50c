use std::fs;
use std::io::Write;
use std::path::PathBuf;

use amazons_program::Exit;
use clap::Args;
use connect4::Position;
use connect4::record::{LineError, Reason, Record, Winner, printable};

use crate::view::View;

#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// The record, or a file with just the moves
    record: PathBuf,
    /// Show the board after every move
    #[arg(long)]
    all: bool,
}

/// Reads a record.
pub(crate) fn read(path: &PathBuf) -> Result<Record, Exit> {
    let file = path.display();
    let text = fs::read_to_string(path).map_err(|error| Exit::Usage(format!("cannot read {file}: {error}")))?;
    Record::parse(&text).or_else(|error| {
        // Without its end, the last line was cut short by whatever stopped its writer.
        let is_torn = matches!(error.error, LineError::Syntax(_)) && error.line == text.lines().count();
        let whole = text.rsplit_once('\n').filter(|(_, last)| is_torn && !last.is_empty());
        let record = whole.and_then(|(whole, _)| Record::parse(whole).ok());
        let record = record.ok_or_else(|| Exit::Usage(format!("{file}: {error}")))?;
        eprintln!("connect4: warning: {file}: line {} was cut short and is left out", error.line);
        Ok(record)
    })
}

/// Prints a recorded game.
pub(crate) fn run(args: &ShowArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let (record, view) = (read(&args.record)?, View::of_stdout());
    let [one, two] = &record.head.players.each_ref().map(|name| printable(name));
    let (first, second) = if record.head.first == 1 { (one, two) } else { (two, one) };
    writeln!(out, "{first} (X) against {second} (O) on {}", record.size)?;
    if args.all {
        let mut moves = record.head.position.clone();
        for played in &record.moves {
            moves += &played.column;
            let position = Position::from_moves(record.size, &moves).map_err(Exit::failure)?;
            let score = played.score.map_or_else(String::new, |score| format!(" ({score:+.3})"));
            writeln!(out, "\n{}. {}{score}", moves.chars().count(), played.column)?;
            write!(out, "{}", view.board(&position, position.column(&played.column).ok()))?;
        }
        writeln!(out)?;
    } else {
        let (position, moves) = (record.position(), record.all_moves());
        let last = moves.chars().last().and_then(|name| position.column(&name.to_string()).ok());
        write!(out, "{}", view.board(&position, last))?;
    }
    writeln!(out, "{} {}", record.all_moves(), result(&record, first, second))?;
    Ok(Exit::Success)
}

fn result(record: &Record, first: &str, second: &str) -> String {
    match record.result {
        None => "(not finished)".to_owned(),
        Some(result) => match (result.winner, result.reason) {
            (Winner::First, Reason::Resigned) => format!("{second} (O) resigned, {first} (X) won"),
            (Winner::Second, Reason::Resigned) => format!("{first} (X) resigned, {second} (O) won"),
            (Winner::First, _) => format!("{first} (X) won"),
            (Winner::Second, _) => format!("{second} (O) won"),
            (Winner::None, Reason::Full) => "a draw".to_owned(),
            (Winner::None, _) => "(broken off)".to_owned(),
        },
    }
}
