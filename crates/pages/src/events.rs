use std::convert::Infallible;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt, stream};

/// How often to send a keep-alive.
const ALIVE: Duration = Duration::from_secs(10);

/// The time before browsers reconnect.
const RETRY: Duration = Duration::from_secs(1);

/// Sends server-sent events as they come, in batches.
pub fn events(batches: impl Stream<Item = Vec<Event>> + Send + 'static) -> Response {
    let retry = stream::iter([Event::default().retry(RETRY)]);
    let events = retry.chain(batches.flat_map(stream::iter)).map(Ok::<_, Infallible>);
    Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE)).into_response()
}
