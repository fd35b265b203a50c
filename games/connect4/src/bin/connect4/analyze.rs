use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use amazons_look::LOOK_CSS;
use amazons_pages::PAGE_JS;
use amazons_program::{Exit, Interrupt};
use clap::Args;
use connect4::analysis::{Analysis, Judged, Verdict};
use connect4::record::{Head, Record};
use connect4::{ColumnScores, Ending, Position, Side, Size, excerpt, letter};
use serde_json::{Value, json};

use crate::progress;
use crate::recorder::are_same;
use crate::show;
use crate::solve::SolverArgs;
use crate::view::ending_word;

const PAGE: &str = include_str!("../../../assets/analysis.html");
const STYLE: &str = include_str!("../../../assets/connect4.css");
const BOARD: &str = include_str!("../../../assets/board.js");
const SCRIPT: &str = include_str!("../../../assets/analysis.js");

#[derive(Args, Debug)]
pub(crate) struct AnalyzeArgs {
    /// A record, or the moves of a game
    #[arg(value_name = "RECORD|MOVES")]
    game: String,
    /// Columns and rows, if moves are given
    #[arg(long, value_name = "WIDTHxHEIGHT")]
    size: Option<Size>,
    /// Judge the moves from this number on; the first ones of a game take the longest
    #[arg(long, value_name = "MOVE", allow_negative_numbers = true, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    from: u16,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write a page for browsers
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    solver: SolverArgs,
}

pub(crate) fn run(args: &AnalyzeArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let record = read(args)?;
    if let Some(path) = args.html.as_ref().filter(|path| are_same(path, Path::new(&args.game))) {
        return Err(Exit::Usage(format!("--html {}: that is the record: name another file", path.display())));
    }
    let interrupt = Interrupt::catch().map_err(|error| Exit::Failure(format!("cannot catch Ctrl-C: {error}")))?;
    let mut solver = args.solver.solver(record.size)?;
    let (number, from) = (record.all_moves().chars().count(), usize::from(args.from) - 1);
    if from >= number {
        return Err(Exit::Usage(format!("--from {}: the game has {number} moves", args.from)));
    }
    args.html.as_deref().map_or(Ok(()), check_writable)?;
    let is_stopped = || interrupt.is_set();
    let judged = number - from;
    let bar = progress::bar(judged as u64, "moves");
    let done = |left| bar.set_position((judged - left) as u64);
    let analysis = Analysis::new(&record, from, &mut solver, &is_stopped, done);
    bar.finish_and_clear();
    let analysis = analysis.ok_or(Exit::Stopped)?;
    let value = report(&analysis, record.head.names());
    if let Some(path) = &args.html {
        write_page(path, &value)?;
    }
    if args.json {
        writeln!(out, "{value}")?;
    } else {
        write_table(&analysis, out)?;
    }
    Ok(Exit::Success)
}

/// Reads the game: a file if there is one of that name, else moves.
fn read(args: &AnalyzeArgs) -> Result<Record, Exit> {
    let path = Path::new(&args.game);
    if path.is_file() {
        let record = show::read(&path.to_owned())?;
        return match args.size {
            Some(size) if size != record.size => {
                Err(Exit::Usage(format!("--size {size}: {} is a game on {}", args.game, record.size)))
            }
            _ => Ok(record),
        };
    }
    let size = args.size.unwrap_or_default();
    let is_moves = !args.game.is_empty() && args.game.chars().all(|name| name.is_ascii_alphanumeric());
    if !is_moves {
        return Err(Exit::Usage(format!("{:?} is neither a file nor moves such as 4453", excerpt(&args.game))));
    }
    Position::from_moves(size, &args.game)
        .map_err(|error| Exit::Usage(format!("{:?}: no such file, and as moves: {error}", excerpt(&args.game))))?;
    let players = ["first player", "second player"].map(str::to_owned);
    Record::new(Head::new(&args.game, size, players, 1, 0)).map_err(Exit::failure)
}

fn write_table(analysis: &Analysis, out: &mut impl Write) -> Result<(), Exit> {
    let size = analysis.last.size();
    let name = |column| size.column_name(column);
    let columns: String = (0..size.width()).map(|column| format!("{:>4}", name(column))).collect();
    writeln!(out, "move side column  score  best        gave away  {columns}")?;
    for (number, side, judged) in analysis.moves() {
        let best: String = judged.scores.best().into_iter().map(name).collect();
        let score = |score: &Option<i32>| format!("{:>4}", score.map_or_else(|| "x".to_owned(), signed));
        let all: String = judged.scores.0.iter().map(score).collect();
        let gave = Some(judged.gave_away()).filter(|&it| it != 0).map_or_else(String::new, |it| it.to_string());
        let word = match judged.verdict() {
            Verdict::Best => String::new(),
            verdict => format!("  {}", verdict.words().join(" ")),
        };
        let (letter, column, score, best_score) =
            (letter(side), name(judged.column), judged.score(), judged.best_score());
        let (score, best) = (signed(score), format!("{best} {}", signed(best_score)));
        writeln!(out, "{number:>4}    {letter}      {column}  {score:>5}  {best:<10}  {gave:>9}  {all}{word}")?;
    }
    let result = match analysis.last.ending() {
        Some(Ending::Win(Side::First)) => "X wins",
        Some(Ending::Win(Side::Second)) => "O wins",
        Some(Ending::Draw) => "a draw",
        None => "not finished",
    };
    let count = |wanted| analysis.judged.iter().filter(|judged| judged.verdict() == wanted).count();
    let (blunders, mistakes) = (count(Verdict::Blunder), count(Verdict::Mistake));
    writeln!(out, "{result}; blunders: {blunders}, mistakes: {mistakes}")?;
    Ok(())
}

/// Returns a score with its sign; a draw has none.
fn signed(score: i32) -> String {
    if score == 0 { "0".to_owned() } else { format!("{score:+}") }
}

/// Returns the analysis as JSON; columns count from 0, sides are 0 and 1.
fn report(analysis: &Analysis, players: [&str; 2]) -> Value {
    let moves = analysis.moves().map(|(number, side, judged)| {
        let (Judged { column, scores }, [mark, word]) = (judged, judged.verdict().words());
        json!({
            "number": number,
            "side": u8::from(side == Side::Second),
            "column": column,
            "score": judged.score(),
            "best": ColumnScores::best(scores),
            "best_score": judged.best_score(),
            "gave_away": judged.gave_away(),
            "verdict": word,
            "mark": mark,
            "scores": scores,
        })
    });
    json!({
        "width": analysis.last.size().width(),
        "height": analysis.last.size().height(),
        "players": players,
        "columns": analysis.columns,
        "moves": moves.collect::<Vec<_>>(),
        "ending": analysis.last.ending().map(ending_word),
        "fours": analysis.last.fours(),
    })
}

/// Fails before the long work if the page cannot be written; leaves a file of that name as it is.
fn check_writable(path: &Path) -> Result<(), Exit> {
    let is_new = !path.exists();
    let opened = File::options().write(true).create(true).truncate(false).open(path);
    opened.map_err(|error| Exit::unwritable(path, &error))?;
    if is_new {
        // It is made again at the end.
        let _ = fs::remove_file(path);
    }
    Ok(())
}

/// Writes one page that needs nothing else.
fn write_page(path: &Path, value: &Value) -> Result<(), Exit> {
    // The end of a script element cannot stand in it.
    let game = value.to_string().replace('<', "\\u003c");
    let script = format!("{PAGE_JS}{BOARD}{SCRIPT}");
    let page =
        PAGE.replace("STYLE", &format!("{LOOK_CSS}{STYLE}")).replace("SCRIPT", &script).replacen("GAME", &game, 1);
    fs::write(path, page).map_err(|error| Exit::unwritable(path, &error))
}
