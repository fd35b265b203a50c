use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use amazons_pages::Refusal;
use amazons_program::hex;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use sha2::{Digest, Sha256};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout};

use super::{CourseSite, refusal};
use crate::course::{Arrived, CourseError};

/// The longest pause in an upload, as a part of its longest time.
const PAUSE_PART: u32 = 30;

/// Takes a version of the team whose token the request shows.
pub(super) async fn submit(
    State(site): State<Arc<CourseSite>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Refusal> {
    let team = site.team(&headers).await?;
    let said = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if said(CONTENT_TYPE).is_some_and(|kind| kind.starts_with("multipart/")) {
        let advice = "send the file alone: curl --data-binary @FILE\n";
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, advice.to_owned()));
    }
    let announced = said(CONTENT_LENGTH).and_then(|length| length.parse().ok()).unwrap_or(0);
    let _arriving = site.arrive(&team)?;
    let name = team.clone();
    let (path, max, time) = site
        .with(move |store| {
            store.refresh()?;
            store.may_submit(&name, announced)?;
            let path = store.incoming()?;
            let settings = store.settings().0;
            Ok((path, settings.upload_max, settings.upload_time))
        })
        .await?;
    let draft = Draft(path);
    let arrived = arrive(body, &draft.0, max, time).await?;
    let name = team.clone();
    let bytes = arrived.bytes;
    let receipt = site.with(move |store| {
        let received = store.receive(&name, &arrived);
        drop(draft);
        received
    });
    let receipt = receipt.await.map_err(|(status, reason)| match status {
        // The name of a file in place of the file.
        StatusCode::UNSUPPORTED_MEDIA_TYPE if bytes < 256 => {
            (status, format!("{} ({bytes} bytes: is the @ missing in --data-binary @FILE?)\n", reason.trim_end()))
        }
        _ => (status, reason),
    })?;
    let status = if receipt.is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, receipt.told(&team)).into_response())
}

/// The file of an upload, which goes unless it becomes a version, also when nobody waits for the answer any more.
struct Draft(PathBuf);

impl Drop for Draft {
    fn drop(&mut self) {
        // Should it stay, the next server removes it.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Writes an upload into a file as it arrives.
async fn arrive(body: Body, path: &Path, max: u64, time: Duration) -> Result<Arrived, Refusal> {
    let failed = |source: io::Error| refusal(&CourseError::File { path: path.to_owned(), source });
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(failed)?;
    let (mut hasher, mut bytes, mut stream) = (Sha256::new(), 0, body.into_data_stream());
    let begun = Instant::now();
    loop {
        let slow = |_| (StatusCode::REQUEST_TIMEOUT, "the upload took too long to arrive\n".to_owned());
        let chunk = timeout((time / PAUSE_PART).min(time.saturating_sub(begun.elapsed())), stream.next()).await;
        let Some(chunk) = chunk.map_err(slow)? else { break };
        let chunk = chunk.map_err(|_| (StatusCode::BAD_REQUEST, "the upload was cut off\n".to_owned()))?;
        bytes += chunk.len() as u64;
        if bytes > max {
            return Err(refusal(&CourseError::too_large(max)));
        }
        hasher.update(&chunk);
        // Chunks are small, and the kernel takes them without waiting for the disk.
        file.write_all(&chunk).map_err(failed)?;
    }
    if bytes == 0 {
        return Err((StatusCode::BAD_REQUEST, "the upload is empty: is the file there?\n".to_owned()));
    }
    let synced = spawn_blocking(move || file.sync_all()).await;
    synced.unwrap_or_else(|_| Err(io::ErrorKind::Other.into())).map_err(failed)?;
    Ok(Arrived { path: path.to_owned(), sha256: hex(&hasher.finalize()), bytes })
}
