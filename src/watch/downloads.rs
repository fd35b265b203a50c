use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;

use amazons_formats::{FORMATS, Format, Game, Look, Shading};
use amazons_pages::{Refusal, missing};
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::task::spawn_blocking;

use super::engine::annotated_record;
use super::follow::Follower;
use super::game::WatchedGame;
use super::responses::unreadable;
use super::site::Site;
use crate::record::RECORD_FORMAT;

/// How many bytes of a record to send at a time.
const CHUNK: usize = 64 << 10;

/// Maximum size of a record to convert.
const RECORD_MAX: usize = 8 << 20;

/// Maximum number of vertices in an animation, over all its pictures.
const ANIMATED_MAX: usize = 4_000_000;

/// Sends the record as it is so far.
pub(super) async fn record(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let game = site.open(&id).await.map_err(|error| unreadable(&error))?;
    let name = site.file_name(&id).await;
    let end = game.length().lines;
    let chunks = stream::unfold((game, 0), move |(game, from)| async move {
        let lines = game.read(from, CHUNK);
        let lines = lines.get(..lines.len().min(end - from)).unwrap_or_default();
        let mut text = Vec::new();
        for line in lines {
            text.extend_from_slice(line);
            text.push(b'\n');
        }
        let next = from + lines.len();
        (!text.is_empty()).then(|| (Ok::<Bytes, Infallible>(text.into()), (game, next)))
    });
    Ok(file(&format!("{name}.jsonl"), "application/x-ndjson", Body::from_stream(chunks)))
}

/// Reads all lines of a file that is not too large to convert.
fn whole(mut follower: Follower) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    loop {
        let news = follower.read().ok()?;
        for line in &news.lines {
            text.extend_from_slice(line);
            text.push(b'\n');
        }
        if text.len() > RECORD_MAX {
            return None;
        }
        if !news.is_more {
            return Some(text);
        }
    }
}

/// Converts a finished game to another format.
pub(super) async fn converted(
    State(site): State<Arc<Site>>,
    Path((id, name)): Path<(String, String)>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, Refusal> {
    let format = FORMATS.into_iter().find(|format| format.name == name).ok_or_else(missing)?;
    let ply =
        query.get("ply").map(|ply| ply.parse::<usize>()).transpose().map_err(|_| refused("ply: use a whole number"))?;
    let shading = if query.contains_key("territory") { Shading::Territory } else { Shading::None };
    let game = site.open(&id).await.map_err(|error| unreadable(&error))?;
    let name = site.file_name(&id).await;
    let part = ply.map_or_else(String::new, |ply| format!("-{ply}"));
    // Only a few at a time, so that spectators of other games do not notice.
    let _place = site.conversions.acquire().await.map_err(|_| missing())?;
    let kept = site.find(&id).await.map(|entry| annotated_record(&entry, site.access));
    let written = spawn_blocking(move || write(&game, kept, format, ply, shading)).await;
    let bytes = written.unwrap_or_else(|_| Err(refused("this game cannot be written in that format")))?;
    let extension = format.extensions.first().copied().unwrap_or("txt");
    Ok(file(&format!("{name}{part}.{extension}"), kind(extension), Body::from(bytes)))
}

fn write(
    game: &WatchedGame,
    kept: Option<Follower>,
    format: Format,
    ply: Option<usize>,
    shading: Shading,
) -> Result<Vec<u8>, Refusal> {
    let mut text = Vec::new();
    for line in game.read(0, usize::MAX) {
        text.extend_from_slice(&line);
        text.push(b'\n');
        if text.len() > RECORD_MAX {
            return Err(refused("the record is too large to convert here: use server convert"));
        }
    }
    let reader = RECORD_FORMAT.reader.ok_or_else(missing)?;
    let told: Game = reader(&text, 1).map_err(|error| refused(&error.to_string()))?.game;
    // With what the engine said of it, if that is complete.
    let annotated = kept.and_then(whole).and_then(|text| reader(&text, 1).ok()).map(|found| found.game);
    let told = annotated.filter(|other| other.position() == told.position()).unwrap_or(told);
    let told = match ply {
        Some(ply) => told.until(ply).ok_or_else(|| refused("ply: the game has fewer moves"))?,
        None => told,
    };
    let cells = told.board().columns() as usize * told.board().rows() as usize;
    if format.name == "gif" && cells * (told.moves().len() + 1) > ANIMATED_MAX {
        return Err(refused("the game is too long to animate here: use server convert"));
    }
    format.write(&told, &Look { shading, ..Look::default() }).map_err(|error| refused(&error.to_string()))
}

fn refused(why: &str) -> Refusal {
    (StatusCode::UNPROCESSABLE_ENTITY, format!("{why}\n"))
}

/// A downloaded page must not run on our origin, so everything is saved as a file.
fn file(name: &str, kind: &'static str, body: Body) -> Response {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    let plain: String = name.chars().map(|c| if u8::try_from(c).is_ok_and(is_plain) { c } else { '_' }).collect();
    // Other than plain names are also sent in full (RFC 6266).
    let whole =
        name.bytes().map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") });
    let whole = if plain == name { String::new() } else { format!("; filename*=UTF-8''{}", whole.collect::<String>()) };
    let disposition = format!("attachment; filename=\"{plain}\"{whole}");
    ([(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, disposition)], body).into_response()
}

fn kind(extension: &str) -> &'static str {
    match extension {
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "gif" => "image/gif",
        "html" => "text/html; charset=utf-8",
        _ => "text/plain; charset=utf-8",
    }
}
