use std::convert::Infallible;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt, stream};

/// How often to send a keep-alive.
const ALIVE: Duration = Duration::from_secs(10);

/// The time before browsers reconnect.
const RETRY: Duration = Duration::from_secs(1);

/// Makes proxies pass each event on at once; by default, nginx collects them in a buffer.
const UNBUFFERED: (&str, &str) = ("x-accel-buffering", "no");

/// Sends server-sent events as they come, in batches. Idle streams send `alive`, which pages can hear.
pub fn events(batches: impl Stream<Item = Vec<Event>> + Send + 'static) -> Response {
    let retry = stream::iter([Event::default().retry(RETRY)]);
    let events = retry.chain(batches.flat_map(stream::iter)).map(Ok::<_, Infallible>);
    let alive = KeepAlive::new().interval(ALIVE).event(Event::default().event("alive").data("1"));
    ([UNBUFFERED], Sse::new(events).keep_alive(alive)).into_response()
}
