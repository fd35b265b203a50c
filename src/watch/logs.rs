use std::sync::Arc;

use amazons_pages::{Access, Refusal, missing};
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use tokio::task::spawn_blocking;

use super::catalogue::RecordEntry;
use super::site::Site;
use crate::host::Tail;
use crate::text::visible;

/// The number of bytes at a log's end to show.
const TAIL: u64 = 4 << 10;

/// Shows the end of player 1's or 2's output, control characters escaped.
pub(super) async fn log(
    State(site): State<Arc<Site>>,
    Path((id, player)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    let player = ["1", "2"].iter().position(|number| *number == player).ok_or_else(missing)?;
    if site.access == Access::Public {
        return Err(missing());
    }
    let tail = match site.printed(&id, player) {
        // People print nothing, nor do players whose process has not started.
        Some(printed) => Some(printed.tail(TAIL).unwrap_or_default()),
        None => {
            let entry = site.find(&id).await.ok_or_else(missing)?;
            spawn_blocking(move || read(&site, &entry, player)).await.unwrap_or_default()
        }
    };
    let text = shown(&tail.ok_or_else(missing)?);
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

fn read(site: &Site, entry: &RecordEntry, player: usize) -> Option<Tail> {
    let path = entry.summary.as_ref().ok()?.logs.get(player)?.as_ref()?;
    let (file, stamp) = site.log_folders(entry).find_map(|folder| folder.read_log(path.as_ref()))?;
    Tail::read(&file, stamp.size, TAIL).ok()
}

fn shown(tail: &Tail) -> String {
    let text = String::from_utf8_lossy(&tail.bytes);
    let mut lines: Vec<String> = text.lines().map(visible).collect();
    if let Some(first) = lines.first_mut().filter(|_| tail.is_cut) {
        // Omit partial lines.
        "...".clone_into(first);
    }
    lines.join("\n")
}
