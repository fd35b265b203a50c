//! Plays one game: turns, legality, endings.
//!
//! [`play_game`] only knows two [`Seat`]s and [`Observer`]s, not where a player's code runs or where events go.

mod agreement;
mod conditions;
mod event;
mod game;
mod opinion;
mod outcome;
mod player;
mod rules;
mod seat;
mod seed;

pub(crate) use agreement::Agreement;
pub use amazons_formats::Ending as Termination;
pub use amazons_sandbox::{Interference, RefusedStep, Sandbox, SandboxLevel, SandboxUser};
pub use conditions::{Clock, Isolation, Pondering};
pub(crate) use event::micros;
pub use event::{
    BoardEvent, ContestEvent, EndEvent, EngineEvent, Event, FaultEvent, LimitsEvent, MoveEvent, Observer, PlayerEvent,
    QueensEvent, ReviewEvent, SideEvent, SourceEvent, StartEvent,
};
pub use game::{GameError, Match, play_game};
pub(crate) use opinion::OUT_OF_RANGE;
pub use opinion::Opinion;
pub use outcome::{Cause, Outcome, Void};
pub use player::{PlayerNumber, UnknownPlayer};
pub(crate) use rules::Ending;
pub use rules::MatchRules;
pub use seat::{Answer, Call, CallError, Fault, HostFailure, OutOfOrder, PlayerRequest, Seat, Usage};
pub(crate) use seat::{divided, separate};
