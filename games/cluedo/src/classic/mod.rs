//! The classic game over ranks: rank 0 is the game master and may be a player, the others are AIs.
//!
//! | | |
//! |---|---|
//! | [`Deal`], [`Streams`] | the solution and the hands, and where random numbers come from |
//! | [`Ai`], [`SeatedAi`] | how the AIs play |
//! | [`play`] | a whole game by direct calls |
//! | [`Message`] | the messages between ranks |
//! | [`host`], [`Master`], [`Person`] | rank 0 of a world |
//! | [`serve`] | the other ranks |
//! | [`Recorder`], [`replay`] | a game as lines of JSON, and their check |
//! | [`Cell`], [`Batch`], [`Tally`], [`ExactLaw`] | many games, and what can be computed without any |

mod ai;
mod direct;
mod exact;
mod master;
mod message;
mod player;
mod post;
mod random;
mod reasoning;
mod record;
mod replay;
mod seats;
mod tally;

pub use crate::deal::{Deal, below};
pub use ai::Ai;
pub use direct::{Outcome, play};
pub use exact::ExactLaw;
pub use master::{Master, Person, Setup, dismiss, host, host_threads};
pub use message::{Answered, Fault, Message, Over, Report, Start, encode_answer, encode_hand};
pub use player::serve;
pub use post::{GAME_TAG, TableError};
pub use random::{Stream, Streams};
pub use reasoning::{SeatedAi, seat_ai};
pub(crate) use record::Line as ClassicLine;
pub use record::Recorder;
pub use replay::{Defect, Replayed, replay};
pub use seats::{AiType, LineUp, SEATS_MAX};
pub use tally::{Batch, Cell, Tally};
