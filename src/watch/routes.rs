use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use amazons_pages::{PAGE_JS, Pages, Refusal, missing, object, split_play, text};
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde::Serialize;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};
use ts_rs::TS;

use super::downloads::{converted, record};
use super::engine;
use super::events;
use super::frame::Page;
use super::logs::log;
use super::play::{play_page, request, seat_events};
use super::positions::position;
use super::query::{GamePage, GameRow, Query as ListQuery};
use super::responses::unreadable;
use super::site::Site;
use super::stream::{live_games, one_game, resumed};
use super::summary::SummaryError;

/// The pages and their resources, by the last part of their addresses.
pub(crate) const ASSETS: [(&str, &str, &str); 15] = [
    ("look.css", "text/css", amazons_look::LOOK_CSS),
    ("page.js", "text/javascript", PAGE_JS),
    ("viewer.js", "text/javascript", amazons_formats::VIEWER_JS),
    ("endings.js", "text/javascript", amazons_formats::ENDINGS_JS),
    ("viewer.css", "text/css", amazons_formats::VIEWER_CSS),
    ("watch.css", "text/css", include_str!("assets/watch.css")),
    ("event.js", "text/javascript", include_str!("assets/event.js")),
    ("tables.js", "text/javascript", include_str!("assets/tables.js")),
    ("index.js", "text/javascript", include_str!("assets/index.js")),
    ("engine.js", "text/javascript", include_str!("assets/engine.js")),
    ("game.js", "text/javascript", include_str!("assets/game.js")),
    ("editor.js", "text/javascript", include_str!("assets/editor.js")),
    ("position.js", "text/javascript", include_str!("assets/position.js")),
    ("play.js", "text/javascript", include_str!("assets/play.js")),
    ("small_board.js", "text/javascript", include_str!("assets/small_board.js")),
];
pub(crate) const INDEX: Page = Page {
    title: "Games of the Amazons",
    has_heading: false,
    scripts: &["endings.js", "small_board.js", "index.js"],
    body: include_str!("assets/index.html"),
};
const GAME: Page = Page {
    title: "A game of the Amazons",
    has_heading: true,
    scripts: &["viewer.js", "engine.js", "game.js"],
    body: include_str!("assets/game.html"),
};
const POSITION: Page = Page {
    title: "A position of the Amazons",
    has_heading: true,
    scripts: &["viewer.js", "engine.js", "editor.js", "position.js"],
    body: include_str!("assets/position.html"),
};

/// The content of the first page.
#[derive(Debug, Serialize, TS)]
pub(crate) struct GameList {
    /// The game that is played here.
    #[ts(type = "ListedGame | null")]
    playing: Option<GameRow>,
    list: Option<GamePage>,
}

/// How long spectators may take to receive the end of a game.
const FAREWELL: Duration = Duration::from_secs(1);

/// The same for players: their hidden pages check every five seconds.
const RETURN: Duration = Duration::from_secs(7);

impl Pages for Site {
    fn routes(self: Arc<Self>) -> Router {
        Router::new()
            .route("/", get(index))
            .route("/game/{id}", get(game_page))
            .route("/event/{id}", get(events::page))
            .route("/editor", get(async |State(site): State<Arc<Self>>| POSITION.at(site.places, "/editor")))
            .route("/analysis", get(async |State(site): State<Arc<Self>>| POSITION.at(site.places, "/analysis")))
            .route("/assets/{name}", get(asset))
            .route("/play/{token}", get(play_page))
            .route("/play/{token}/events", get(seat_events))
            .route("/play/{token}/{request}", post(request))
            .route("/api/events", get(events::all))
            .route("/api/events/{id}", get(events::event))
            .route("/api/events/{id}/changes", get(events::changes))
            .route("/api/analysis", get(engine::offers))
            .route("/api/analysis/live", get(engine::live))
            .route("/api/games/{id}/analysis", get(engine::follow).post(engine::request))
            .route("/api/play", post(engine::play))
            .route("/api/games", get(games))
            .route("/api/position", get(position))
            .route("/api/live", get(|State(site): State<Arc<Self>>| async { live_games(site) }))
            .route("/api/games/{id}", get(game))
            .route("/api/games/{id}/events", get(game_events))
            .route("/api/games/{id}/record", get(record))
            .route("/api/games/{id}/as/{format}", get(converted))
            .route("/api/games/{id}/log/{player}", get(log))
            .fallback(|| async { missing() })
            .with_state(self)
    }

    fn player<'a>(&self, path: &'a str) -> Option<(usize, &'a str)> {
        let (token, rest) = split_play(path)?;
        Some((self.place(token)?.1.player.number().into(), rest))
    }

    async fn run(self: Arc<Self>) {
        if let Some(game) = self.playing() {
            return game.notify().await;
        }
        // The first spectator need not wait until all records have been read.
        drop(spawn_blocking(move || self.listing()).await);
    }

    async fn farewell(&self) {
        if !self.playing().is_some_and(|game| game.length().is_over) {
            return;
        }
        let begun = Instant::now();
        while begun.elapsed() < if self.is_awaited() { RETURN } else { FAREWELL }
            && (self.spectators.load(Ordering::Relaxed) > 0 || self.is_awaited())
        {
            sleep(Duration::from_millis(5)).await;
        }
        // One more turn passes the last writes to the kernel.
        sleep(Duration::from_millis(20)).await;
    }
}

/// Shows the list, or the game played here if there is no list.
async fn index(State(site): State<Arc<Site>>) -> Response {
    match site.playing_id() {
        Some(id) => Redirect::to(&format!("/game/{id}")).into_response(),
        None => INDEX.at(site.places, "/"),
    }
}

/// Returns a resource of the pages.
pub(crate) async fn asset(Path(name): Path<String>) -> Response {
    match ASSETS.iter().find(|asset| asset.0 == name) {
        Some((_, kind, asset)) => text(kind, *asset),
        None => missing().into_response(),
    }
}

async fn game_page(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Response {
    match row(&site, &id).await {
        Some(_) => GAME.at(site.places, ""),
        None => missing().into_response(),
    }
}

async fn games(State(site): State<Arc<Site>>, Query(query): Query<ListQuery>) -> Response {
    let playing = site.playing_row();
    let page = spawn_blocking(move || query.page_of(&site.listing())).await;
    // A panic in there has been reported already.
    object(&GameList { playing, list: page.ok() })
}

async fn row(site: &Arc<Site>, id: &str) -> Option<GameRow> {
    match site.playing_row().filter(|row| row.id == id) {
        Some(row) => Some(row),
        None if site.is_playing(id) => Some(GameRow::of_game(id, Err(SummaryError::NotBegun))),
        None => site.find(id).await.map(|entry| GameRow::new(&entry)),
    }
}

async fn game(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Response {
    match row(&site, &id).await {
        Some(row) => object(&row),
        None => missing().into_response(),
    }
}

async fn game_events(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
    Query(query): Query<HashMap<String, String>>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let game = site.open(&id).await.map_err(|error| unreadable(&error))?;
    Ok(one_game(&site, game, resumed(&query, &headers), None))
}
