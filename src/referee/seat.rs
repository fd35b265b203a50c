use std::error::Error;
use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use amazons_rules::{Move, Position};
use serde::{Deserialize, Serialize};

use crate::referee::{Interference, Opinion, Sandbox, Termination};

/// The calls to a player; all but `Load` are functions of the ABI.
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

/// Stands between a description and its remedy.
const BEFORE_REMEDY: &str = "; ";

/// A player's mistake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The ending of a game that this fault decides.
    pub termination: Termination,
    /// The call in which it happened.
    pub call: Call,
    /// A description, as a lower-case fragment.
    pub detail: String,
    /// The byte of the description at which advice begins.
    #[serde(default)]
    pub remedy_at: Option<NonZeroU32>,
    /// The signal that ended the player's process.
    pub signal: Option<i32>,
    /// The status with which the player ended its process.
    pub exit_code: Option<i32>,
    /// A bit for each of the four functions that a library lacks, which was not loaded for that.
    #[serde(default)]
    pub missing: u32,
    /// Where the player was, innermost function first, as far as reported.
    pub backtrace: Vec<String>,
    /// The machine's delays in that call, if it took too long.
    pub machine: Option<Interference>,
    /// Whether the machine alone may have made the call too long, so that the game says nothing.
    pub is_excused: bool,
}

impl Fault {
    /// A fault of which nothing else is known.
    pub const fn new(termination: Termination, call: Call, detail: String) -> Self {
        Self {
            termination,
            call,
            detail,
            remedy_at: None,
            signal: None,
            exit_code: None,
            missing: 0,
            backtrace: Vec::new(),
            machine: None,
            is_excused: false,
        }
    }

    /// Adds what to do about it.
    pub(crate) fn with_remedy(mut self, remedy: Option<String>) -> Self {
        if let Some(remedy) = remedy {
            self.detail += BEFORE_REMEDY;
            self.remedy_at = u32::try_from(self.detail.len()).ok().and_then(NonZeroU32::new);
            self.detail += &remedy;
        }
        self
    }
}

/// Divides the description of a fault into the problem and advice.
pub(crate) fn divided(detail: &str, remedy_at: Option<NonZeroU32>) -> (&str, Option<&str>) {
    match remedy_at.and_then(|at| detail.split_at_checked(at.get() as usize)) {
        Some((problem, remedy)) => (problem.strip_suffix(BEFORE_REMEDY).unwrap_or(problem), Some(remedy)),
        None => (detail, None),
    }
}

/// The reasons why a call has no answer.
#[derive(Debug)]
pub enum CallError {
    /// The player's fault.
    Fault(Fault),
    /// The host's failure: the game is void.
    Void(HostFailure),
    /// A person's request instead of a move, in `play` only.
    Request(PlayerRequest),
}

impl CallError {
    /// Repeats the fault that ended a player, if one did.
    pub(crate) fn repeated(fault: Option<&Fault>) -> Result<(), Self> {
        fault.map_or(Ok(()), |fault| Err(Self::Fault(fault.clone())))
    }

    /// Separates a player's fault, which is a result, from the host's own failure, which is not.
    pub(crate) fn fault(self) -> Result<Fault, HostFailure> {
        match self {
            Self::Fault(fault) => Ok(fault),
            Self::Void(error) => Err(error),
            // People only get `play` calls, in which the referee takes their requests.
            Self::Request(_) => Err(OutOfOrder(Call::Play).into()),
        }
    }
}

/// Separates the faults of a call's result in the same way.
pub(crate) fn separate<T>(answer: Result<T, CallError>) -> Result<Result<T, Fault>, HostFailure> {
    answer.map(Ok).or_else(|error| error.fault().map(Err))
}

/// A person's request, instead of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerRequest {
    Resign,
    /// Take back its last move and the answer to it.
    TakeBack,
}

/// The host's failure to make a call: the game is void.
#[derive(Debug)]
pub struct HostFailure {
    cause: Box<dyn Error + Send + Sync>,
    is_lasting: bool,
}

impl HostFailure {
    /// Makes a failure of its cause, and whether a retry would fail in the same way.
    pub fn new(cause: impl Error + Send + Sync + 'static, is_lasting: bool) -> Self {
        Self { cause: Box::new(cause), is_lasting }
    }

    pub fn cause(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.cause
    }

    /// Returns whether a retry would fail in the same way.
    pub const fn is_lasting(&self) -> bool {
        self.is_lasting
    }
}

impl fmt::Display for HostFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(f)
    }
}

impl Error for HostFailure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.source()
    }
}

/// A call came too early, or got another call's answer.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("{0} was called out of order")]
pub struct OutOfOrder(pub Call);

impl From<OutOfOrder> for HostFailure {
    fn from(error: OutOfOrder) -> Self {
        Self::new(error, true)
    }
}

impl<E: Into<HostFailure>> From<E> for CallError {
    fn from(error: E) -> Self {
        Self::Void(error.into())
    }
}

/// The time that one call has taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// How long the server waited for the answer.
    pub wall: Duration,
    /// The processor time used meanwhile, by all threads together.
    pub cpu: Duration,
    /// The processor time used since the previous call, without being asked.
    pub idle_cpu: Duration,
}

/// A player's answer and its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<T> {
    /// The answer itself.
    pub value: T,
    /// The time it has taken.
    pub usage: Usage,
    /// The time left: of the game's time if limited, otherwise of the call's limit.
    pub left: Duration,
}

impl<T> Answer<T> {
    /// An answer that took no time.
    pub fn free(value: T) -> Self {
        Self { value, usage: Usage::default(), left: Duration::ZERO }
    }

    /// Replaces the value, at the same cost.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Answer<U> {
        Answer { value: f(self.value), usage: self.usage, left: self.left }
    }
}

/// One player in one game, wherever its code runs.
///
/// The referee calls `load`, `initialize`, `name`, `play` as often as needed and `finalize`, in this order. A seat
/// whose player is gone repeats the fault that ended it. Dropping a seat ends its player. The provided methods are for
/// seats that run no player code.
///
/// A call fails if the player does not return properly in time, or the host fails.
pub trait Seat: fmt::Debug {
    /// Opens the player's library.
    fn load(&mut self) -> Result<(), CallError> {
        Ok(())
    }

    /// Calls `initialize` with a graph and queens that the player must free.
    fn initialize(&mut self) -> Result<Answer<()>, CallError> {
        Ok(Answer::free(()))
    }

    /// Calls `get_player_name`: raw bytes, truncated by the host; `None` for NULL.
    fn name(&mut self) -> Result<Answer<Option<Vec<u8>>>, CallError>;

    /// Calls `play` with the opponent's move, `None` on the first move of the game.
    /// The answer is unchecked: any three numbers, including `u32::MAX`.
    fn play(&mut self, previous: Option<Move>) -> Result<Answer<Move>, CallError>;

    /// Calls `finalize`; nothing may be called afterwards.
    fn finalize(&mut self) -> Result<Answer<()>, CallError> {
        Ok(Answer::free(()))
    }

    /// Ends the player, whatever it does; its log can still be read.
    fn end(&mut self) -> Result<(), HostFailure> {
        Ok(())
    }

    /// Returns the player's sandbox, once it is loaded.
    fn sandbox(&self) -> Option<Sandbox> {
        None
    }

    /// Goes back to an earlier position, where either seat is to move next, if it can.
    /// If this may happen in a game, all its seats can.
    fn take_back(&mut self, _: &Position) {}

    /// Returns what the player thinks of the position after its last move.
    fn opinion(&self) -> Opinion {
        Opinion::default()
    }

    /// Fails if a mistake in the player's last answer may come from a file that changed meanwhile.
    fn unchanged(&self) -> Result<(), HostFailure> {
        Ok(())
    }

    /// Returns the player's output in its last call, or all of it if that is unknown or empty.
    fn call_log(&self) -> Vec<u8> {
        self.log()
    }

    /// Returns the player's output so far, within its limits.
    fn log(&self) -> Vec<u8> {
        Vec::new()
    }
}
