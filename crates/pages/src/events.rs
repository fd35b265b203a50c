use std::convert::Infallible;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt, stream};

/// The interval of keep-alives.
const KEEP_ALIVE_EVERY: Duration = Duration::from_secs(10);

/// How long browsers wait before they reconnect.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Makes proxies pass each event on at once; by default, nginx collects them in a buffer.
const UNBUFFERED: (&str, &str) = ("x-accel-buffering", "no");

/// Sends server-sent events as they come, in batches. Idle streams send `alive`, which pages can observe.
pub fn events(batches: impl Stream<Item = Vec<Event>> + Send + 'static) -> Response {
    let retry = stream::iter([Event::default().retry(RETRY_AFTER)]);
    let events = retry.chain(batches.flat_map(stream::iter)).map(Ok::<_, Infallible>);
    let alive = KeepAlive::new().interval(KEEP_ALIVE_EVERY).event(Event::default().event("alive").data("1"));
    ([UNBUFFERED], Sse::new(events).keep_alive(alive)).into_response()
}
