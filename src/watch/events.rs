//! Pages of tournaments and ladders.

use std::sync::Arc;
use std::time::Duration;

use amazons_pages::{Refusal, events, missing, object};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::event_page::{is_event_folder, stamps};
use super::event_view::EventSummary;
use super::folder::Folder;
use super::frame::Page;
use super::site::Site;
use super::stream::Counted;

/// How often to check an event's files while its page is open.
const TICK: Duration = Duration::from_secs(1);

pub(crate) const EVENT: Page = Page {
    title: "A tournament of the Amazons",
    has_heading: false,
    scripts: &["endings.js", "small_board.js", "tables.js", "event.js"],
    body: include_str!("assets/event.html"),
};

/// Lists the events.
pub(super) async fn all(State(site): State<Arc<Site>>) -> Response {
    let listed = spawn_blocking(move || {
        let folders = site.folders().iter().enumerate().filter(|(_, folder)| is_event_folder(folder));
        let pages = folders.map(|(number, folder)| (number, folder, site.event_page(number).and_then(Result::ok)));
        let pages: Vec<_> = pages.collect();
        let events = pages.iter().map(|(number, folder, page)| EventSummary {
            id: number.to_string(),
            title: folder.title(),
            state: page.as_ref().map(|page| page.view.state()),
        });
        object(&events.collect::<Vec<_>>())
    });
    // A panic in there has been reported already.
    listed.await.unwrap_or_else(|_| object(&()))
}

/// Shows the page of an event.
pub(super) async fn page(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Result<Response, Refusal> {
    found(&site, &id).await?;
    Ok(EVENT.at(site.places, &format!("/event/{id}")))
}

/// Sends the page's content.
pub(super) async fn event(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let (number, _) = found(&site, &id).await?;
    let told = spawn_blocking(move || site.event_page(number)).await.map_err(|_| missing())?;
    match told.ok_or_else(missing)? {
        Ok(told) => Ok(([(CONTENT_TYPE, "application/json")], format!("{}\n", told.json)).into_response()),
        Err(error) => Err((StatusCode::INTERNAL_SERVER_ERROR, format!("the event cannot be read: {error}\n"))),
    }
}

/// Sends an event each time the page changes.
pub(super) async fn changes(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let (_, folder) = found(&site, &id).await?;
    let counted = Counted::new(&site.spectators);
    let changes = stream::unfold((folder, None, counted), |(folder, seen, counted)| async move {
        loop {
            // At most that often, however fast games end.
            if seen.is_some() {
                sleep(TICK).await;
            }
            let looked_at = Arc::clone(&folder);
            let now = spawn_blocking(move || stamps(&looked_at)).await.ok()?;
            if seen != Some(now) {
                return Some((vec![Event::default().event("change").data("now")], (folder, Some(now), counted)));
            }
        }
    });
    Ok(events(changes))
}

async fn found(site: &Arc<Site>, id: &str) -> Result<(usize, Arc<Folder>), Refusal> {
    let number = id.parse::<usize>().ok().filter(|number| number.to_string() == id).ok_or_else(missing)?;
    let folder = site.folders().get(number).cloned().ok_or_else(missing)?;
    let is_there = spawn_blocking(move || is_event_folder(&folder).then_some(folder)).await;
    Ok((number, is_there.ok().flatten().ok_or_else(missing)?))
}
