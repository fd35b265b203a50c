use std::error::Error;
use std::fmt;
use std::time::Duration;

use amazons_rules::{Move, Position};
use serde::{Deserialize, Serialize};

use crate::referee::{Sandbox, Termination};

/// The calls that a player gets; all but `Load` are functions of the ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// Opening the library, which runs its constructors.
    Load,
    /// `initialize`.
    Initialize,
    /// `get_player_name`.
    Name,
    /// `play`.
    Play,
    /// `finalize`.
    Finalize,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Load => "load",
            Self::Initialize => "initialize",
            Self::Name => "get_player_name",
            Self::Play => "play",
            Self::Finalize => "finalize",
        })
    }
}

/// A player's mistake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// How a game ends in which this is the deciding fault.
    pub termination: Termination,
    /// During which call it happened.
    pub call: Call,
    /// What happened, as a lower-case fragment.
    pub detail: String,
    /// The signal that ended the player's process.
    pub signal: Option<i32>,
    /// The status with which the player ended its process.
    pub exit_code: Option<i32>,
    /// Where the player was, innermost function first, as far as the dying process could tell.
    pub backtrace: Vec<String>,
}

impl Fault {
    /// A fault without a signal, a status or a backtrace.
    #[must_use]
    pub const fn new(termination: Termination, call: Call, detail: String) -> Self {
        Self { termination, call, detail, signal: None, exit_code: None, backtrace: Vec::new() }
    }
}

/// Why a call has no answer.
#[derive(Debug)]
pub enum CallError {
    /// The player is to blame.
    Fault(Fault),
    /// We are to blame: the game is void.
    Void(Void),
    /// A person asks for something else than a move, in `play` only.
    Request(PlayerRequest),
}

/// A person's request, instead of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerRequest {
    /// To give up.
    Resign,
    /// To take back its last move and the answer to it.
    TakeBack,
}

/// Our own failure to make a call: the game is void.
#[derive(Debug)]
pub struct Void {
    cause: Box<dyn Error + Send + Sync>,
    is_lasting: bool,
}

impl Void {
    /// Names the cause, and whether the same would happen again.
    pub fn new(cause: impl Error + Send + Sync + 'static, is_lasting: bool) -> Self {
        Self { cause: Box::new(cause), is_lasting }
    }

    /// Returns the cause.
    #[must_use]
    pub fn cause(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.cause
    }

    /// Returns whether the same would happen again.
    #[must_use]
    pub const fn is_lasting(&self) -> bool {
        self.is_lasting
    }
}

impl fmt::Display for Void {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(f)
    }
}

impl Error for Void {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.source()
    }
}

/// A call came before the call that it needs, or was answered as another call is.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("{0} was called out of order")]
pub struct OutOfOrder(pub Call);

impl From<OutOfOrder> for Void {
    fn from(error: OutOfOrder) -> Self {
        Self::new(error, true)
    }
}

impl<E: Into<Void>> From<E> for CallError {
    fn from(error: E) -> Self {
        Self::Void(error.into())
    }
}

/// A player's answer and its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<T> {
    /// The answer itself.
    pub value: T,
    /// How long the server waited for it.
    pub wall: Duration,
    /// How much processor time the player used meanwhile, all threads together.
    pub cpu: Duration,
    /// How much it had used since its call before, while it was asked for nothing.
    pub idle_cpu: Duration,
    /// What is left: of the game's time where there is one, of the call's limit otherwise.
    pub left: Duration,
}

impl<T> Answer<T> {
    /// An answer that took no time.
    pub const fn free(value: T) -> Self {
        let none = Duration::ZERO;
        Self { value, wall: none, cpu: none, idle_cpu: none, left: none }
    }

    /// Replaces the value, at the same cost.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Answer<U> {
        let Self { value, wall, cpu, idle_cpu, left } = self;
        Answer { value: f(value), wall, cpu, idle_cpu, left }
    }
}

/// One player in one game, wherever its code runs.
///
/// The referee calls `load`, `initialize`, `name`, `play` as often as needed and `finalize`, in this order. A seat whose
/// player is gone answers each further call with the fault that ended it. Dropping a seat ends its player. The provided
/// methods are for seats that run no code of a player.
///
/// A call fails when the player does not return in time and in good order, or when the host fails.
pub trait Seat: fmt::Debug {
    /// Opens the player's library.
    fn load(&mut self) -> Result<(), CallError> {
        Ok(())
    }

    /// Calls `initialize` with a graph and queens that are the player's to free.
    fn initialize(&mut self) -> Result<Answer<()>, CallError> {
        Ok(Answer::free(()))
    }

    /// Calls `get_player_name`: raw bytes, cut where the host stops to read; `None` for NULL.
    fn name(&mut self) -> Result<Answer<Option<Vec<u8>>>, CallError>;

    /// Calls `play` with the opponent's move, `None` on the first move of the game.
    ///
    /// The answer is unchecked: any three numbers, `u32::MAX` included.
    fn play(&mut self, previous: Option<Move>) -> Result<Answer<Move>, CallError>;

    /// Calls `finalize`; nothing may be called afterwards.
    fn finalize(&mut self) -> Result<Answer<()>, CallError> {
        Ok(Answer::free(()))
    }

    /// Returns how much of a sandbox the player is in, once it is loaded.
    fn sandbox(&self) -> Option<Sandbox> {
        None
    }

    /// Goes back to an earlier position, in which this seat or the other is to move next, if it can.
    ///
    /// A game in which this may happen has no seat that cannot.
    fn take_back(&mut self, _: &Position) {}

    /// Returns the player's chance of winning, 0 to 1, as it saw it when it made its last move, if it told.
    fn value(&self) -> Option<f64> {
        None
    }

    /// Returns what the player printed so far, at most as much as its limits allow.
    fn log(&self) -> Vec<u8> {
        Vec::new()
    }
}
