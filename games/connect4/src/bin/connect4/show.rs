use std::fs::File;
use std::io::{Read as _, Write};
use std::path::PathBuf;

use amazons_program::Exit;
use clap::Args;
use connect4::record::{LineError, Reason, Record, Winner, printable};
use connect4::{Position, excerpt};

use crate::view::View;

#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// The record, or a file with just the moves
    record: PathBuf,
    /// Show the board after every move
    #[arg(long)]
    all: bool,
}

const MAX_BYTES: u64 = 1 << 24;

pub(crate) fn read(path: &PathBuf) -> Result<Record, Exit> {
    let file = excerpt(&path.display().to_string());
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|opened| opened.take(MAX_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|error| Exit::Usage(format!("cannot read {file}: {error}")))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Exit::Usage(format!("{file}: more than {} MiB: not a record", MAX_BYTES >> 20)));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + valid.iter().filter(|&&byte| byte == b'\n').count();
        Exit::Usage(format!("{file}: line {line}: not text (UTF-8): not a record"))
    })?;
    // Some editors begin a file with this mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Record::parse(text).or_else(|error| {
        // Without its end, the last line was cut short by whatever stopped its writer.
        let is_torn = matches!(error.error, LineError::Syntax(_)) && error.line == text.lines().count();
        let whole = text.rsplit_once('\n').filter(|(_, last)| is_torn && !last.is_empty());
        let record = whole.and_then(|(whole, _)| Record::parse(whole).ok());
        let record = record.ok_or_else(|| Exit::Usage(format!("{file}: {error}")))?;
        eprintln!("connect4: warning: {file}: line {} was cut short and is left out", error.line);
        Ok(record)
    })
}

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
