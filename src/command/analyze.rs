use std::ffi::OsStr;
use std::fmt::Display;
use std::io::Write;
use std::path::Path;

use amazons_formats::{Game, POSITION_TEXT, REPLAY};
use amazons_rules::Position;
use anyhow::Context;

use crate::analysis::{Analyst, DEFAULT_LINES, Effort, OwnershipLine, PositionLine, ownership_text, position_text};
use crate::cli::AnalyzeArgs;
use crate::command::Exit;
use crate::command::games::{STANDARD, by_beginning, by_path, cut, load, parse};
use crate::command::replay::verified;
use crate::command::review::review;
use crate::game::{BoardArgs, ConfigError, starting_position};
use crate::record::{RECORD_FORMAT, Record, begins_with_event};

/// The subject of an analysis.
enum Subject {
    Position(Position),
    Record(Box<Record>),
}

/// Analyses a position or a game.
pub(super) fn run(args: &AnalyzeArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    let subject = subject(args)?;
    let effort = Effort::new(args.time.map(|time| time.0), args.nodes, args.depth, args.threads);
    match subject {
        Subject::Position(_) if args.annotate.is_some() => {
            return Err(
                Exit::usage("--annotate: this is a position, and only the moves of a game are annotated").into()
            );
        }
        Subject::Position(position) => {
            let too_large = |error| Exit::usage(format_args!("cannot analyze this position: {error}"));
            let analyst = Analyst::new(position.board(), effort).map_err(too_large)?;
            let judgement = analyst.judge(&position, args.multipv.unwrap_or(DEFAULT_LINES) as usize);
            let text = if args.json {
                let mut line = PositionLine::new(&position, &judgement);
                line.evaluation.ownership = args.ownership.then(|| OwnershipLine::new(&position));
                serde_json::to_string(&line)? + "\n"
            } else {
                let owned = if args.ownership { ownership_text(&position) } else { String::new() };
                position_text(&position, &judgement) + &owned
            };
            out.write_all(text.as_bytes()).context("cannot write the analysis")?;
        }
        Subject::Record(record) => review(args, *record, effort, args.multipv.unwrap_or(DEFAULT_LINES), out)?,
    }
    Ok(Exit::Success)
}

/// Reads what was named: nothing, a text, a file, standard input.
fn subject(args: &AnalyzeArgs) -> Result<Subject, Exit> {
    let Some(named) = &args.subject else {
        return starting_position(&args.board).map(Subject::Position).map_err(Exit::usage);
    };
    let path = Path::new(named);
    if named == STANDARD || path.exists() {
        return read(args, path);
    }
    position(args, &"--position", named).map_err(|exit| match exit {
        // A position has blanks, before the side to move at least.
        Exit::Usage(_) if !named.as_encoded_bytes().contains(&b' ') => Exit::usage(format_args!(
            "there is no file '{}', and a position text names the side to move",
            path.display()
        )),
        other => other,
    })
}

/// Reads a game in any format that tells itself by how it begins or by its file's name, or else a position.
fn read(args: &AnalyzeArgs, path: &Path) -> Result<Subject, Exit> {
    let (name, bytes) = load(path)?;
    let begins = by_beginning(&bytes);
    let by_name = by_path(path).filter(|_| path.as_os_str() != STANDARD && begins.name == POSITION_TEXT.name);
    let format = by_name.unwrap_or(begins);
    if format.name == POSITION_TEXT.name {
        // Bytes that are no text are an error of the position.
        return position(args, &name, OsStr::new(&*String::from_utf8_lossy(&bytes)));
    }
    let is_record = format.name == RECORD_FORMAT.name && begins_with_event(&bytes);
    let format = if format.name == RECORD_FORMAT.name { REPLAY } else { format };
    let given = [
        ("--ownership", args.ownership && args.ply.is_none(), "name a position of it with --ply"),
        ("-m", args.board.size.is_some(), "it names its own board"),
        ("-t", args.board.shape.is_some(), "it names its own board"),
    ];
    if let Some((option, _, reason)) = given.into_iter().find(|(_, is_given, _)| *is_given) {
        let what = if is_record { "record" } else { "game" };
        return Err(Exit::usage(format_args!("{option} cannot be used with a {what}: {reason}")));
    }
    let record = if is_record {
        verified(&name, &bytes[..], args.game)?
    } else {
        Record::from(&parse(&name, &bytes, format, args.game)?)
    };
    if args.ply.is_none() {
        return Ok(Subject::Record(Box::new(record)));
    }
    let game = Game::try_from(&record).map_err(|error| Exit::usage(format_args!("{name}: {error}")))?;
    cut(game, &name, args.ply).map(|game| Subject::Position(game.position().clone()))
}

/// Reads a position text onto the board that the options name, if they do.
fn position(args: &AnalyzeArgs, name: &impl Display, text: &OsStr) -> Result<Subject, Exit> {
    if args.ply.is_some() || args.game.is_some() {
        let option = if args.ply.is_some() { "--ply counts the moves" } else { "--game is the number" };
        return Err(Exit::usage(format_args!("{option} of a game, and this is a position")));
    }
    let text = Some(text.to_string_lossy().into_owned());
    match starting_position(&BoardArgs { position: text, ..args.board.clone() }) {
        Ok(position) => Ok(Subject::Position(position)),
        Err(ConfigError::Position(error)) => Err(Exit::usage(format_args!("{name}: {error}"))),
        Err(error) => Err(Exit::usage(error)),
    }
}
