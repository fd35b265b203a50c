use std::sync::Arc;
use std::time::Duration;

use amazons_rules::{Board, BoardError, Position, Shape, TextError};
use thiserror::Error;

use super::Dialect;

/// Maximum time: a week, as on the command line.
const TIME_MAX: Duration = Duration::from_secs(7 * 24 * 3600);

/// A line from the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Identify yourself in a dialect; the version is the newest that the client supports, 0 in UCI.
    Hello(Dialect, u32),
    /// Change an option.
    SetOption {
        /// Its name.
        name: String,
        /// Its value; empty for a button.
        value: String,
    },
    /// Answer once everything before is done.
    IsReady,
    /// Forget the previous game.
    NewGame,
    /// Set the position; `None` is the engine's initial one.
    Position {
        /// The start of the game, if given.
        start: Option<Position>,
        /// The moves since then, as typed.
        moves: Vec<String>,
    },
    /// Move.
    Go(Go),
    /// Answer the last `go` soon.
    Stop,
    /// Quit.
    Quit,
    /// Anything that needs no answer.
    Nothing,
}

/// The time for a move; every field is optional.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// For this move.
    pub movetime: Option<Duration>,
    /// The time left for White and for Black.
    pub left: [Option<Duration>; 2],
    /// The increment of White and of Black per move.
    pub increment: [Option<Duration>; 2],
}

/// A line that cannot be executed; the message goes to its sender.
#[derive(Debug, Error)]
pub enum CommandError {
    /// The first word is unknown.
    #[error("unknown command '{0}'")]
    Unknown(String),
    /// A word is missing.
    #[error("{command}: expected {expected}")]
    Missing {
        /// The command.
        command: &'static str,
        /// The missing word.
        expected: &'static str,
    },
    /// A word is wrong.
    #[error("{command}: expected {expected}, found '{found}'")]
    Unexpected {
        /// The command.
        command: &'static str,
        /// The expected word.
        expected: &'static str,
        /// The actual word.
        found: String,
    },
    /// There is no such board.
    #[error("position: {0}")]
    Board(#[from] BoardError),
    /// The text is not a position.
    #[error("position fen: {0}")]
    Position(#[from] TextError),
    /// A move cannot be read.
    #[error("position: move {number} '{text}': {error}")]
    Move {
        /// Its number, from 1.
        number: usize,
        /// Its text.
        text: String,
        /// The error.
        error: TextError,
    },
    /// A move is not legal.
    #[error("position: move {number} '{text}': {reason}")]
    Illegal {
        /// Its number, from 1.
        number: usize,
        /// Its text.
        text: String,
        /// The reason.
        reason: String,
    },
}

impl Command {
    /// Reads a line; blank lines and UCI words that require nothing become [`Command::Nothing`].
    ///
    /// # Errors
    /// When the line cannot be read.
    pub fn parse(line: &str) -> Result<Self, CommandError> {
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { return Ok(Self::Nothing) };
        let rest: Vec<&str> = words.collect();
        match first {
            "aep" => hello(&rest),
            "uci" => Ok(Self::Hello(Dialect::Uci, 0)),
            "setoption" => set_option(&rest),
            "isready" => Ok(Self::IsReady),
            "newgame" | "ucinewgame" => Ok(Self::NewGame),
            "position" => position(&rest),
            "go" => Go::parse(&rest).map(Self::Go),
            "stop" => Ok(Self::Stop),
            "quit" => Ok(Self::Quit),
            "debug" | "ponderhit" | "register" => Ok(Self::Nothing),
            other => Err(CommandError::Unknown(shorten(other))),
        }
    }

    /// Plays the moves of a position from its start.
    ///
    /// # Errors
    /// When a move cannot be played.
    pub fn played(mut position: Position, moves: &[String]) -> Result<Position, CommandError> {
        for (number, text) in (1..).zip(moves) {
            let mv =
                position.parse_move(text).map_err(|error| CommandError::Move { number, text: shorten(text), error })?;
            if let Err(reason) = position.try_play(mv) {
                let reason = reason.describe(position.board());
                return Err(CommandError::Illegal { number, text: shorten(text), reason });
            }
        }
        Ok(position)
    }
}

fn hello(rest: &[&str]) -> Result<Command, CommandError> {
    const EXPECTED: &str = "the newest version that you support, from 1";
    let &[word] = rest else { return Err(CommandError::Missing { command: "aep", expected: EXPECTED }) };
    match word.parse() {
        Ok(version) if version > 0 => Ok(Command::Hello(Dialect::Aep, version)),
        _ => Err(unexpected("aep", EXPECTED, word)),
    }
}

fn set_option(rest: &[&str]) -> Result<Command, CommandError> {
    let missing = CommandError::Missing { command: "setoption", expected: "name NAME value VALUE" };
    let Some((&"name", rest)) = rest.split_first() else { return Err(missing) };
    let at = rest.iter().position(|&word| word == "value");
    let (name, value) = rest.split_at(at.unwrap_or(rest.len()));
    if name.is_empty() {
        return Err(missing);
    }
    let value = value.get(1..).unwrap_or_default();
    Ok(Command::SetOption { name: name.join(" "), value: value.join(" ") })
}

fn position(rest: &[&str]) -> Result<Command, CommandError> {
    let at = rest.iter().position(|&word| word == "moves").unwrap_or(rest.len());
    let (place, moves) = rest.split_at(at);
    let start = match place {
        ["start" | "startpos"] => None,
        ["start", board] => Some(Position::start(Arc::new(shape_and_size(board)?))),
        ["fen", text @ ..] if !text.is_empty() => Some(Position::parse(&text.join(" "))?),
        _ => return Err(CommandError::Missing { command: "position", expected: "start [BOARD] or fen TEXT" }),
    };
    let moves = moves.iter().skip(1).map(|&word| word.to_owned()).collect();
    Ok(Command::Position { start, moves })
}

/// Reads a board such as `c10` or `88`: the letter or digit of a shape, then the size.
fn shape_and_size(text: &str) -> Result<Board, CommandError> {
    let wrong = || unexpected("position start", "a shape (c, d, t, 8) and a size, such as c10", text);
    let (shape, size) = text.split_at_checked(1).ok_or_else(wrong)?;
    let shape: Shape = shape.parse().map_err(|_| wrong())?;
    Ok(Board::new(shape, size.parse().map_err(|_| wrong())?)?)
}

impl Go {
    fn parse(rest: &[&str]) -> Result<Self, CommandError> {
        let mut go = Self::default();
        let mut words = rest.iter();
        while let Some(&word) = words.next() {
            let field = match word {
                "movetime" => &mut go.movetime,
                "wtime" => &mut go.left[0],
                "btime" => &mut go.left[1],
                "winc" => &mut go.increment[0],
                "binc" => &mut go.increment[1],
                // UCI words without a meaning here.
                "infinite" | "ponder" => continue,
                "depth" | "nodes" | "movestogo" | "mate" => {
                    words.next();
                    continue;
                }
                other => {
                    return Err(unexpected("go", "movetime, wtime, btime, winc or binc", other));
                }
            };
            let value = words.next().ok_or(CommandError::Missing { command: "go", expected: "milliseconds" })?;
            *field = Some(millis(value)?);
        }
        Ok(go)
    }

    /// Writes the words after `go`.
    #[must_use]
    pub fn words(&self) -> String {
        let [white, black] = self.left;
        let [white_gain, black_gain] = self.increment;
        let fields = [
            ("movetime", self.movetime),
            ("wtime", white),
            ("btime", black),
            ("winc", white_gain),
            ("binc", black_gain),
        ];
        let words = fields.iter().filter_map(|(word, time)| Some(format!(" {word} {}", (*time)?.as_millis())));
        words.collect()
    }
}

/// Reads milliseconds; GUIs send negative numbers for a clock that has run out.
fn millis(text: &str) -> Result<Duration, CommandError> {
    let number: i64 = text.parse().map_err(|_| unexpected("go", "milliseconds", text))?;
    Ok(Duration::from_millis(number.max(0).unsigned_abs()).min(TIME_MAX))
}

fn unexpected(command: &'static str, expected: &'static str, found: &str) -> CommandError {
    CommandError::Unexpected { command, expected, found: shorten(found) }
}

/// Shortens text for quoting.
fn shorten(text: &str) -> String {
    const MAX: usize = 40;
    match text.char_indices().nth(MAX) {
        Some((end, _)) => format!("{} ...", text.split_at(end).0),
        None => text.to_owned(),
    }
}
