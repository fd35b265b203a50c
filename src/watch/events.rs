//! Pages of tournaments and ladders.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};

use super::answers::{Refusal, missing, object, text};
use super::event_page::{Stamps, is_event_folder, stamps};
use super::folder::Folder;
use super::site::Site;
use super::stream::{ALIVE, Counted, RETRY, events};

/// How often the files of an event are looked at that somebody watches.
const TICK: Duration = Duration::from_secs(1);

const PAGE: &str = include_str!("assets/event.html");

/// Lists the events.
pub(super) async fn all(State(site): State<Arc<Site>>) -> Response {
    let listed = spawn_blocking(move || {
        let folders = site.folders().iter().enumerate().filter(|(_, folder)| is_event_folder(folder));
        folders.map(|(number, folder)| json!({ "id": number.to_string(), "title": folder.title() })).collect::<Value>()
    });
    // A panic in there has been told of already.
    object(&listed.await.unwrap_or_default())
}

/// Shows the page of an event.
pub(super) async fn page(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Result<Response, Refusal> {
    found(&site, &id).await?;
    Ok(text("text/html", PAGE))
}

/// Tells what the page shows.
pub(super) async fn event(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let (number, _) = found(&site, &id).await?;
    let told = spawn_blocking(move || site.hall(number)).await.map_err(|_| missing())?;
    match told.ok_or_else(missing)? {
        Ok(told) => Ok(([(CONTENT_TYPE, "application/json")], format!("{told}\n")).into_response()),
        Err(error) => Err((StatusCode::INTERNAL_SERVER_ERROR, format!("the event cannot be read: {error}\n"))),
    }
}

/// Says each time that the event has changed.
pub(super) async fn changes(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let (_, folder) = found(&site, &id).await?;
    let onlooker = Onlooker {
        folder,
        seen: None,
        spoke: Instant::now(),
        greeting: Some(RETRY),
        _counted: Counted::new(&site.spectators),
    };
    Ok(events(Body::from_stream(stream::unfold(onlooker, Onlooker::next))))
}

async fn found(site: &Arc<Site>, id: &str) -> Result<(usize, Arc<Folder>), Refusal> {
    let number = id.parse::<usize>().ok().filter(|number| number.to_string() == id).ok_or_else(missing)?;
    let folder = site.folders().get(number).cloned().ok_or_else(missing)?;
    let is_there = spawn_blocking(move || is_event_folder(&folder).then_some(folder)).await;
    Ok((number, is_there.ok().flatten().ok_or_else(missing)?))
}

/// Somebody who looks at the page of an event.
struct Onlooker {
    folder: Arc<Folder>,
    seen: Option<Stamps>,
    spoke: Instant,
    greeting: Option<&'static str>,
    _counted: Counted,
}

impl Onlooker {
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        if let Some(greeting) = self.greeting.take() {
            return Some((Ok(Bytes::from_static(greeting.as_bytes())), self));
        }
        loop {
            // No more often than that, however fast games end.
            if self.seen.is_some() {
                sleep(TICK).await;
            }
            let folder = Arc::clone(&self.folder);
            let now = spawn_blocking(move || stamps(&folder)).await.ok()?;
            let text: &'static str = if self.seen != Some(now) {
                self.seen = Some(now);
                "event: change\ndata: now\n\n"
            } else if self.spoke.elapsed() >= ALIVE {
                ":\n\n"
            } else {
                ""
            };
            if !text.is_empty() {
                self.spoke = Instant::now();
                return Some((Ok(Bytes::from_static(text.as_bytes())), self));
            }
        }
    }
}
