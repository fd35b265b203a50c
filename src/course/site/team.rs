//! The page of a team, behind its token: its versions with the output of builds and checks, and what the ladder says
//! about it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use amazons_pages::{Refusal, missing, object, text};
use axum::extract::{Path as Part, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use tokio::task::spawn_blocking;
use ts_rs::TS;

use super::results::TeamResults;
use super::{CourseSite, results};
use crate::course::job::{BUILD, CHECK};
use crate::course::{Store, Team, Version};
use crate::files::without_folder;
use crate::tournament::since_1970;

/// The files that a version may have left, as addresses and as paths in its folder.
const FILES: [(&str, &str); 8] = [
    (BUILD, BUILD),
    (CHECK, CHECK),
    ("itself-1.jsonl", "itself-1.jsonl"),
    ("itself-2.jsonl", "itself-2.jsonl"),
    ("itself-1-player1.log", "itself-1/player1.log"),
    ("itself-1-player2.log", "itself-1/player2.log"),
    ("itself-2-player1.log", "itself-2/player1.log"),
    ("itself-2-player2.log", "itself-2/player2.log"),
];

/// How much of a file is shown.
const SHOWN_MAX: u64 = 1 << 20;

/// The content of the page of a team.
#[derive(Debug, Serialize, TS)]
pub(crate) struct TeamView<'a> {
    team: &'a str,
    display: Option<&'a str>,
    title: &'a str,
    is_withdrawn: bool,
    is_frozen: bool,
    is_over: bool,
    playing: Option<u32>,
    stage: Option<OpenStage<'a>>,
    stages: Vec<OwnStage<'a>>,
    left: usize,
    upload_max: u64,
    versions: Vec<VersionView<'a>>,
    results: Option<TeamResults>,
}

#[derive(Debug, Serialize, TS)]
struct OpenStage<'a> {
    name: &'a str,
    deadline: u64,
    is_late: bool,
}

/// A stage with the team's own deadline, in seconds since 1970.
#[derive(Debug, Serialize, TS)]
struct OwnStage<'a> {
    name: &'a str,
    deadline: u64,
    /// How many seconds longer versions are taken and marked as late.
    grace: u64,
}

#[derive(Debug, Serialize, TS)]
struct VersionView<'a> {
    #[serde(flatten)]
    version: &'a Version,
    state: &'static str,
    reasons: &'a [String],
    files: Vec<&'static str>,
}

/// Shows everything about the team whose token the request shows.
pub(super) async fn overview(State(site): State<Arc<CourseSite>>, headers: HeaderMap) -> Result<Response, Refusal> {
    let name = site.team(&headers).await?;
    let (shared, found) = (Arc::clone(&site), name.clone());
    let results = spawn_blocking(move || Some(results::told(&*shared.results.now()?, &found))).await;
    // A panic in there has been reported already.
    let results = results.ok().flatten();
    site.with(move |store| Ok(tell(store, &name, results))).await?.ok_or_else(missing)
}

fn tell(store: &mut Store, name: &str, results: Option<TeamResults>) -> Option<Response> {
    let (settings, now) = (store.settings().0.clone(), since_1970());
    let team = store.course().teams().get(name)?;
    let versions = team.versions.iter().rev();
    let versions = versions.map(|version| row(team, version, &store.version_folder(name, version.number)));
    let own = &team.extensions;
    let stage = settings.stage_at(own, now);
    Some(object(&TeamView {
        team: name,
        display: team.display.as_deref(),
        title: &settings.title,
        is_withdrawn: team.is_withdrawn,
        is_frozen: settings.is_frozen,
        is_over: stage.is_err(),
        playing: team.playing().map(|(number, _)| number),
        stage: stage.ok().flatten().map(|(stage, is_late)| OpenStage {
            name: &stage.name,
            deadline: stage.deadline_of(own),
            is_late,
        }),
        stages: settings
            .stages
            .iter()
            .map(|stage| OwnStage { name: &stage.name, deadline: stage.deadline_of(own), grace: stage.grace })
            .collect(),
        left: team.left(settings.per_day, now),
        upload_max: settings.upload_max,
        versions: versions.collect(),
        results,
    }))
}

fn row<'a>(team: &Team, version: &'a Version, folder: &Path) -> VersionView<'a> {
    let has_something = |path: &str| fs::metadata(folder.join(path)).is_ok_and(|found| found.len() > 0);
    let files = FILES.iter().filter(|(_, path)| has_something(path)).map(|(name, _)| *name).collect();
    VersionView { version, state: team.word(version), reasons: version.reasons(), files }
}

/// Shows a file of one of the team's versions.
pub(super) async fn file(
    State(site): State<Arc<CourseSite>>,
    Part((version, file)): Part<(u32, String)>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let team = site.team(&headers).await?;
    let (_, path) = FILES.iter().find(|(name, _)| *name == file).ok_or_else(missing)?;
    let folders = site
        .with(move |store| {
            let is_there = store.course().teams().get(&team).is_some_and(|found| found.version(version).is_some());
            Ok(is_there.then(|| (store.version_folder(&team, version), store.folder().to_owned())))
        })
        .await?;
    let (folder, course) = folders.ok_or_else(missing)?;
    // Records and tools name files; teams need not know where the server keeps them.
    Ok(text("text/plain", without_folder(&shown(folder.join(path)).await?, &course)))
}

/// Shows what the team has printed in a game in which it was at fault.
pub(super) async fn log(
    State(site): State<Arc<CourseSite>>,
    Part(game): Part<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let team = site.team(&headers).await?;
    let shared = Arc::clone(&site);
    let log = spawn_blocking(move || results::log_of(&*shared.results.now()?, &team, &game)).await;
    Ok(text("text/plain", shown(site.results.ladder.join(log.ok().flatten().ok_or_else(missing)?)).await?))
}

async fn shown(path: PathBuf) -> Result<String, Refusal> {
    let read = move || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?.take(SHOWN_MAX).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = spawn_blocking(read).await.ok().and_then(Result::ok).ok_or_else(missing)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
