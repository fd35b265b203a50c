use std::os::unix::fs::FileExt;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use tokio::task::spawn_blocking;

use super::catalogue::Entry;
use super::discreet::Audience;
use super::routes::{Refusal, missing};
use super::site::Site;
use crate::text::visible;

/// How much of a log is shown: its end.
const TAIL: u64 = 4 << 10;

/// Shows the end of what player 1 or 2 has printed, control characters escaped.
pub(super) async fn log(
    State(site): State<Arc<Site>>,
    Path((id, player)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    let player = ["1", "2"].iter().position(|number| *number == player).ok_or_else(missing)?;
    if site.audience == Audience::Public {
        return Err(missing());
    }
    let entry = site.find(&id).await.ok_or_else(missing)?;
    let text = spawn_blocking(move || tail(&site, &entry, player)).await.unwrap_or_default().ok_or_else(missing)?;
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

fn tail(site: &Site, entry: &Entry, player: usize) -> Option<String> {
    let path = entry.summary.as_ref().ok()?.logs.get(player)?.as_ref()?;
    let (file, stamp) = site.log_folders(entry).find_map(|folder| folder.read_log(path.as_ref()))?;
    let from = stamp.size.saturating_sub(TAIL);
    let mut bytes = vec![0; usize::try_from(stamp.size - from).ok()?];
    let read = file.read_at(&mut bytes, from).ok()?;
    bytes.truncate(read);
    let text = String::from_utf8_lossy(&bytes);
    let mut lines: Vec<String> = text.lines().map(visible).collect();
    if from > 0 {
        // Half a line says nothing.
        let first = lines.first_mut()?;
        "...".clone_into(first);
    }
    Some(lines.join("\n"))
}
