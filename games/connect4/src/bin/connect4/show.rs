use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use amazons_program::Exit;
use amazons_program::files::read_bytes;
use clap::Args;
use connect4::record::{Reason, Record, Winner, printable};
use connect4::{Position, excerpt};
use serde::de::IgnoredAny;

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
    let bytes = File::open(path).and_then(|opened| read_bytes(opened, MAX_BYTES));
    let bytes = bytes.map_err(|error| Exit::Usage(format!("cannot read {file}: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + valid.iter().filter(|&&byte| byte == b'\n').count();
        Exit::Usage(format!("{file}: line {line}: not text (UTF-8): not a record"))
    })?;
    // Without its end, the last line was cut short by whatever stopped its writer.
    let is_torn = |line: &str| line.starts_with('{') && serde_json::from_str::<IgnoredAny>(line).is_err();
    let whole = text.rsplit_once('\n').filter(|(_, last)| is_torn(last)).map(|(whole, _)| whole);
    let record = Record::parse(whole.unwrap_or(&text)).map_err(|error| Exit::Usage(format!("{file}: {error}")))?;
    if whole.is_some() {
        eprintln!("connect4: warning: {file}: line {} was cut short and is left out", text.lines().count());
    }
    Ok(record)
}

pub(crate) fn run(args: &ShowArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let (record, view) = (read(&args.record)?, View::of_stdout());
    let [first, second] = &record.head.names().map(printable);
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
        write!(out, "{}", view.board(&record.position(), record.last()))?;
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
