use std::io;
use std::time::Duration;

use amazons_formats::Details;
use amazons_rules::{Board, Color, Move, Position, Shape, Vertex};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::referee::{Call, PlayerNumber, Sandbox, Termination};

/// Gets the events of a game as they happen.
pub trait Observer {
    /// Takes an event and the position after it.
    ///
    /// # Errors
    /// When the event cannot be written where the observer writes; the game then stops.
    fn observe(&mut self, event: &Event, position: &Position) -> io::Result<()>;

    /// Takes moves back: so many are left, which lead to this position.
    ///
    /// # Errors
    /// When the observer cannot undo what it has written.
    fn take_back(&mut self, _moves: u32, _position: &Position) -> io::Result<()> {
        Ok(())
    }
}

/// The events of a game, in this order: one start, moves, at most a few faults, one end.
///
/// The JSON form of an event is a line of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// Both players are loaded and initialised, or have failed to be.
    Start(Box<StartEvent>),
    /// A legal move was played.
    Move(MoveEvent),
    /// A player did something wrong.
    Fault(FaultEvent),
    /// The game is over and both players were told.
    End(EndEvent),
}

/// The start of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StartEvent {
    /// Version of the record's format.
    pub format: u32,
    /// Name and version of the server.
    pub server: String,
    /// The seed that random choices of this game come from; null when it was not played here.
    pub seed: Option<u64>,
    /// The graph.
    pub board: BoardEvent,
    /// The queens' vertices.
    pub queens: QueensEvent,
    /// The starting position as text.
    pub position: String,
    /// Players 1 and 2.
    pub players: [PlayerEvent; 2],
    /// The player that moves first.
    pub first: PlayerNumber,
    /// The limits of the players; null when it was not played here.
    pub limits: Option<LimitsEvent>,
    /// How the players were kept apart, `process` or `none`; null when it was not played here.
    pub isolation: Option<String>,
    /// The sandbox of the players; null without processes, or when no player got that far.
    pub sandbox: Option<Sandbox>,
    /// Where the game comes from when it was not played here; null for our own games.
    #[serde(default)]
    pub source: Option<SourceEvent>,
}

impl StartEvent {
    /// Returns the limit of moves, if there is one.
    #[must_use]
    pub fn max_moves(&self) -> Option<u32> {
        self.limits.as_ref().and_then(|limits| limits.max_moves)
    }
}

/// The origin of a game that was not played here; nothing of it is known to be true.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceEvent {
    /// When, where and in which contest it was played; the players have their names.
    #[serde(flatten)]
    pub details: Details,
    /// The comment before the first move.
    pub comment: Option<String>,
}

/// The board of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardEvent {
    /// `c`, `d`, `t` or `8`; null on a rectangle that is no square.
    pub shape: Option<char>,
    /// Number of columns; the m of a shape.
    pub columns: u32,
    /// Number of rows; the m of a shape.
    pub rows: u32,
    /// The ids that are no vertices.
    pub holes: Vec<Vertex>,
    /// `subject` or `ring`: how the edges that both players saw were numbered, in records up to format 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directions: Option<String>,
}

impl BoardEvent {
    /// Describes a board.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        let (columns, rows) = (board.columns(), board.rows());
        Self { shape: board.shape().map(Shape::code), columns, rows, holes: board.holes().collect(), directions: None }
    }
}

/// The queens of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueensEvent {
    /// Black's.
    pub black: Vec<Vertex>,
    /// White's.
    pub white: Vec<Vertex>,
}

impl QueensEvent {
    /// Lists the queens of a position.
    #[must_use]
    pub fn new(position: &Position) -> Self {
        let [black, white] = Color::ALL.map(|color| position.queens(color).to_vec());
        Self { black, white }
    }
}

/// A player of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerEvent {
    /// The name it gave itself, with what is not printable replaced; null when it gave none or never got so far.
    pub name: Option<String>,
    /// Its file as typed; null when it did not play here.
    pub file: Option<String>,
    /// The SHA-256 of the file in hexadecimal; null when nothing was to be recorded.
    pub sha256: Option<String>,
    /// `black` or `white`.
    pub color: String,
    /// `ring` or `subject`: how the edges that it saw were numbered; null when it saw no graph or did not play here.
    #[serde(default)]
    pub directions: Option<String>,
    /// The file that keeps what it prints; null when none was asked for.
    pub log: Option<String>,
}

/// The limits of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitsEvent {
    /// Milliseconds for loading.
    pub load_ms: u64,
    /// Milliseconds for `initialize`.
    pub initialize_ms: u64,
    /// Milliseconds for each move.
    pub move_ms: u64,
    /// Milliseconds for `finalize`.
    pub finalize_ms: u64,
    /// `cpu` or `wall`: what is measured.
    pub clock: String,
    /// Milliseconds for all moves of a player; null when only each move is limited.
    pub game_ms: Option<u64>,
    /// Milliseconds that a player gains with each move.
    pub increment_ms: u64,
    /// `charged` or `frozen`: what happens to a player that computes in its opponent's turn.
    pub pondering: String,
    /// How many threads a player may run.
    pub threads: u32,
    /// Bytes of memory that a player may keep.
    pub memory_bytes: u64,
    /// Bytes that a player may print.
    pub log_bytes: u64,
    /// Legal moves after which the game stops without a winner.
    pub max_moves: Option<u32>,
}

/// A move of a record; the times are null when they are not known, which they are of all games that were played here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveEvent {
    /// Counts the legal moves of the game from 1.
    pub ply: u32,
    /// The player that moved.
    pub player: PlayerNumber,
    /// Where the queen stood.
    pub from: Vertex,
    /// Where it landed.
    pub to: Vertex,
    /// Where the arrow hit.
    pub arrow: Vertex,
    /// The move in text notation.
    pub text: String,
    /// Microseconds that the server waited.
    pub wall_us: Option<u64>,
    /// Microseconds of processor time that the player used.
    pub cpu_us: Option<u64>,
    /// Microseconds of processor time that the player used in its opponent's turn before.
    pub idle_cpu_us: Option<u64>,
    /// Microseconds that were left: of the game's time where there is one, of the move's limit otherwise.
    pub left_us: Option<u64>,
    /// Its player's opinion of the position, from -1, lost, to 1, won; null when it gave none.
    #[serde(default)]
    pub value: Option<f32>,
    /// The comment on the move; null in games that were played here.
    #[serde(default)]
    pub comment: Option<String>,
}

impl MoveEvent {
    /// Returns the three vertices.
    #[must_use]
    pub const fn played(&self) -> Move {
        Move { from: self.from, to: self.to, arrow: self.arrow }
    }
}

/// A fault of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultEvent {
    /// The player at fault.
    pub player: PlayerNumber,
    /// The kind of fault, with the names of the endings.
    pub termination: Termination,
    /// The function of the player.
    pub call: Call,
    /// What happened, in words.
    pub detail: String,
    /// The ply that the player was to play, from 1; null outside `play`.
    pub ply: Option<u32>,
    /// The three numbers of an illegal move.
    #[serde(rename = "move")]
    pub answer: Option<[u32; 3]>,
    /// The position text when it happened.
    pub position: String,
    /// The signal that ended the player.
    pub signal: Option<i32>,
    /// The status with which the player ended itself.
    pub exit_code: Option<i32>,
    /// Where the player was, innermost function first, as far as its dying process could tell.
    pub backtrace: Vec<String>,
    /// The file that keeps what the player prints; null when none was asked for.
    pub log: Option<String>,
    /// The last lines that the player printed, control characters escaped.
    pub log_tail: Vec<String>,
}

/// The end of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndEvent {
    /// The winner; null when there is none.
    pub winner: Option<PlayerNumber>,
    /// How the game ended; null when that is not known, which it is of all games that were played here.
    pub termination: Option<Termination>,
    /// How many legal moves were played.
    pub moves: u32,
    /// The final position as text.
    pub position: String,
    /// The SHA-256 of that text in hexadecimal.
    pub hash: String,
    /// Why a void game is void; what happened at the end of a game that was not played here.
    pub detail: Option<String>,
}

impl EndEvent {
    /// Returns the hash of a final position.
    #[must_use]
    pub fn hash_of(position_text: &str) -> String {
        to_hex(&Sha256::digest(position_text))
    }
}

/// Writes bytes in hexadecimal.
pub(crate) fn to_hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(u32::from(half), 16).expect("half a byte is a digit");
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Returns whole microseconds; a duration too long for the type stays the longest.
pub(crate) fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
