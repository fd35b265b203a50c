//! The pages for those who look on.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use amazons_pages::{Pages, Refusal, missing, object};
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use cluedo::line::record::Entry;
use cluedo::record::{Stories, Story, Viewer};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::folder::Folder;
use super::route::{Followed, Words, aside, asset, moment, seen};
use super::state::{stamp, state};

const INDEX: &str = include_str!("assets/index.html");
const GAME: &str = include_str!("assets/game.html");

/// How many games a list has at a time.
const PAGE: usize = 100;

/// How many answers are kept: many people look at the same moment.
const KEPT: usize = 64;

#[derive(Debug)]
pub(crate) enum Source {
    Records(Folder),
    Live(Arc<LiveTables>),
}

/// Which answer it is: game, what has happened, who looks, when.
type Key = (String, usize, String, Option<usize>);

/// Pages of records or of a running server.
pub(crate) struct Site {
    source: Source,
    answers: Mutex<HashMap<Key, Value>>,
    /// Limits the number of counts at a time; others wait.
    counts: Semaphore,
    followed: Followed,
}

impl Site {
    pub(crate) fn new(source: Source) -> Arc<Self> {
        Arc::new(Self { source, answers: Mutex::default(), counts: Semaphore::new(2), followed: Followed::default() })
    }

    /// Returns a game by its name in addresses, as `t0g3`, after the name of a file if there are files.
    fn find(&self, id: &str) -> Option<Arc<Story>> {
        let (file, place) = match id.split_once('-') {
            Some((file, place)) => (Some(file), place),
            None => (None, id),
        };
        let (table, game) = place.strip_prefix('t')?.split_once('g')?;
        let (table, game) = (table.parse().ok()?, game.parse().ok()?);
        match &self.source {
            Source::Live(tables) => tables.find(table, game).filter(|_| file.is_none()),
            Source::Records(folder) => {
                let read = folder.read(file?)?;
                read.games.iter().find(|story| story.table == table && story.game == game).cloned()
            }
        }
    }

    fn list(&self, from: usize) -> Value {
        let mut games = Vec::new();
        let mut defects = Vec::new();
        let total = match &self.source {
            Source::Live(tables) => tables.each(from, PAGE, |story| games.push(row("", "", story))),
            Source::Records(folder) => {
                let mut total = 0;
                for (id, name) in folder.files() {
                    let Some(read) = folder.read(&id) else { continue };
                    let skipped = from.saturating_sub(total).min(read.games.len());
                    let room = PAGE - games.len();
                    games.extend(read.games.iter().skip(skipped).take(room).map(|story| row(&id, &name, story)));
                    total += read.games.len();
                    defects.extend(read.defect.iter().take(1).map(|defect| format!("{name}: {defect}")));
                }
                total
            }
        };
        defects.truncate(PAGE);
        json!({ "games": games, "from": from, "total": total, "defects": defects })
    }
}

fn row(file: &str, name: &str, story: &Story) -> Value {
    let separator = if file.is_empty() { "" } else { "-" };
    json!({
        "id": format!("{file}{separator}t{}g{}", story.table, story.game),
        "file": name,
        "table": story.table,
        "game": story.game,
        "seats": story.seats,
        "turns": story.turns.len(),
        "ending": story.ending.map(|ending| crate::show::ending_text(story, ending)),
    })
}

impl Pages for Site {
    fn routes(self: Arc<Self>) -> Router {
        Router::new()
            .route("/", get(|| async { super::route::page("Games of Cluedo", &["page.js", "index.js"], INDEX) }))
            .route("/game/{id}", get(page))
            .route("/assets/{name}", get(asset))
            .route("/api/games", get(list))
            .route("/api/games/{id}/state", get(game_state))
            .route("/api/games/{id}/changes", get(game_changes))
            .fallback(|| async { missing() })
            .with_state(self)
    }

    async fn farewell(&self) {
        self.followed.farewell().await;
    }
}

async fn found(site: &Arc<Site>, id: &str) -> Result<Arc<Story>, Refusal> {
    let (site, id) = (Arc::clone(site), id.to_owned());
    aside(move || site.find(&id)).await?.ok_or_else(missing)
}

async fn page(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Result<Response, Refusal> {
    found(&site, &id).await?;
    Ok(super::route::page("A game of Cluedo", &["page.js", "game.js"], GAME))
}

async fn list(State(site): State<Arc<Site>>, Query(words): Query<Words>) -> Result<Response, Refusal> {
    let from = words.get("from").and_then(|from| from.parse().ok()).unwrap_or(0);
    Ok(object(&aside(move || site.list(from)).await?))
}

async fn game_state(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
    Query(words): Query<Words>,
) -> Result<Response, Refusal> {
    let (viewer, ply) = moment(&words)?;
    let viewer = viewer.unwrap_or(Viewer::Spectator);
    let closed = |_| (StatusCode::SERVICE_UNAVAILABLE, "the server ends\n".to_owned());
    let _place = site.counts.acquire().await.map_err(closed)?;
    let story = found(&site, &id).await?;
    let key = (format!("{id} {}", story.commitment), stamp(&story), super::state::viewer_name(viewer), ply);
    if let Some(known) = site.answers.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return Ok(object(known));
    }
    let value = seen(aside(move || state(&story, viewer, ply)).await?)?;
    let mut answers = site.answers.lock().unwrap_or_else(PoisonError::into_inner);
    if answers.len() >= KEPT {
        answers.clear();
    }
    answers.insert(key, value.clone());
    Ok(object(&value))
}

async fn game_changes(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Result<Response, Refusal> {
    found(&site, &id).await?;
    let followed = site.followed.clone();
    Ok(followed.changes(move || {
        let (site, id) = (Arc::clone(&site), id.clone());
        async move { found(&site, &id).await.ok().map(|story| stamp(&story)) }
    }))
}

/// How many games that are over can still be looked at.
const MAX_OVER: usize = 1_000;

/// The spectators' view of all tables: the lines of their records. Only the last line of a game has secrets.
#[derive(Debug, Default)]
pub(crate) struct LiveTables(Mutex<Stories>);

impl LiveTables {
    pub(crate) fn push(&self, entry: &Entry) {
        let mut stories = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The server's own lines make sense.
        let _ = stories.entry(entry);
        if let Entry::End { .. } = entry {
            let over = stories.games.iter().filter(|story| story.ending.is_some()).count();
            if over > 2 * MAX_OVER {
                let mut surplus = 0..over - MAX_OVER;
                stories.forget(|_| surplus.next().is_some());
            }
        }
    }

    fn find(&self, table: u64, game: u64) -> Option<Arc<Story>> {
        let stories = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = stories.games.iter().rev().find(|story| story.table == table && story.game == game);
        found.map(|story| Arc::new(story.clone()))
    }

    /// Calls a function for some of the games, running ones first; returns how many there are.
    fn each(&self, from: usize, count: usize, mut show: impl FnMut(&Story)) -> usize {
        let stories = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let games = &stories.games;
        let over = |is_over: bool| games.iter().rev().filter(move |story| story.ending.is_some() == is_over);
        over(false).chain(over(true)).skip(from).take(count).for_each(&mut show);
        games.len()
    }
}
