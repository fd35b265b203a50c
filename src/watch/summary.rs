use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::time::Duration;

use amazons_program::files::MARK;
use amazons_program::journal::reason_of;
use amazons_rules::{Color, Shape};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use ts_rs::TS;

use super::folder::Stamp;
use super::redact::file_name;
use crate::host::Tail;
use crate::record::{FORMAT, ReadError};
use crate::referee::{BoardEvent, LimitsEvent, PlayerEvent, PlayerNumber, Termination};
use crate::text::{printable, visible};

/// How much of a file's start and end to read first: enough for games on all but the largest boards.
const BLOCK: usize = 4 << 10;

/// Events are never longer.
const LINE_MAX: usize = 16 << 20;

/// The first bytes of a game.
pub(super) const START: &[u8] = b"{\"event\":\"start\"";

/// How much of a file to search for another start.
const SEARCHED: u64 = 1 << 20;

/// How long a record may be unchanged, in addition to the time of a move, before its game counts as cut off.
const PATIENCE: Duration = Duration::from_secs(60);

/// The longest time for which an unfinished, unchanged record counts as a running game.
const PATIENCE_MAX: Duration = Duration::from_secs(24 * 3600);

/// Maximum number of squares of a board whose last position is kept for a small drawing.
const DRAWN_MAX: u32 = 26 * 26;

/// Why a game has no summary.
#[derive(Debug, Error)]
pub(crate) enum SummaryError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Record(#[from] ReadError),
    #[error("{place}: {}", reason(error))]
    Json { place: &'static str, error: serde_json::Error },
    #[error("line 1: the start has no board or no players")]
    Incomplete,
    #[error("the game has not begun")]
    NotBegun,
}

/// A game in lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub(crate) struct Summary {
    pub(crate) black: String,
    pub(crate) white: String,
    /// The board in words.
    pub(crate) board: String,
    pub(crate) columns: u32,
    pub(crate) rows: u32,
    /// The number of moves; unknown while a fault is the last event.
    pub(crate) moves: Option<u32>,
    /// The ending; null while the game is running or if unknown.
    pub(crate) ending: Option<&'static str>,
    /// `black`, `white`, or null.
    pub(crate) winner: Option<String>,
    /// The last position of a game that is over, and the holes of the board, unless it is large.
    pub(crate) position: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) holes: Vec<u32>,
    /// Whether the record has an end.
    #[serde(skip)]
    pub(super) is_over: bool,
    /// How long it may be unchanged while the game is running.
    #[serde(skip)]
    pub(super) patience: Duration,
    /// Whether both players have names.
    #[serde(skip)]
    are_named: bool,
    /// The logs of players 1 and 2.
    #[serde(skip)]
    pub(super) logs: [Option<String>; 2],
}

#[derive(Deserialize)]
struct Start<'a> {
    event: &'a str,
    #[serde(default)]
    format: u32,
    board: Option<BoardEvent>,
    players: Option<[PlayerEvent; 2]>,
    limits: Option<LimitsEvent>,
}

#[derive(Deserialize)]
struct Last<'a> {
    event: &'a str,
    ply: Option<u32>,
    moves: Option<u32>,
    winner: Option<PlayerNumber>,
    termination: Option<Termination>,
    position: Option<String>,
}

impl Summary {
    /// Summarizes a record from its first and last line, or returns the error in it.
    pub(super) fn new(first: &[u8], last: &[u8]) -> Result<Self, SummaryError> {
        let start: Start<'_> = parse("line 1", first)?;
        if start.event != "start" {
            return Err(ReadError::Order { line: 1, expected: "a start event" }.into());
        }
        if start.format != FORMAT {
            return Err(ReadError::Format(start.format).into());
        }
        let (Some(board), Some(players)) = (start.board, start.players) else {
            return Err(SummaryError::Incomplete);
        };
        let last: Last<'_> = parse("last line", last)?;
        let is_over = last.event == "end";
        let name = |color| players.iter().find(|player| player.color == color).map_or_else(String::new, called);
        let winner = last.winner.filter(|_| is_over).and_then(|player| players.get(usize::from(player.number()) - 1));
        let ending = last.termination.filter(|_| is_over);
        let patience = |player: &PlayerEvent| patience(player.limits.as_ref().or(start.limits.as_ref()));
        let is_drawn = board.columns.saturating_mul(board.rows) <= DRAWN_MAX;
        let shape = board.shape.and_then(|code| Shape::ALL.into_iter().find(|shape| shape.code() == code));
        Ok(Self {
            black: name(Color::Black),
            white: name(Color::White),
            board: format!("{} {} x {}", shape.map_or("rectangle", Shape::name), board.columns, board.rows),
            columns: board.columns,
            rows: board.rows,
            moves: match last.event {
                "start" => Some(0),
                "move" => last.ply,
                "end" => last.moves,
                _ => None,
            },
            ending: ending.map(Termination::name),
            position: last.position.filter(|_| is_over && is_drawn),
            holes: if is_drawn { board.holes } else { Vec::new() },
            winner: winner.map(|player| player.color.to_string()),
            is_over,
            are_named: players.iter().all(|player| player.name.is_some()),
            patience: players.iter().map(patience).max().unwrap_or_default(),
            logs: players.map(|player| player.log),
        })
    }

    /// Summarizes the last game of a whole record.
    pub(crate) fn of(text: &[u8]) -> Result<Self, SummaryError> {
        let lines: Vec<&[u8]> = text.trim_ascii_end().split(|&byte| byte == b'\n').collect();
        let start = lines.iter().rev().find(|line| line.starts_with(START)).or(lines.first());
        Self::new(start.copied().unwrap_or_default(), lines.last().copied().unwrap_or_default())
    }

    /// Reads the first and the last whole line of a file.
    ///
    /// A void game may have ended before its players had names, and another may follow it.
    pub(super) fn read(file: &File, stamp: Stamp) -> Result<Self, SummaryError> {
        let (first, last) = (first_line(file)?, last_line(file, stamp)?);
        let summary = Self::new(&first, &last)?;
        if summary.are_named {
            return Ok(summary);
        }
        match later_start(file, stamp)? {
            Some(start) => Self::new(&start, &last),
            None => Ok(summary),
        }
    }
}

fn parse<'a, T: Deserialize<'a>>(place: &'static str, line: &'a [u8]) -> Result<T, SummaryError> {
    let json = line.strip_prefix(MARK).unwrap_or(line);
    serde_json::from_slice(json).map_err(|error| SummaryError::Json { place, error })
}

fn reason(error: &serde_json::Error) -> String {
    visible(&reason_of(error))
}

/// Returns a player's name, or else its file.
fn called(player: &PlayerEvent) -> String {
    let file = || player.file.as_deref().map(file_name);
    printable(player.known_as().or_else(file).unwrap_or_default().as_bytes())
}

fn patience(limits: Option<&LimitsEvent>) -> Duration {
    let Some(limits) = limits else { return PATIENCE };
    let thinking = limits.game_ms.unwrap_or(limits.move_ms).saturating_add(limits.initialize_ms);
    // A move may take three times its limit on the wall clock.
    let longest = Duration::from_millis(thinking.saturating_mul(3)).saturating_add(PATIENCE);
    longest.min(PATIENCE_MAX)
}

/// Reads the first line, without its end.
fn first_line(file: &File) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    BufReader::with_capacity(BLOCK, file).take(LINE_MAX as u64).read_until(b'\n', &mut line)?;
    let reason = match line.last() {
        Some(b'\n') => {
            line.pop();
            return Ok(line);
        }
        None => "it is empty",
        Some(_) if line.len() == LINE_MAX => "line 1 is longer than any event",
        Some(_) => "line 1 is incomplete",
    };
    Err(io::Error::other(reason))
}

/// Reads the start of the last game after the first, if any, in the searched part.
fn later_start(file: &File, stamp: Stamp) -> io::Result<Option<Vec<u8>>> {
    let text = Tail::read(file, stamp.size.min(SEARCHED), SEARCHED)?.bytes;
    let whole = text.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
    let lines = text.get(..whole).unwrap_or_default().split(|&byte| byte == b'\n').skip(1);
    Ok(lines.filter(|line| line.starts_with(START)).last().map(<[u8]>::to_vec))
}

/// Reads the last complete, non-blank line, without its end.
fn last_line(file: &File, stamp: Stamp) -> io::Result<Vec<u8>> {
    let mut block = BLOCK as u64;
    loop {
        let Tail { bytes: mut text, is_cut } = Tail::read(file, stamp.size, block)?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        text.truncate(whole);
        let line = text.trim_ascii_end();
        match line.iter().rposition(|&byte| byte == b'\n') {
            Some(before) => return Ok(line.get(before + 1..).unwrap_or_default().to_vec()),
            None if !is_cut => return Ok(line.to_vec()),
            None if block >= LINE_MAX as u64 => return Err(io::Error::other("the last line is longer than any event")),
            None => block = (16 * block).min(LINE_MAX as u64),
        }
    }
}
