//! The common part of all pages' addresses.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use amazons_pages::{PAGE_JS, PLAY, Pages, Refusal, Server, Token, events, missing, split_play, text};
use amazons_program::Exit;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use cluedo::record::Viewer;
use futures_util::{StreamExt, stream};
use serde_json::Value;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::{Address, failed};
use crate::values::viewer;

/// How often to look whether a game went on.
const TICK: Duration = Duration::from_millis(200);

const ASSETS: [(&str, &str, &str); 6] = [
    ("look.css", "text/css", amazons_look::LOOK_CSS),
    ("page.js", "text/javascript", PAGE_JS),
    ("cluedo.css", "text/css", include_str!("assets/cluedo.css")),
    ("index.js", "text/javascript", include_str!("assets/index.js")),
    ("game.js", "text/javascript", include_str!("assets/game.js")),
    ("play.js", "text/javascript", include_str!("assets/play.js")),
];

/// The frame around the body of every page, and the common part of the pages of games: suggestions and grid.
const FRAME: &str = include_str!("assets/frame.html");
const MOMENT: &str = include_str!("assets/moment.html");

/// Answers with a page that runs these scripts.
pub(crate) fn page(title: &str, scripts: &[&str], body: &str) -> Response {
    let script = |name: &&str| format!("<script src=\"/assets/{name}\" defer></script>\n");
    let scripts: String = scripts.iter().map(script).collect();
    let page = FRAME.replace("TITLE", title).replace("SCRIPTS", &scripts).replace("BODY", body);
    text("text/html", page.replace("MOMENT", MOMENT))
}

/// The right to open a person's own page, as part of its address.
pub(crate) struct Key(Token);

impl Key {
    pub(crate) fn new() -> Result<Self, Exit> {
        Token::new().map(Self).map_err(failed)
    }

    pub(crate) fn check(&self, token: &str) -> Result<(), Refusal> {
        if self.0.is(token) { Ok(()) } else { Err(missing()) }
    }

    /// Splits a path at the key, as the person's connections need it.
    pub(crate) fn player<'a>(&self, path: &'a str) -> Option<(usize, &'a str)> {
        let (token, rest) = split_play(path)?;
        self.0.is(token).then_some((0, rest))
    }

    /// Shows the page; returns its server and its address.
    pub(crate) fn serve(&self, address: Address, pages: Arc<impl Pages>) -> Result<(Server, String), Exit> {
        let server = address.serve(pages)?;
        let url = format!("{}{}{}", server.url(), PLAY.trim_start_matches('/'), self.0.as_str());
        Ok((server, url))
    }
}

/// Runs what may take a while on another thread.
pub(crate) async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
    let failed = |_| (StatusCode::INTERNAL_SERVER_ERROR, "this failed\n".to_owned());
    spawn_blocking(work).await.map_err(failed)
}

/// Answers with what a viewer may see.
pub(super) fn seen(state: Option<Value>) -> Result<Value, Refusal> {
    state.ok_or_else(|| (StatusCode::FORBIDDEN, "this can be seen after the end of the game\n".to_owned()))
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
    /// Sends a number at once and on every change, until it becomes `None`.
    pub(super) fn changes<F>(&self, stamp: impl Fn() -> F + Send + Sync + 'static) -> Response
    where
        F: Future<Output = Option<usize>> + Send + 'static,
    {
        let numbers = stream::unfold((stamp, None, self.clone()), |(stamp, seen, followed)| async move {
            loop {
                let now = stamp().await?;
                if seen != Some(now) {
                    return Some((now, (stamp, Some(now), followed)));
                }
                sleep(TICK).await;
            }
        });
        events(numbers.map(|number| vec![Event::default().data(number.to_string())]))
    }

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
