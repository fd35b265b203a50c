//! The page of a team, behind its token: its versions with the output of builds and checks, and its faults with logs.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use amazons_pages::{Refusal, missing, object};
use axum::extract::{Path as Part, State};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::CourseSite;
use crate::course::job::{BUILD, CHECK};
use crate::course::{Store, Team, Version, VersionState};
use crate::tournament::ladder::{Ladder, read};
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

/// How long the faults are kept, and how many of each team.
const KEEP: Duration = Duration::from_secs(5);
const FAULTS_MAX: usize = 100;

/// A game in which a team was at fault.
#[derive(Clone, Debug, Serialize)]
struct Fault {
    /// The pair and the game of it: `12-1`.
    game: String,
    version: u32,
    /// As `name#version`.
    opponent: String,
    kind: &'static str,
    /// The log of the team, in the folder of the ladder.
    #[serde(skip)]
    log: Option<String>,
    has_log: bool,
}

type FaultsOfTeams = Arc<BTreeMap<String, Vec<Fault>>>;

/// The faults of all teams, as they were a moment ago.
pub(super) struct Faults {
    ladder: PathBuf,
    kept: Mutex<Option<(Instant, FaultsOfTeams)>>,
}

impl Faults {
    pub(super) fn new(ladder: &Path) -> Self {
        Self { ladder: ladder.to_owned(), kept: Mutex::default() }
    }

    /// Returns the faults; may block for long.
    fn all(&self) -> FaultsOfTeams {
        // Requests during a read wait for its end.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, faults)) = kept.as_ref().filter(|(at, _)| at.elapsed() < KEEP) {
            return Arc::clone(faults);
        }
        let faults = Arc::new(read(&self.ladder).map(|ladder| faults_of(&ladder)).unwrap_or_default());
        *kept = Some((Instant::now(), Arc::clone(&faults)));
        faults
    }
}

fn faults_of(ladder: &Ladder) -> BTreeMap<String, Vec<Fault>> {
    let mut faults = BTreeMap::<String, Vec<Fault>>::new();
    for pair in ladder.pairs().iter().rev() {
        for (game, result) in (1..).zip(ladder.results().games_of(pair.number)) {
            let Some(result) = result else { continue };
            let (_, logs) = result.files(pair.number, game);
            for (seat, log) in logs.into_iter().enumerate() {
                let Some(kind) = result.fault(seat) else { continue };
                let (own, opponent) = (pair.players[seat], pair.players[1 - seat]);
                let Some(contender) = ladder.contenders().get(own) else { continue };
                let of_team = faults.entry(contender.joined.name.clone()).or_default();
                if of_team.len() < FAULTS_MAX {
                    of_team.push(Fault {
                        game: format!("{}-{game}", pair.number),
                        version: contender.joined.version,
                        opponent: ladder.contenders().get(opponent).map_or_else(String::new, |it| it.label()),
                        kind,
                        has_log: log.is_some(),
                        log,
                    });
                }
            }
        }
    }
    faults
}

/// Shows everything about the team whose token the request shows.
pub(super) async fn overview(State(site): State<Arc<CourseSite>>, headers: HeaderMap) -> Result<Response, Refusal> {
    let name = site.team(&headers).await?;
    let shared = Arc::clone(&site);
    let found = name.clone();
    let faults = spawn_blocking(move || shared.faults.all().get(&found).cloned().unwrap_or_default()).await;
    let faults = json!(faults.unwrap_or_default());
    let told = site.with(move |store| Ok(tell(store, &name, &faults))).await?;
    Ok(object(&told.ok_or_else(missing)?))
}

fn tell(store: &mut Store, name: &str, faults: &Value) -> Option<Value> {
    let (settings, now) = (store.settings().0.clone(), since_1970());
    let team = store.course().teams().get(name)?;
    let versions: Vec<Value> = team
        .versions
        .iter()
        .rev()
        .map(|version| row(team, version, &store.version_folder(name, version.number)))
        .collect();
    let stage = settings.stage_at(now).ok().flatten();
    let today = team.versions.iter().filter(|version| version.at + 86_400 > now).count();
    Some(json!({
        "team": name,
        "display": team.display,
        "title": settings.title,
        "is_withdrawn": team.is_withdrawn,
        "is_frozen": settings.is_frozen,
        "is_over": settings.stage_at(now).is_err(),
        "playing": team.playing().map(|(number, _)| number),
        "stage": stage.map(|(stage, is_late)| json!({ "name": stage.name, "deadline": stage.deadline, "is_late": is_late })),
        "left": (settings.per_day as usize).saturating_sub(today),
        "upload_max": settings.upload_max,
        "versions": versions,
        "faults": faults,
    }))
}

fn row(team: &Team, version: &Version, folder: &Path) -> Value {
    let reasons = match &version.state {
        VersionState::Refused(reasons) => reasons.as_slice(),
        _ => &[],
    };
    let has_something = |path: &str| fs::metadata(folder.join(path)).is_ok_and(|found| found.len() > 0);
    let files: Vec<&str> = FILES.iter().filter(|(_, path)| has_something(path)).map(|(name, _)| *name).collect();
    json!({
        "version": version.number, "state": team.word(version), "since": version.since, "at": version.at,
        "bytes": version.bytes, "sha256": version.sha256, "stage": version.stage, "is_late": version.is_late,
        "reasons": reasons, "files": files,
    })
}

/// Shows a file of one of the team's versions.
pub(super) async fn file(
    State(site): State<Arc<CourseSite>>,
    Part((version, file)): Part<(u32, String)>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let team = site.team(&headers).await?;
    let (_, path) = FILES.iter().find(|(name, _)| *name == file).ok_or_else(missing)?;
    let folder = site
        .with(move |store| {
            let is_there = store.course().teams().get(&team).is_some_and(|found| found.version(version).is_some());
            Ok(is_there.then(|| store.version_folder(&team, version)))
        })
        .await?;
    shown(folder.ok_or_else(missing)?.join(path)).await
}

/// Shows what the team has printed in a game in which it was at fault.
pub(super) async fn log(
    State(site): State<Arc<CourseSite>>,
    Part(game): Part<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let team = site.team(&headers).await?;
    let shared = Arc::clone(&site);
    let faults = spawn_blocking(move || shared.faults.all()).await.map_err(|_| missing())?;
    let fault = faults.get(&team).and_then(|faults| faults.iter().find(|fault| fault.game == game));
    let log = fault.and_then(|fault| fault.log.as_ref()).ok_or_else(missing)?;
    shown(site.faults.ladder.join(log)).await
}

async fn shown(path: PathBuf) -> Result<Response, Refusal> {
    let read = move || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?.take(SHOWN_MAX).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = spawn_blocking(read).await.ok().and_then(Result::ok).ok_or_else(missing)?;
    let content = String::from_utf8_lossy(&bytes).into_owned();
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], content).into_response())
}
