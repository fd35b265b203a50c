use std::sync::Arc;

use axum::Router;

/// The path of requests to act: the only one that accepts POST.
pub const PLAY: &str = "/play/";

/// Splits the path of a request to act: the token of who plays, and the rest.
#[must_use]
pub fn split_play(path: &str) -> Option<(&str, &str)> {
    let path = path.strip_prefix(PLAY)?;
    Some(path.split_at(path.find('/').unwrap_or(path.len())))
}

/// The pages of a server, and who plays there.
pub trait Pages: Send + Sync + 'static {
    /// Returns the routes; the guard stands in front of them.
    fn routes(self: Arc<Self>) -> Router;

    /// Splits a path at the token of somebody who plays: the player's number, and the rest of the path.
    ///
    /// Players always get a connection, even when spectators take all places. They may ask for what is under
    /// `/assets/` and `/api/` below their own address.
    fn player<'a>(&self, _path: &'a str) -> Option<(usize, &'a str)> {
        None
    }

    /// Runs beside the server, on its thread.
    fn run(self: Arc<Self>) -> impl Future<Output = ()> + Send {
        async {}
    }

    /// Ends when everybody has got what they wait for, or has had the time to; then the server stops.
    fn farewell(&self) -> impl Future<Output = ()> + Send {
        async {}
    }
}
