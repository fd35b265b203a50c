//! Records of games: JSON Lines with a head, a line for each move, and the result; or just the moves.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Chosen, Ending, MovesError, Position, Side, Size, excerpt};

/// The version of the format that this program writes.
pub const VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
pub enum Line {
    /// The first line.
    Game(Head),
    Move(Played),
    /// The last moves were taken back.
    Undo {
        plies: usize,
    },
    /// The last line, unless moves are taken back afterwards.
    Result(GameResult),
}

/// The facts that hold for the whole game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// `connect4`.
    pub game: String,
    /// The version of the format.
    pub version: u32,
    /// The board, such as 7x6.
    pub size: String,
    /// The players, as on the command line.
    pub players: [String; 2],
    /// The player that moves first, 1 or 2.
    pub first: u8,
    pub seed: u64,
    /// The moves that were played before the game.
    #[serde(default)]
    pub position: String,
}

/// A move, and what its player knew of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// The name of the column.
    pub column: String,
    /// The player's evaluation, on its own scale; higher is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    #[serde(default)]
    pub proven: bool,
    /// Positions looked at.
    #[serde(default)]
    pub nodes: u64,
    #[serde(default)]
    pub seconds: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    pub winner: Winner,
    pub reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// The side that moved first.
    First,
    Second,
    /// A draw, or the game was not finished.
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    Four,
    Full,
    /// A person gave up.
    Resigned,
    /// The game was broken off.
    Stopped,
}

/// A game so far, whose moves the rules allow; they can be taken back and played again.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub head: Head,
    /// The moves that were not taken back.
    pub moves: Vec<Played>,
    /// Those that were, the last one last.
    undone: Vec<Played>,
    /// The last line, if it was written.
    pub result: Option<GameResult>,
    pub size: Size,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct RecordError {
    /// The number of the line, from 1 on.
    pub line: usize,
    pub reason: String,
}

const NO_HEAD: &str = "the record has to begin with its head, or be just the moves";

/// Returns text that a terminal shows as it is: control characters, also those of writing direction, are escaped.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => {
                shown.extend(character.escape_unicode());
            }
            _ if character.is_control() => shown.extend(character.escape_default()),
            _ => shown.push(character),
        }
    }
    shown
}

impl Head {
    pub fn new(position: &str, size: Size, players: [String; 2], first: u8, seed: u64) -> Self {
        let (size, position) = (size.to_string(), position.to_owned());
        Self { game: "connect4".to_owned(), version: VERSION, size, players, first, seed, position }
    }

    /// Returns the index of a side's player.
    pub fn seat(&self, side: Side) -> usize {
        usize::from((side == Side::First) != (self.first == 1))
    }

    /// Returns the names of the players of X and O.
    pub fn names(&self) -> [&str; 2] {
        [Side::First, Side::Second].map(|side| &*self.players[self.seat(side)])
    }
}

impl GameResult {
    pub const fn of(ending: Ending) -> Self {
        match ending {
            Ending::Win(side) => Self { winner: Winner::of(side), reason: Reason::Four },
            Ending::Draw => Self { winner: Winner::None, reason: Reason::Full },
        }
    }
}

impl Winner {
    pub const fn of(side: Side) -> Self {
        match side {
            Side::First => Self::First,
            Side::Second => Self::Second,
        }
    }
}

impl Record {
    /// Reads a record: JSON Lines, or the moves as one word on a standard board.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        let mut lines = lines.by_ref().filter(|(_, line)| !line.is_empty()).peekable();
        let at = |line| move |reason: String| RecordError { line, reason };
        let Some(&(number, first)) = lines.peek() else { return Err(at(1)(NO_HEAD.to_owned())) };
        if !first.starts_with('{') {
            let players = ["unknown".to_owned(), "unknown".to_owned()];
            let head = Head::new("", Size::STANDARD, players, 1, 0);
            let mut record = Self::new(head).map_err(at(number))?;
            for name in first.chars() {
                record.play(Played::plain(name)).map_err(at(number))?;
            }
            lines.next();
            return match lines.next() {
                None => Ok(record),
                Some((line, _)) => Err(at(line)(NO_HEAD.to_owned())),
            };
        }
        lines.next();
        let syntax = |error: serde_json::Error| format!("not a line of a record: {}", excerpt(&error.to_string()));
        let read = |line| serde_json::from_str(line).map_err(syntax);
        let mut record = match read(first).map_err(at(number))? {
            Line::Game(head) => Self::new(head).map_err(at(number))?,
            _ => return Err(at(number)(NO_HEAD.to_owned())),
        };
        for (number, line) in lines {
            read(line).and_then(|line| record.add(line)).map_err(at(number))?;
        }
        Ok(record)
    }

    pub fn position(&self) -> Position {
        Position::from_moves(self.size, &self.all_moves()).unwrap_or_else(|_| Position::empty(self.size))
    }

    /// Returns all moves from the empty board.
    pub fn all_moves(&self) -> String {
        self.moves.iter().fold(self.head.position.clone(), |moves, played| moves + &played.column)
    }

    /// Returns the column of the last move.
    pub fn last(&self) -> Option<u32> {
        self.all_moves().chars().last().and_then(|name| self.position().column(&name.to_string()).ok())
    }

    /// Returns the result that was written, or else that of the board.
    pub fn outcome(&self) -> Option<GameResult> {
        self.result.or_else(|| self.position().ending().map(GameResult::of))
    }

    pub fn turn(&self) -> Option<Side> {
        self.outcome().is_none().then(|| self.position().turn())
    }

    /// Counts the moves from the last one of this kind of side on, which are taken back together; 0 without such a move.
    pub fn undoable(&self, is_own: impl Fn(Side) -> bool) -> usize {
        let mut before = self.position().turn();
        let mover = |_: &usize| {
            before = before.opponent();
            is_own(before)
        };
        (1..=self.moves.len()).find(mover).unwrap_or(0)
    }

    /// Plays moves that were taken back again, up to the next turn of this kind of side; returns them.
    pub fn redo(&mut self, is_own: impl Fn(Side) -> bool) -> Vec<Played> {
        let first = self.moves.len();
        while let Some(played) = self.undone.pop() {
            self.moves.push(played);
            if self.turn().is_none_or(&is_own) {
                break;
            }
        }
        self.moves[first..].to_vec()
    }

    /// Begins a record.
    pub fn new(head: Head) -> Result<Self, String> {
        if head.game != "connect4" || head.version != VERSION {
            let (game, version) = (excerpt(&head.game), head.version);
            return Err(format!("a record of {game} version {version}: this program reads connect4 version {VERSION}"));
        }
        if !(1..=2).contains(&head.first) {
            return Err(format!("player {} moves first: there are players 1 and 2", head.first));
        }
        let size = head.size.parse::<Size>().map_err(|error| error.to_string())?;
        Position::from_moves(size, &head.position)
            .map_err(|MovesError { number, error }| format!("move {number}: {error}"))?;
        Ok(Self { head, moves: Vec::new(), undone: Vec::new(), result: None, size })
    }

    /// Adds a line after the first.
    pub fn add(&mut self, line: Line) -> Result<(), String> {
        match line {
            Line::Game(_) => Err("a second head".to_owned()),
            Line::Move(_) | Line::Result(_) if self.result.is_some() => Err("a move after the result".to_owned()),
            Line::Move(played) => self.play(played),
            Line::Undo { plies } => {
                self.result = None;
                let left = self.moves.len().checked_sub(plies);
                let left = left.ok_or_else(|| format!("{plies} moves are taken back, but fewer were played"))?;
                self.undone.extend(self.moves.drain(left..).rev());
                Ok(())
            }
            Line::Result(result) => {
                let is_right = match self.position().ending() {
                    Some(ending) => result == GameResult::of(ending),
                    None => match result.reason {
                        Reason::Resigned => result.winner != Winner::None,
                        Reason::Stopped => result.winner == Winner::None,
                        Reason::Four | Reason::Full => false,
                    },
                };
                self.result = Some(result);
                if is_right { Ok(()) } else { Err("the result is not that of the board".to_owned()) }
            }
        }
    }

    fn play(&mut self, played: Played) -> Result<(), String> {
        let mut position = self.position();
        let number = self.head.position.chars().count() + self.moves.len() + 1;
        let column = position.column(&played.column).and_then(|column| position.play(column));
        column.map_err(|error| format!("move {number}: {error}"))?;
        self.moves.push(played);
        self.undone.clear();
        Ok(())
    }
}

impl Played {
    pub fn by_level(column: char, chosen: &Chosen, time: Duration) -> Self {
        Self {
            score: chosen.known_score(),
            proven: chosen.is_proven,
            nodes: chosen.nodes,
            seconds: time.as_secs_f64(),
            ..Self::plain(column)
        }
    }

    /// A move that nothing else is known of.
    pub fn plain(column: char) -> Self {
        Self { column: column.to_string(), score: None, proven: false, nodes: 0, seconds: 0.0 }
    }
}
