use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use amazons_pages::Refusal;
use amazons_program::hex;
use axum::body::{Body, BodyDataStream};
use axum::extract::{Path as Part, Query, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, EXPECT};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout};

use super::{CourseSite, refusal};
use crate::course::{Arrival, Arrived, CourseError, Rule};

/// The longest pause in an upload, as a part of its longest time.
const PAUSE_PART: u32 = 30;

/// The bytes that are still read from an upload that is refused, and the time for them.
const UNWANTED_MAX: usize = 8 << 20;
const UNWANTED_TIME: Duration = Duration::from_secs(2);

/// The query of an upload.
#[derive(Debug, Deserialize)]
pub(super) struct Wish {
    /// There if it is only to be tried out.
    trial: Option<String>,
}

/// Takes a version of the team whose token the request shows.
pub(super) async fn submit(
    State(site): State<Arc<CourseSite>>,
    Query(wish): Query<Wish>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Refusal> {
    let mut upload = body.into_data_stream();
    let answer = take(&site, &headers, wish.trial.is_some(), &mut upload).await;
    // Whoever sends all before reading would find the connection broken in place of the reason; others wait for a word.
    if answer.is_err() && announced(&headers) <= UNWANTED_MAX as u64 && !headers.contains_key(EXPECT) {
        let _ = timeout(UNWANTED_TIME, pass_over(upload)).await;
    }
    answer
}

async fn pass_over(mut upload: BodyDataStream) {
    let mut bytes = 0;
    while let Some(Ok(chunk)) = upload.next().await
        && bytes < UNWANTED_MAX
    {
        bytes += chunk.len();
    }
}

/// Returns how many bytes a request says that it has.
fn announced(headers: &HeaderMap) -> u64 {
    let length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    length.and_then(|length| length.parse().ok()).unwrap_or(0)
}

async fn take(
    site: &Arc<CourseSite>,
    headers: &HeaderMap,
    is_trial: bool,
    upload: &mut BodyDataStream,
) -> Result<Response, Refusal> {
    let team = site.team(headers).await?;
    if headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"multipart/")) {
        let advice = "send the file alone: curl --data-binary @FILE\n";
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, advice.to_owned()));
    }
    let announced = announced(headers);
    let _arriving = site.arrive(&team)?;
    let name = team.clone();
    let (path, max, time) = site
        .with(move |store| {
            store.refresh()?;
            store.may_arrive(&name, announced)?;
            let path = store.incoming()?;
            let settings = store.settings().0;
            Ok((path, settings.upload_max, settings.upload_time))
        })
        .await?;
    let draft = Draft(path);
    let arrived = arrive(upload, &draft.0, max, time).await?;
    let name = team.clone();
    let bytes = arrived.bytes;
    let receipt = site.with(move |store| {
        let received = store.receive(&name, &arrived, is_trial);
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
    let status = if receipt.arrival == Arrival::New { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, receipt.told(&team)).into_response())
}

/// Lets a version of the team play that is there already.
pub(super) async fn choose(
    State(site): State<Arc<CourseSite>>,
    Part(version): Part<u32>,
    headers: HeaderMap,
) -> Result<String, Refusal> {
    let team = site.team(&headers).await?;
    let told = format!("{team}: version {version} plays\n");
    site.with(move |store| store.choose(&team, version)).await?;
    Ok(told)
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
async fn arrive(upload: &mut BodyDataStream, path: &Path, max: u64, time: Duration) -> Result<Arrived, Refusal> {
    let failed = |source: io::Error| refusal(&CourseError::File { path: path.to_owned(), source });
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(failed)?;
    let (mut hasher, mut bytes) = (Sha256::new(), 0);
    let begun = Instant::now();
    loop {
        let (pause, left) = (time / PAUSE_PART, time.saturating_sub(begun.elapsed()));
        let reason =
            if left < pause { "the upload took too long to arrive\n" } else { "the upload paused for too long\n" };
        let slow = |_| (StatusCode::REQUEST_TIMEOUT, reason.to_owned());
        let Some(chunk) = timeout(pause.min(left), upload.next()).await.map_err(slow)? else { break };
        let chunk = chunk.map_err(|_| (StatusCode::BAD_REQUEST, "the upload was cut off\n".to_owned()))?;
        bytes += chunk.len() as u64;
        if bytes > max {
            return Err(refusal(&Rule::TooLarge(max).into()));
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
