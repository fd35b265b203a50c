use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, Write};
use std::num::NonZeroU32;
use std::path::Path;
use std::time::Duration;

use amazons_formats::{Game, POSITION_TEXT, REPLAY};
use amazons_rules::{Color, Move, Position};
use anyhow::Context;
use serde::Serialize;

use crate::analysis::{AnalysisLine, Analyst, Effort, annotate, ply_text, position_text, summary_text};
use crate::cli::AnalyzeArgs;
use crate::command::Exit;
use crate::command::games::{STANDARD, by_beginning, by_path, cut, load, parse};
use crate::command::replay::verified;
use crate::game::{BoardArgs, ConfigError, starting_position};
use crate::record::{RECORD_FORMAT, Record, Step, begins_with_event};
use crate::referee::{Event, Observer, PlayerNumber};
use crate::terminal::Narrator;
use crate::text::visible;

/// The time for a position, and for each position of a record, where nothing else was asked for.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
const DEFAULT_LINES: u32 = 3;

/// The subject of an analysis.
enum Subject {
    Position(Position),
    Record(Box<Record>),
}

/// Analyses a position or a game.
pub(super) fn run(args: &AnalyzeArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    let subject = subject(args)?;
    let effort = Effort {
        time: args.time.map(|time| time.0).or(args.nodes.is_none().then_some(DEFAULT_TIME)),
        nodes: args.nodes,
        threads: args.threads.unwrap_or(NonZeroU32::MIN),
    };
    match subject {
        Subject::Position(position) => {
            let too_large = |error| Exit::usage(format_args!("cannot analyze this position: {error}"));
            let mut analyst = Analyst::new(position.board(), effort).map_err(too_large)?;
            let judgement = analyst.judge(&position, args.multipv.unwrap_or(DEFAULT_LINES) as usize);
            let text = if args.json {
                json(&AnalysisLine::position(&position, &judgement))?
            } else {
                position_text(&position, &judgement)
            };
            out.write_all(text.as_bytes()).context("cannot write the analysis")?;
        }
        Subject::Record(record) => {
            let start = record.starting_position().context("a record that was verified")?;
            let too_large = |error| Exit::usage(format_args!("cannot analyze this game: {error}"));
            let mut analyst = Analyst::new(start.board(), effort).map_err(too_large)?;
            if args.json {
                review_as_json(&record, &start, &mut analyst, out)?;
            } else {
                review(&record, &start, &mut analyst, out)?;
            }
        }
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
    let only_best = args.multipv.is_some() && args.ply.is_none();
    let given = [
        ("-m", args.board.size.is_some(), "it names its own board"),
        ("-t", args.board.shape.is_some(), "it names its own board"),
        ("--multipv", only_best, "only the best move is told of each position"),
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

fn json(line: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string(line)? + "\n")
}

fn moves(record: &Record) -> Vec<Move> {
    let played = |step: &Step| match step {
        Step::Move(mv) => Some(mv.played()),
        Step::Fault(_) => None,
    };
    record.steps.iter().filter_map(played).collect()
}

/// Reviews a game move by move; each line is written as soon as it is known, so that nothing is lost with an interrupt.
fn review(record: &Record, start: &Position, analyst: &mut Analyst, out: &mut impl Write) -> anyhow::Result<()> {
    let name = |player: PlayerNumber| {
        let name = record.start.players[player].name.as_deref().unwrap_or("nameless");
        format!("{player} ({})", visible(name))
    };
    let players = Color::ALL.map(|color| name(record.start.player_of(color)));
    let cannot = "cannot write the analysis";
    writeln!(
        out,
        "of each move: its player's chances before it; the engine's move if it is another; what was lost, in points"
    )
    .context(cannot)?;
    let review = annotate(analyst, start, &moves(record), |annotation, position| {
        writeln!(out, "{}", ply_text(annotation, position))?;
        out.flush()
    })
    .context(cannot)?;
    out.write_all(summary_text(&review, &players).as_bytes()).context(cannot)?;
    result(record, start, &review.position, out).context(cannot)
}

/// Writes how the game ended, by rules or by a fault.
fn result(record: &Record, start: &Position, last: &Position, out: &mut impl Write) -> io::Result<()> {
    let mut narrator = Narrator::quiet(out);
    narrator.observe(&Event::Start(Box::new(record.start.clone())), start)?;
    ending(record).try_for_each(|event| narrator.observe(&event, last))
}

/// The events of a record that are no moves, its start left out.
fn ending(record: &Record) -> impl Iterator<Item = Event> + '_ {
    let faults = record.steps.iter().filter(|step| matches!(step, Step::Fault(_)));
    faults.cloned().map(Event::from).chain([Event::End(record.end.clone())])
}

fn review_as_json(
    record: &Record,
    start: &Position,
    analyst: &mut Analyst,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let cannot = "cannot write the analysis";
    let review = annotate(analyst, start, &moves(record), |annotation, position| {
        let player = record.start.player_of(annotation.color);
        out.write_all(json(&AnalysisLine::ply(annotation, player, position))?.as_bytes()).context(cannot)?;
        out.flush().context(cannot)
    })?;
    for event in ending(record) {
        out.write_all(json(&event)?.as_bytes()).context(cannot)?;
    }
    out.write_all(
        json(&AnalysisLine::summary(&review, Color::ALL.map(|color| record.start.player_of(color))))?.as_bytes(),
    )
    .context(cannot)
}
