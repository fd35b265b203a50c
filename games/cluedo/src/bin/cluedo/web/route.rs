//! The common part of all pages' addresses.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use amazons_pages::{PAGE_JS, Refusal, events, missing, text};
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use cluedo::record::Viewer;
use futures_util::{StreamExt, stream};
use tokio::time::sleep;

use crate::show::viewer;

/// How often to look whether a game went on.
const TICK: Duration = Duration::from_millis(200);

const ASSETS: [(&str, &str, &str); 5] = [
    ("page.js", "text/javascript", PAGE_JS),
    ("cluedo.css", "text/css", include_str!("assets/cluedo.css")),
    ("index.js", "text/javascript", include_str!("assets/index.js")),
    ("game.js", "text/javascript", include_str!("assets/game.js")),
    ("play.js", "text/javascript", include_str!("assets/play.js")),
];

/// The common part of a game's pages: the suggestions, and the grid.
const MOMENT: &str = include_str!("assets/moment.html");

pub(super) fn with_moment(page: &str) -> String {
    page.replace("MOMENT", MOMENT)
}

/// Answers with a script or a style sheet.
pub(crate) async fn asset(Path(name): Path<String>) -> Response {
    match ASSETS.iter().find(|asset| asset.0 == name) {
        Some((_, kind, asset)) => text(kind, *asset),
        None => missing().into_response(),
    }
}

/// How long a program that ends waits for pages that follow its games: they learn of the end, and ask for it.
const FAREWELL: Duration = Duration::from_secs(1);

/// Counts pages that follow a game: a copy for each.
#[derive(Clone, Debug, Default)]
pub(super) struct Followed(Arc<()>);

impl Followed {
    /// Waits a little, if there is such a page.
    pub(super) async fn farewell(&self) {
        if Arc::strong_count(&self.0) > 1 {
            sleep(FAREWELL).await;
        }
    }
}

/// The words of a query.
pub(super) type Words = HashMap<String, String>;

/// Returns who looks, and at which moment.
pub(super) fn moment(words: &Words) -> Result<(Option<Viewer>, Option<usize>), Refusal> {
    let wrong = |why: String| (StatusCode::BAD_REQUEST, format!("{why}\n"));
    let viewer = words.get("view").map(|text| viewer(text)).transpose().map_err(|why| wrong(format!("view: {why}")))?;
    let ply = words.get("ply").map(|text| text.parse()).transpose();
    Ok((viewer, ply.map_err(|_| wrong("ply: write the number of a turn".to_owned()))?))
}

/// Sends a number at once and on every change, until it becomes `None`.
pub(super) fn changes<F>(stamp: impl Fn() -> F + Send + Sync + 'static) -> Response
where
    F: Future<Output = Option<usize>> + Send + 'static,
{
    let numbers = stream::unfold((stamp, None), |(stamp, seen)| async move {
        loop {
            let now = stamp().await?;
            if seen != Some(now) {
                return Some((now, (stamp, Some(now))));
            }
            sleep(TICK).await;
        }
    });
    events(numbers.map(|number| vec![Event::default().data(number.to_string())]))
}
