//! Requests for analyses, for the live engine and for games against bots.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::Path as FilePath;
use std::sync::Arc;
use std::time::Duration;

use amazons_formats::color;
use amazons_pages::{Access, Refusal, events, missing, object, read};
use amazons_rules::{Color, Shape};
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::response::sse::Event;
use futures_util::stream;
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;
use tokio::time::sleep;
use ts_rs::TS;

use super::analyses::{AnalysisState, Job, annotated};
use super::background::Answers;
use super::catalogue::{GameStatus, RecordEntry};
use super::follow::Follower;
use super::responses::DONE;
use super::site::Site;
use super::stream::Counted;
use crate::analysis::Query as LiveQuery;
use crate::game::{BoardArgs, starting_position};

/// The time for each position that is evaluated live, and the interval of reports.
const LIVE_MS: u64 = 20_000;
const LIVE_EVERY_MS: u64 = 200;

/// How often to check the file of an analysis.
const TICK: Duration = Duration::from_millis(250);

/// Limits of the time for each position of a game, in milliseconds.
const TIME_MS: std::ops::RangeInclusive<u64> = 10..=60_000;

/// The services of a server besides showing games.
#[derive(Debug, Serialize, TS)]
pub(crate) struct Offers {
    /// Whether it analyses games and positions.
    offered: bool,
    /// The players that visitors may play against.
    opponents: Vec<String>,
}

pub(super) async fn offers(State(site): State<Arc<Site>>) -> Response {
    object(&Offers { offered: site.analyses.is_some(), opponents: site.opponents.names() })
}

/// A request to start or to stop the analysis of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    time_ms: Option<u64>,
    #[serde(default)]
    stop: bool,
}

/// Starts or stops the analysis of a game.
pub(super) async fn request(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
    body: Body,
) -> Result<Response, Refusal> {
    let analyses = site.analyses.as_ref().ok_or_else(missing)?;
    let Request { time_ms, stop } = read(body, "{\"time_ms\": N} or {\"stop\": true}").await?;
    if stop {
        analyses.stop(&id);
        return Ok(object(&DONE));
    }
    let entry = site.find(&id).await.ok_or_else(missing)?;
    let refused = |status, reason: &str| Err((status, format!("{reason}\n")));
    match time_ms {
        Some(time_ms) if TIME_MS.contains(&time_ms) => {
            if entry.state() != GameStatus::Over {
                return refused(StatusCode::CONFLICT, "only a game that is over can be analysed");
            }
            // No link may lead out of the folder, and nothing but an earlier analysis is written.
            let kept = entry.folder.stamp(&annotated(FilePath::new(&entry.file)));
            if let Err(error) = kept
                && error.kind() != io::ErrorKind::NotFound
            {
                return refused(StatusCode::CONFLICT, &format!("the analysis cannot be kept: {error}"));
            }
            let record = entry.folder.path.join(&entry.file);
            if !analyses.add(Job { id, record, time_ms }) {
                return refused(StatusCode::TOO_MANY_REQUESTS, "too many games wait for their analysis: try later");
            }
        }
        _ => return refused(StatusCode::UNPROCESSABLE_ENTITY, "time_ms: use a number from 10 to 60000"),
    }
    Ok(object(&DONE))
}

/// Follows the annotated record beside a record, if there is one.
pub(super) fn annotated_record(entry: &RecordEntry, access: Access) -> Follower {
    Follower::new(Arc::clone(&entry.folder), annotated(FilePath::new(&entry.file)), access)
}

/// A spectator of the analysis of a game.
struct Spectator {
    site: Arc<Site>,
    id: String,
    /// The number of moves of the game.
    of: Option<u32>,
    follower: Follower,
    /// The number of moves annotated.
    ply: usize,
    is_done: bool,
    told: Option<AnalysisState>,
    _counted: Counted,
}

/// Sends the annotated record of a game as it grows, and the state of the analysis.
pub(super) async fn follow(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let entry: Arc<RecordEntry> = site.find(&id).await.ok_or_else(missing)?;
    let spectator = Spectator {
        of: entry.summary.as_ref().ok().and_then(|summary| summary.moves),
        follower: annotated_record(&entry, site.access),
        ply: 0,
        is_done: false,
        told: None,
        _counted: Counted::new(&site.spectators),
        id,
        site,
    };
    Ok(events(stream::unfold(spectator, Spectator::next)))
}

impl Spectator {
    async fn next(mut self) -> Option<(Vec<Event>, Self)> {
        loop {
            if self.is_done && self.told.as_ref().is_some_and(|told| told.state == "done") {
                return None;
            }
            let news;
            (self, news) = spawn_blocking(move || {
                let news = self.follower.read();
                (self, news)
            })
            .await
            .ok()?;
            // Before an analysis there is no file; one that cannot be read counts as missing.
            let lines = news.map_or_else(|_| Vec::new(), |news| news.lines);
            let mut told: Vec<Event> = lines.iter().filter_map(|line| self.take(line)).collect();
            let state = match &self.site.analyses {
                Some(analyses) => analyses.state(&self.id, self.ply, self.of, self.is_done),
                None => {
                    let state = if self.is_done { "done" } else { "none" };
                    AnalysisState { state, ply: self.ply, of: self.of, failure: None }
                }
            };
            if self.told.as_ref() != Some(&state) {
                told.push(Event::default().event("state").data(serde_json::to_string(&state).unwrap_or_default()));
                self.told = Some(state);
            }
            if !told.is_empty() {
                return Some((told, self));
            }
            sleep(TICK).await;
        }
    }

    /// Counts a line and makes an event of it, unless it is not of an annotated record.
    fn take(&mut self, line: &[u8]) -> Option<Event> {
        #[derive(Deserialize)]
        struct Line {
            event: String,
        }
        let text = std::str::from_utf8(line).ok()?;
        match &*serde_json::from_str::<Line>(text).ok()?.event {
            "start" => (self.ply, self.is_done) = (0, false),
            "move" => self.ply += 1,
            "end" => self.is_done = true,
            _ => {}
        }
        Some(Event::default().data(text.replace('\r', " ")))
    }
}

/// Evaluates a position for as long as somebody listens.
pub(super) async fn live(
    State(site): State<Arc<Site>>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, Refusal> {
    let analyses = site.analyses.as_ref().ok_or_else(missing)?;
    let busy = |_| (StatusCode::SERVICE_UNAVAILABLE, "the engine is thinking for others\n".to_owned());
    let permit = Arc::clone(&analyses.live).try_acquire_owned().map_err(busy)?;
    let number = |name: &str| query.get(name).and_then(|text| text.parse::<u32>().ok());
    let [position, shape] = ["position", "shape"].map(|name| query.get(name).cloned());
    let (size, lines) = (number("size"), number("lines").map(|lines| lines.min(10)));
    let (id, ownership) = ("live".to_owned(), query.contains_key("ownership"));
    let (time_ms, every_ms) = (Some(LIVE_MS), Some(LIVE_EVERY_MS));
    let asked = LiveQuery { id, position, shape, size, lines, ownership, time_ms, every_ms, ..LiveQuery::default() };
    let failed = |error: io::Error| (StatusCode::SERVICE_UNAVAILABLE, format!("the engine cannot start: {error}\n"));
    let answers = Answers::new(&asked).map_err(failed)?;
    let counted = Counted::new(&site.spectators);
    Ok(events(stream::unfold((answers, permit, counted), |(mut answers, permit, counted)| async move {
        let line = answers.next().await?;
        Some((vec![Event::default().data(line)], (answers, permit, counted)))
    })))
}

/// A request for a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GameRequest {
    opponent: String,
    position: Option<String>,
    shape: Option<String>,
    size: Option<u32>,
    /// The colour of the person.
    #[serde(rename = "color")]
    own: Option<String>,
}

/// Starts a game between a person and a player, in a process with its own address, and returns that.
pub(super) async fn play(State(site): State<Arc<Site>>, body: Body) -> Result<Response, Refusal> {
    let GameRequest { opponent, position, shape, size, own } = read(body, "{\"opponent\": NAME}").await?;
    let player = site.opponents.find(&opponent).ok_or_else(missing)?;
    let wrong = |reason: String| (StatusCode::UNPROCESSABLE_ENTITY, format!("{reason}\n"));
    let parsed = shape.as_deref().map(|name| name.parse::<Shape>().map_err(|error| wrong(error.to_string())));
    let board = BoardArgs { position, shape: parsed.transpose()?, size };
    let start = starting_position(&board).map_err(|error| wrong(error.to_string()))?;
    let [black, white] = Color::ALL.map(|color| start.queens(color).len());
    if black != white || black == 0 {
        return Err(wrong(format!("{black} black and {white} white queens: both sides need the same number")));
    }
    let side = start.side_to_move();
    let own = own.as_deref().map_or(Ok(side), color::named).map_err(wrong)?;
    let busy = || (StatusCode::TOO_MANY_REQUESTS, "too many games are being played: try later\n".to_owned());
    let address = site.opponents.start(player, &board, own == side).ok_or_else(busy)?;
    let failed = |reason: String| (StatusCode::INTERNAL_SERVER_ERROR, format!("the game cannot start: {reason}\n"));
    let address = address.await.unwrap_or_else(|_| Err("the server has failed".to_owned()));
    Ok(object(&BTreeMap::from([("url", address.map_err(failed)?)])))
}
