use std::sync::Arc;
use std::time::Duration;

use amazons_pages::{Refusal, events, missing, object, read, text};
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::response::sse::Event;
use futures_util::stream;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::play_seat::PlaySeat;
use super::site::Site;
use crate::human::{Hint, Refused, Turn, hint};
use crate::referee::PlayerRequest;

/// The page of a person who plays; words in capitals are placeholders.
const PAGE: &str = include_str!("assets/play.html");

/// A request from a player's page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    /// How many moves had been played at the time.
    ply: usize,
    /// The move, if it asks for one.
    #[serde(rename = "move")]
    mv: Option<String>,
}

/// Shows the page for playing.
pub(super) async fn play_page(State(site): State<Arc<Site>>, Path(token): Path<String>) -> Result<Response, Refusal> {
    let (game, place) = site.place(&token).ok_or_else(missing)?;
    let number = place.player().number().to_string();
    Ok(text("text/html", PAGE.replace("TOKEN", &token).replace("GAME", game).replace("PLAYER", &number)))
}

/// Sends a person's turn as server-sent events: at once, and on every change.
pub(super) async fn turns(State(site): State<Arc<Site>>, Path(token): Path<String>) -> Result<Response, Refusal> {
    let (_, place) = site.place(&token).ok_or_else(missing)?;
    place.session.come();
    let start = (Arc::clone(place), place.session.subscribe(), None);
    let turns = stream::unfold(start, |(place, mut news, seen): (_, _, Option<Turn>)| async move {
        loop {
            news.mark_unchanged();
            let turn = place.session.turn();
            // The page itself counts down the time.
            let is_known = seen.is_some_and(|seen| Turn { left: turn.left, ..seen } == turn);
            if !is_known {
                return Some((vec![Event::default().data(told(turn).to_string())], (place, news, Some(turn))));
            }
            news.changed().await.ok()?;
        }
    });
    Ok(events(turns))
}

fn told(turn: Turn) -> Value {
    let millis = |time: Option<Duration>| time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
    let Turn { ply, can_take_back, limit, left, is_over } = turn;
    json!({
        "ply": ply, "can_take_back": can_take_back, "limit_ms": millis(limit), "left_ms": millis(left), "over": is_over,
    })
}

/// Executes a person's request.
pub(super) async fn request(
    State(site): State<Arc<Site>>,
    Path((token, name)): Path<(String, String)>,
    body: Body,
) -> Result<Response, Refusal> {
    let (_, place) = site.place(&token).ok_or_else(missing)?;
    let request: Request = read(body, "{\"ply\": N}").await?;
    match (name.as_str(), request.mv) {
        ("move", Some(text)) => play(place, request.ply, &text).map_err(refusal)?,
        ("take_back", None) => place.session.reply(request.ply, Err(PlayerRequest::TakeBack)).map_err(refusal)?,
        ("resign", None) => place.session.reply(request.ply, Err(PlayerRequest::Resign)).map_err(refusal)?,
        ("hint", None) => return hints(place, request.ply).await,
        _ => return Err(missing()),
    }
    Ok(object(&json!({})))
}

fn play(place: &PlaySeat, ply: usize, text: &str) -> Result<(), Refused> {
    let position = place.session.position(ply)?;
    let mv = position.parse_move(text).map_err(|error| Refused::Illegal(error.to_string()))?;
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
    // Held until the engine has finished, even if the page no longer waits.
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
