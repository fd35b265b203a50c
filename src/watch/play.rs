use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use futures_util::stream;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::answers::{Refusal, missing, object, text};
use super::guard::WISH_MAX;
use super::play_seat::PlaySeat;
use super::site::Site;
use super::stream::{ALIVE, RETRY, events};
use crate::human::{Hint, Refused, Turn, hint};
use crate::referee;

/// The page of somebody who plays; the words in capitals are put in.
const PAGE: &str = include_str!("assets/play.html");

/// How long what somebody wants may take to come.
const PATIENCE: Duration = Duration::from_secs(10);

/// What somebody wants who plays.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerRequest {
    /// How many moves were played when it was wanted.
    ply: usize,
    /// The move, if that is what is wanted.
    #[serde(rename = "move")]
    mv: Option<String>,
}

/// Shows the page on which a person plays.
pub(super) async fn play_page(State(site): State<Arc<Site>>, Path(token): Path<String>) -> Result<Response, Refusal> {
    let (game, place) = site.place(&token).ok_or_else(missing)?;
    Ok(text("text/html", PAGE.replace("GAME", game).replace("PLAYER", &place.player().number().to_string())))
}

/// Sends what a person is to know of its turn as server-sent events: at once, and whenever that changes.
pub(super) async fn turns(State(site): State<Arc<Site>>, Path(token): Path<String>) -> Result<Response, Refusal> {
    let (_, place) = site.place(&token).ok_or_else(missing)?;
    place.session.come();
    let news = place.session.subscribe();
    let follower = Follower { place: Arc::clone(place), news, told: None };
    Ok(events(Body::from_stream(stream::unfold(follower, Follower::next))))
}

/// A page that shows a person its turns.
struct Follower {
    place: Arc<PlaySeat>,
    news: watch::Receiver<()>,
    told: Option<Turn>,
}

impl Follower {
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        loop {
            self.news.mark_unchanged();
            let turn = self.place.session.turn();
            // What is left of the time is counted there.
            let is_known = self.told.is_some_and(|told| Turn { left: turn.left, ..told } == turn);
            if !is_known {
                let greeting = if self.told.is_none() { RETRY } else { "" };
                self.told = Some(turn);
                return Some((Ok(format!("{greeting}data: {}\n\n", told(turn)).into()), self));
            }
            match timeout(ALIVE, self.news.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return None,
                Err(_) => return Some((Ok(Bytes::from_static(b":\n\n")), self)),
            }
        }
    }
}

fn told(turn: Turn) -> Value {
    let millis = |time: Option<Duration>| time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
    let Turn { ply, can_take_back, limit, left, is_over } = turn;
    json!({
        "ply": ply, "can_take_back": can_take_back, "limit_ms": millis(limit), "left_ms": millis(left), "over": is_over,
    })
}

/// Does what a person wants, if it may.
pub(super) async fn wish(
    State(site): State<Arc<Site>>,
    Path((token, name)): Path<(String, String)>,
    body: Body,
) -> Result<Response, Refusal> {
    let (_, place) = site.place(&token).ok_or_else(missing)?;
    let body = timeout(PATIENCE, to_bytes(body, WISH_MAX)).await;
    let body = body.map_err(|_| (StatusCode::REQUEST_TIMEOUT, "it took too long to come\n".to_owned()))?;
    let wish = body.ok().and_then(|body| serde_json::from_slice::<PlayerRequest>(&body).ok());
    let wish = wish.ok_or_else(|| (StatusCode::BAD_REQUEST, "unknown request: expected {\"ply\": N}\n".to_owned()))?;
    match (name.as_str(), wish.mv) {
        ("move", Some(text)) => play(place, wish.ply, &text).map_err(refusal)?,
        ("take_back", None) => place.session.reply(wish.ply, Err(referee::PlayerRequest::TakeBack)).map_err(refusal)?,
        ("resign", None) => place.session.reply(wish.ply, Err(referee::PlayerRequest::Resign)).map_err(refusal)?,
        ("hint", None) => return hints(place, wish.ply).await,
        _ => return Err(missing()),
    }
    Ok(object(&json!({})))
}

fn play(place: &PlaySeat, ply: usize, text: &str) -> Result<(), Refused> {
    let position = place.session.position(ply)?;
    let mv = position.board().parse_move(text).map_err(|error| Refused::Illegal(error.to_string()))?;
    place.session.reply(ply, Ok(mv))
}

fn refusal(refused: Refused) -> Refusal {
    let status = match refused {
        Refused::NotAsked | Refused::Late => StatusCode::CONFLICT,
        Refused::Illegal(_) | Refused::NothingToTakeBack => StatusCode::UNPROCESSABLE_ENTITY,
    };
    (status, format!("{refused}\n"))
}

async fn hints(place: &Arc<PlaySeat>, ply: usize) -> Result<Response, Refusal> {
    let position = place.session.position(ply).map_err(refusal)?;
    let busy = |_| (StatusCode::TOO_MANY_REQUESTS, "the engine is thinking about a hint already\n".to_owned());
    // Kept until the engine has thought, whether somebody still waits for it or not.
    let permit = Arc::clone(&place.hints).try_acquire_owned().map_err(busy)?;
    let thought = spawn_blocking(move || {
        let hints = hint(&position).map_err(|error| error.to_string());
        drop(permit);
        let told = |hint: Hint| json!({ "text": position.board().move_text(hint.mv), "win": hint.win });
        hints.map(|hints| hints.into_iter().map(told).collect::<Vec<_>>())
    });
    match thought.await {
        Ok(Ok(hints)) => Ok(object(&json!({ "hints": hints }))),
        Ok(Err(reason)) => Err((StatusCode::UNPROCESSABLE_ENTITY, format!("no hint: {reason}\n"))),
        Err(_) => Err((StatusCode::INTERNAL_SERVER_ERROR, "no hint: the engine failed\n".to_owned())),
    }
}
