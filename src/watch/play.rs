use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use amazons_pages::{Refusal, missing, object, read};
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;
use ts_rs::TS;

use super::frame::Page;
use super::play_seat::PlaySeat;
use super::responses::DONE;
use super::site::Site;
use super::stream::{one_game, resumed};
use super::turns::Turns;
use crate::human::{Hint, RefusedReply, hint};
use crate::referee::PlayerRequest;

/// The page of a person who plays.
const PAGE: Page = Page {
    title: "A game of the Amazons",
    has_heading: true,
    scripts: &["viewer.js", "game.js", "play.js"],
    body: include_str!("assets/play.html"),
};

/// A request from a player's page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    /// The number of moves played at the time.
    ply: usize,
    /// The number of the turn, so that a repeated request counts once.
    turn: Option<u64>,
    /// The move, if it makes one.
    #[serde(rename = "move")]
    mv: Option<String>,
}

/// A good move.
#[derive(Debug, Serialize, TS)]
pub(crate) struct HintView {
    text: String,
    /// Its player's chance of winning.
    win: f64,
}

/// Shows the page for playing.
pub(super) async fn play_page(State(site): State<Arc<Site>>, Path(token): Path<String>) -> Result<Response, Refusal> {
    let (game, place) = site.place(&token).ok_or_else(missing)?;
    Ok(PAGE.of_person(&format!("/play/{token}"), game, place.player.number()))
}

/// Sends the game, and the person's turn at once and on every change.
pub(super) async fn seat_events(
    State(site): State<Arc<Site>>,
    Path(token): Path<String>,
    Query(query): Query<HashMap<String, String>>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let (_, place) = site.place(&token).ok_or_else(missing)?;
    let game = Arc::clone(site.playing().ok_or_else(missing)?);
    Ok(one_game(&site, game, resumed(&query, &headers), Some(Turns::of(place))))
}

/// Executes a person's request.
pub(super) async fn request(
    State(site): State<Arc<Site>>,
    Path((token, name)): Path<(String, String)>,
    body: Body,
) -> Result<Response, Refusal> {
    let (_, place) = site.place(&token).ok_or_else(missing)?;
    let Request { ply, turn, mv } = read(body, "{\"ply\": N}").await?;
    let session = &place.session;
    let reply = match (name.as_str(), mv) {
        ("move", Some(text)) => {
            let position = session.position(ply, turn).map_err(refusal)?;
            Ok(position.parse_move(&text).map_err(|error| refusal(RefusedReply::Illegal(error.to_string())))?)
        }
        ("take_back", None) => Err(PlayerRequest::TakeBack),
        ("resign", None) => Err(PlayerRequest::Resign),
        ("hint", None) => return hints(place, ply).await,
        ("rematch", None) => return session.rematch().map_err(refusal).map(|()| object(&DONE)),
        _ => return Err(missing()),
    };
    session.reply(ply, turn, reply).map_err(refusal)?;
    Ok(object(&DONE))
}

fn refusal(refused: RefusedReply) -> Refusal {
    let status = match refused {
        RefusedReply::NotAsked | RefusedReply::Late | RefusedReply::NoRematch => StatusCode::CONFLICT,
        RefusedReply::Illegal(_) | RefusedReply::NothingToTakeBack => StatusCode::UNPROCESSABLE_ENTITY,
    };
    (status, format!("{refused}\n"))
}

async fn hints(place: &Arc<PlaySeat>, ply: usize) -> Result<Response, Refusal> {
    let position = place.session.position(ply, None).map_err(refusal)?;
    let busy = |_| (StatusCode::TOO_MANY_REQUESTS, "the engine is already thinking about a hint\n".to_owned());
    // Held until the engine has finished, even if the page no longer waits.
    let permit = Arc::clone(&place.hints).try_acquire_owned().map_err(busy)?;
    let thought = spawn_blocking(move || {
        let hints = hint(&position).map_err(|error| error.to_string());
        drop(permit);
        let told = |hint: Hint| HintView { text: position.board().move_text(hint.mv), win: hint.win.into() };
        hints.map(|hints| hints.into_iter().map(told).collect::<Vec<_>>())
    });
    match thought.await {
        Ok(Ok(hints)) => Ok(object(&BTreeMap::from([("hints", hints)]))),
        Ok(Err(reason)) => Err((StatusCode::UNPROCESSABLE_ENTITY, format!("no hint: {reason}\n"))),
        Err(_) => Err((StatusCode::INTERNAL_SERVER_ERROR, "no hint: the engine failed\n".to_owned())),
    }
}
