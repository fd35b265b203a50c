//! Serves pages to browsers, on this machine only unless made public.
//!
//! [`Pages`] are the routes of [`axum`] to serve; a [`Server`] answers on its own thread, within [`ServerLimits`].
//! Every request first passes a guard: it must name our address, be a GET or HEAD, and have no body; requests to act go
//! to [`PLAY`] and come from our own pages. Every response tells browsers to run and load nothing from elsewhere. A
//! [`Token`] in a path lets a person act, and guarantees a connection however many spectators there are.
//!
//! ```
//! use std::sync::Arc;
//!
//! use amazons_pages::{Access, ServerLimits, Pages, Server, listen, text};
//! use axum::Router;
//! use axum::routing::get;
//!
//! struct Greeting;
//!
//! impl Pages for Greeting {
//!     fn routes(self: Arc<Self>) -> Router {
//!         Router::new().route("/", get(|| async { text("text/html", "<!doctype html><title>Hello</title>") }))
//!     }
//! }
//!
//! # fn main() -> std::io::Result<()> {
//! let listener = listen([127, 0, 0, 1].into(), 0, Access::Local)?;
//! let server = Server::start(listener, Arc::new(Greeting), ServerLimits::default())?;
//! println!("look at {}", server.url());
//! server.stop()
//! # }
//! ```
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod access;
mod connections;
mod events;
mod guard;
mod pages;
mod responses;
mod server;
mod token;

pub use access::{Access, listen};
pub use events::events;
pub use pages::{PLAY, Pages, split_play};
pub use responses::{Refusal, missing, object, read, text};
pub use server::{Server, ServerLimits};
pub use token::Token;

/// A script for pages: `byId`, `make` for elements, and `tell` for the status of the connection.
pub const PAGE_JS: &str = include_str!("page.js");
