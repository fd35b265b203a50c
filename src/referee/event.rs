use std::io;
use std::num::NonZeroU32;
use std::time::Duration;

use amazons_formats::{Details, MoveNote, chance, color};
use amazons_program::hex;
use amazons_rules::{Board, Color, Move, Position, Shape, Vertex};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use ts_rs::TS;

use super::seed;
use crate::referee::{Call, Clock, Interference, Isolation, MatchRules, PlayerNumber, Pondering, Sandbox, Termination};

/// Receives the events of a game as they happen.
pub trait Observer {
    /// Receives an event and the position after it. Fails when the observer cannot write the event; the game then
    /// stops.
    fn observe(&mut self, event: &Event, position: &Position) -> io::Result<()>;

    /// Takes moves back: `moves` are left, leading to this position.
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
    /// A player made a mistake.
    Fault(FaultEvent),
    /// The game is over and both players have been finalized.
    End(EndEvent),
}

/// The start of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StartEvent {
    /// Version of the record's format.
    pub format: u32,
    /// Name and version of the server.
    pub server: String,
    /// The seed of this game's random choices; null if not played here.
    #[serde(default, with = "seed")]
    pub seed: Option<u64>,
    pub board: BoardEvent,
    /// The queens' vertices.
    pub queens: QueensEvent,
    /// The starting position as text.
    pub position: String,
    pub players: [PlayerEvent; 2],
    /// The player that moves first.
    pub first: PlayerNumber,
    /// The limits of the players; null if not played here.
    pub limits: Option<LimitsEvent>,
    /// The isolation of the players; null if not played here.
    pub isolation: Option<Isolation>,
    /// The sandbox of the players; null without processes, or if no player got that far.
    pub sandbox: Option<Sandbox>,
    /// The origin of a game not played here; null for our own games.
    pub source: Option<SourceEvent>,
    /// The event that the game is part of; missing in single games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contest: Option<ContestEvent>,
    /// The engine that evaluated the moves; missing in records that are not annotated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<EngineEvent>,
}

impl StartEvent {
    pub fn limits_of(&self, player: PlayerNumber) -> Option<&LimitsEvent> {
        self.players[player].limits.as_ref().or(self.limits.as_ref())
    }

    pub fn rules(&self) -> MatchRules {
        let limits = self.limits.as_ref();
        MatchRules {
            first: self.first,
            max_moves: limits.and_then(|limits| limits.max_moves),
            adjudicate: limits.is_some_and(|limits| limits.adjudicate),
            resign: limits.and_then(|limits| limits.resign),
        }
    }

    /// Returns the player with these queens.
    pub fn player_of(&self, color: Color) -> PlayerNumber {
        if self.players[PlayerNumber::One].color == color { PlayerNumber::One } else { PlayerNumber::Two }
    }
}

/// A game's place in a tournament or a ladder played here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContestEvent {
    /// The name of the event: that of its folder.
    pub event: String,
    /// The number of the pair, a dot, 1 or 2.
    pub round: String,
    /// The day on which the game began, in UTC: `2026-01-31`.
    pub date: String,
}

/// The origin of a game not played here; nothing in it is verified.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceEvent {
    /// When, where and in which contest it was played; the names are with the players.
    #[serde(flatten)]
    pub details: Details,
    /// The comment before the first move.
    pub comment: Option<String>,
}

/// The board of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BoardEvent {
    /// `c`, `d`, `t` or `8`; null on a rectangle that is not square.
    pub shape: Option<char>,
    /// Number of columns; the m of a shape.
    pub columns: u32,
    /// Number of rows; the m of a shape.
    pub rows: u32,
    /// The ids that are not vertices.
    pub holes: Vec<Vertex>,
}

impl BoardEvent {
    /// Describes a board.
    pub fn new(board: &Board) -> Self {
        let (columns, rows) = (board.columns(), board.rows());
        Self { shape: board.shape().map(Shape::code), columns, rows, holes: board.holes().collect() }
    }
}

/// The queens of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueensEvent {
    pub black: Vec<Vertex>,
    pub white: Vec<Vertex>,
}

impl QueensEvent {
    /// Lists the queens of a position.
    pub fn new(position: &Position) -> Self {
        let [black, white] = Color::ALL.map(|color| position.queens(color).to_vec());
        Self { black, white }
    }
}

/// The engine of an annotated record, and its limits for each position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineEvent {
    /// Name and version.
    pub engine: String,
    /// Milliseconds of processor time; null if not limited.
    pub time_ms: Option<u64>,
    /// Visits of the tree; null if not limited.
    pub nodes: Option<u64>,
    /// Half-moves of the longest line; null if not limited.
    pub depth: Option<u32>,
    /// Threads on the tree.
    pub threads: u32,
    /// Maximum number of lines of a position.
    pub lines: u32,
}

/// The summary of an annotated record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewEvent {
    /// The chance of the side to move in the last position.
    #[serde(deserialize_with = "chance")]
    pub win: f32,
    /// The proven winner of the last position.
    #[serde(default, with = "color")]
    pub proven: Option<Color>,
    /// Black and White.
    pub sides: [SideEvent; 2],
}

/// The moves of a side in an annotated record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SideEvent {
    #[serde(with = "ColorName")]
    pub color: Color,
    /// The number of its moves.
    pub moves: u32,
    /// The mean accuracy in percent; null without moves.
    pub accuracy: Option<f32>,
    /// The mean loss of a move; null without moves.
    pub mean_loss: Option<f32>,
    /// The numbers of its moves with a mark: `?!`, `?`, `??`.
    pub dubious: u32,
    pub mistakes: u32,
    pub blunders: u32,
}

/// A colour in JSON.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Color", rename_all = "lowercase")]
enum ColorName {
    Black,
    White,
}

/// A player of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerEvent {
    /// Its own name, with unprintable characters replaced; null if it gave none or never got so far.
    pub name: Option<String>,
    /// Its file as typed; null if it did not play here.
    pub file: Option<String>,
    /// The SHA-256 of the file in hexadecimal; null without a record.
    pub sha256: Option<String>,
    /// `black` or `white`.
    #[serde(with = "ColorName")]
    pub color: Color,
    /// `ring` or `subject`: the numbering of its edges; null if it saw no graph or did not play here.
    pub directions: Option<String>,
    /// The file with its output; null if none was requested.
    pub log: Option<String>,
    /// Its name in the event; missing in single games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entrant: Option<String>,
    /// Its own limits; missing if it has those of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<LimitsEvent>,
}

impl PlayerEvent {
    /// Returns its name in the event, or else its own.
    pub fn known_as(&self) -> Option<&str> {
        self.entrant.as_deref().or(self.name.as_deref())
    }
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
    pub clock: Clock,
    /// Milliseconds for all moves of a player; null if only each move is limited.
    pub game_ms: Option<u64>,
    /// Milliseconds that a player gains with each move.
    pub increment_ms: u64,
    /// `charged` or `frozen`: the treatment of computing in the opponent's turn.
    pub pondering: Pondering,
    /// Maximum number of threads of a player.
    pub threads: u32,
    /// A player's memory limit in bytes.
    pub memory_bytes: u64,
    /// Maximum number of bytes of a player's output.
    pub log_bytes: u64,
    /// Legal moves after which the game stops without a winner.
    pub max_moves: Option<u32>,
    /// Whether the game ends once counting proves who wins.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adjudicate: bool,
    /// The chance in percent at which both players' values make one of them resign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<u32>,
}

/// A move of a record; times are null if unknown, but never in games played here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveEvent {
    /// The number of the legal move, from 1.
    pub ply: u32,
    /// The player that moved.
    pub player: PlayerNumber,
    /// Where the queen stood.
    pub from: Vertex,
    /// Where it landed.
    pub to: Vertex,
    /// Where the arrow landed.
    pub arrow: Vertex,
    /// The move in text notation.
    pub text: String,
    /// Microseconds that the server waited.
    pub wall_us: Option<u64>,
    /// Microseconds of processor time that the player used.
    pub cpu_us: Option<u64>,
    /// Microseconds of processor time used in the opponent's previous turn.
    pub idle_cpu_us: Option<u64>,
    /// Microseconds left: of the game's time if limited, otherwise of the move's limit.
    pub left_us: Option<u64>,
    /// Its player's evaluation, from -1, lost, to 1, won; null if unknown.
    pub value: Option<f32>,
    /// The comment on the move; in games played here, a line of its player.
    pub comment: Option<String>,
    /// The engine's evaluation of the move; missing in records that are not annotated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Box<MoveNote>>,
}

impl MoveEvent {
    /// Returns the three vertices.
    pub const fn played(&self) -> Move {
        Move { from: self.from, to: self.to, arrow: self.arrow }
    }

    /// Returns the microseconds that are charged under these limits; without limits, those on the wall clock.
    pub fn charged_us(&self, limits: Option<&LimitsEvent>) -> Option<u64> {
        match limits.filter(|limits| limits.clock == Clock::Cpu) {
            Some(limits) => Some(self.cpu_us?.saturating_add(self.idle_cpu_us?) / u64::from(limits.threads.max(1))),
            None => self.wall_us,
        }
    }
}

/// A fault of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultEvent {
    /// The player at fault.
    pub player: PlayerNumber,
    /// The kind of fault, by the name of its ending.
    pub termination: Termination,
    /// The function of the player.
    pub call: Call,
    /// A description in words.
    pub detail: String,
    /// The byte of the description at which advice begins; not in records.
    #[serde(skip)]
    pub remedy_at: Option<NonZeroU32>,
    /// The ply of the failed move, from 1; null outside `play`.
    pub ply: Option<u32>,
    /// The three numbers of an illegal move.
    #[serde(rename = "move")]
    pub answer: Option<[u32; 3]>,
    /// The position text at the time of the fault.
    pub position: String,
    /// The signal that ended the player's process.
    pub signal: Option<i32>,
    /// The status with which the player ended itself.
    pub exit_code: Option<i32>,
    /// Where the player was, innermost function first, as far as reported.
    pub backtrace: Vec<String>,
    /// The file with the player's output; null if none was requested.
    pub log: Option<String>,
    /// The last lines of the player's output, control characters escaped.
    pub log_tail: Vec<String>,
    /// The machine's delays in a call that took too long; missing in other faults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Interference>,
}

/// The end of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndEvent {
    /// The winner; null without one.
    pub winner: Option<PlayerNumber>,
    /// The ending; null if unknown, but never in games played here.
    pub termination: Option<Termination>,
    /// The number of legal moves.
    pub moves: u32,
    /// The final position as text.
    pub position: String,
    /// The SHA-256 of that text in hexadecimal.
    pub hash: String,
    /// Why a void game is void, or the ending of a game not played here, in words.
    pub detail: Option<String>,
    /// The engine's summary; missing in records that are not annotated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<ReviewEvent>,
}

impl EndEvent {
    /// Returns the hash of a final position.
    pub fn hash_of(position_text: &str) -> String {
        hex(&Sha256::digest(position_text))
    }
}

/// Returns whole microseconds, saturating.
pub(crate) fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
