use std::sync::Arc;

use amazons_rules::{Board, Position, Shape};

use crate::error::{shorten, unexpected};
use crate::notation::is_drop;
use crate::{CommandError, Dialect, Go, read_move};

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
    /// Set the position.
    Position {
        /// The start of the game.
        start: Start,
        /// The moves since then, as typed.
        moves: Vec<String>,
    },
    /// Move.
    Go(Go),
    /// Answer the last `go` soon.
    Stop,
    /// The expected answer was played: the time of the last `go` begins.
    PonderHit,
    /// Show the position.
    Show,
    /// Quit.
    Quit,
    /// Anything that needs no answer.
    Nothing,
}

/// The start of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The one that a dialect has a word for.
    Of(Dialect),
    /// This one.
    At(Position),
}

impl Command {
    /// Reads a line; blank lines and UCI words that require nothing become [`Command::Nothing`].
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
            "d" => Ok(Self::Show),
            "ponderhit" => Ok(Self::PonderHit),
            "debug" | "register" => Ok(Self::Nothing),
            other => Err(CommandError::Unknown(shorten(other))),
        }
    }

    /// Plays the moves of a position from its start. Fails when a move cannot be played.
    pub fn played(mut position: Position, moves: &[String]) -> Result<Position, CommandError> {
        for (number, text) in (1..).zip(moves) {
            let mv = read_move(&position, text).map_err(|error| CommandError::Move {
                number,
                text: shorten(text),
                error,
            })?;
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
        ["start"] => Start::Of(Dialect::Aep),
        ["startpos"] => Start::Of(Dialect::Uci),
        ["start", board] => Start::At(Position::start(Arc::new(shape_and_size(board)?))),
        ["fen", text @ ..] if !text.is_empty() => Start::At(Position::parse(&text.join(" "))?),
        _ => return Err(CommandError::Missing { command: "position", expected: "start [BOARD] or fen TEXT" }),
    };
    let mut played: Vec<String> = Vec::new();
    for &word in moves.iter().skip(1) {
        match played.last_mut() {
            // An arrow may be a word of its own, `P@g7` after `d1d7`.
            Some(step) if is_drop(word) && !step.contains('@') => *step = format!("{step} {word}"),
            _ => played.push(word.to_owned()),
        }
    }
    Ok(Command::Position { start, moves: played })
}

/// Reads a board such as `c10` or `88`: the letter or digit of a shape, then the size.
fn shape_and_size(text: &str) -> Result<Board, CommandError> {
    let wrong = || unexpected("position start", "a shape (c, d, t, 8) and a size, such as c10", text);
    let (shape, size) = text.split_at_checked(1).ok_or_else(wrong)?;
    let shape: Shape = shape.parse().map_err(|_| wrong())?;
    Ok(Board::new(shape, size.parse().map_err(|_| wrong())?)?)
}
