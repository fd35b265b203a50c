//! The viewer: live and recorded games in a browser.
//!
//! A [`WatchedGame`] is a growing list of lines; a [`Broadcast`] appends those of a running game, and a `Follower`
//! reads those of growing files. Each spectator is a number into such a list. A [`Catalogue`] lists the records of
//! [`Folder`]s, and a [`Site`] is everything that can be requested; a [`Viewer`] serves it on its own thread, within
//! [`ServerLimits`]. A person with the token plays in a [`PlaySeat`].

#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod analyses;
mod background;
mod broadcast;
mod catalogue;
mod downloads;
mod engine;
mod event_page;
mod event_view;
mod events;
mod folder;
mod follow;
mod frame;
mod game;
mod logs;
mod open_records;
mod opponents;
mod play;
mod play_seat;
mod positions;
mod query;
mod redact;
mod responses;
mod routes;
mod site;
mod stream;
mod summary;
mod turns;

pub use amazons_pages::{Access, Server as Viewer, ServerLimits, listen};
pub(crate) use analyses::{AnalysisFailure, AnalysisState};
pub use broadcast::Broadcast;
pub use catalogue::{Catalogue, GameStatus, Listing};
pub(crate) use engine::Offers;
pub(crate) use event_view::{EventState, EventSummary, EventView, PublishedEvent, TableView};
pub(crate) use events::EVENT;
pub use folder::Folder;
pub(crate) use frame::{Page, Places};
pub use game::WatchedGame;
pub use opponents::Opponents;
pub(crate) use play::HintView;
pub use play_seat::PlaySeat;
pub(crate) use positions::PositionView;
pub(crate) use query::GameRow;
pub use redact::shown;
pub(crate) use redact::without_paths;
pub(crate) use routes::{ASSETS, GameList, INDEX, asset};
pub use site::Site;
pub(crate) use summary::Summary;
