use std::sync::Arc;

use axum::Router;
use axum::http::HeaderMap;

/// The path of requests to act: the only one that accepts POST.
pub const PLAY: &str = "/play/";

/// Where the addresses begin that programs ask.
pub(crate) const API: &str = "/api/";

/// Splits the path of a request to act: the player's token, and the rest.
pub fn split_play(path: &str) -> Option<(&str, &str)> {
    let path = path.strip_prefix(PLAY)?;
    Some(path.split_at(path.find('/').unwrap_or(path.len())))
}

/// The pages of a server, and its players.
pub trait Pages: Send + Sync + 'static {
    /// Returns the routes; requests pass the guard first.
    fn routes(self: Arc<Self>) -> Router;

    /// Splits a path at a player's token: the player's number, and the rest of the path.
    /// Players always get a connection, even when spectators have taken all others. They may request what is under
    /// `/assets/` and `/api/` below their own address.
    fn player<'a>(&self, _path: &'a str) -> Option<(usize, &'a str)> {
        None
    }

    /// Returns the number of whoever shows a token in the head of a request; it always gets a connection, too.
    fn member(&self, _headers: &HeaderMap) -> Option<usize> {
        None
    }

    /// Returns whether browsers may ask for this server by a name, such as that of a proxy in front of it.
    fn is_called(&self, _name: &str) -> bool {
        false
    }

    /// Returns the paths that take uploads, as all below them do: a POST of anything from our own pages, or from a program
    /// that shows its right to it in `Authorization`. Whoever answers must limit the body.
    fn uploads(&self) -> &'static [&'static str] {
        &[]
    }

    /// Runs beside the server, on its thread.
    fn run(self: Arc<Self>) -> impl Future<Output = ()> + Send {
        async {}
    }

    /// Completes once every client has what it waits for or has run out of time; then the server stops.
    fn farewell(&self) -> impl Future<Output = ()> + Send {
        async {}
    }
}
