//! The page of whoever runs the course, behind a token of their own: tables, and what they do for teams.

use std::fmt::Display;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use amazons_pages::{Refusal, missing, text};
use axum::body::{Body, to_bytes};
use axum::extract::{Path as Part, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use rustix::fs::statvfs;
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use tokio::task::spawn_blocking;

use super::CourseSite;
use crate::course::Act;
use crate::course::job::locked;
use crate::course::tables::{grades_table, stages_table, teams_table, versions_table};

/// Maximum length in bytes of what the teacher asks for.
const ACT_MAX: usize = 64 << 10;

/// The limits of a comparison of all players: bytes of memory, seconds of processor time.
const COPIES_MEMORY: u64 = 2 << 30;
const COPIES_SECONDS: u64 = 300;

/// Does what a request says, in JSON, for a team.
pub(super) async fn act(
    State(site): State<Arc<CourseSite>>,
    headers: HeaderMap,
    body: Body,
) -> Result<String, Refusal> {
    site.teacher(&headers).await?;
    let wrong = |error: &dyn Display| (StatusCode::BAD_REQUEST, format!("{error}\n"));
    let body = to_bytes(body, ACT_MAX).await.map_err(|error| wrong(&error))?;
    let act: Act = serde_json::from_slice(&body).map_err(|error| wrong(&error))?;
    site.with(move |store| store.act(act)).await
}

/// Sends a table as comma-separated values.
pub(super) async fn table(
    State(site): State<Arc<CourseSite>>,
    Part(name): Part<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    site.teacher(&headers).await?;
    let made = spawn_blocking(move || -> anyhow::Result<Option<String>> {
        // What takes long must not hold the others up.
        let (course, settings, folder) = {
            let mut store = locked(&site.store);
            (store.course().clone(), store.settings().0.clone(), store.folder().to_owned())
        };
        Ok(Some(match &*name {
            "teams.csv" => teams_table(&course, &settings, &folder),
            "stages.csv" => stages_table(&course, &settings),
            "versions.csv" => versions_table(&course),
            "grades.csv" => match site.results.now() {
                Some(overview) => grades_table(&course, &settings, &overview),
                None => return Ok(None),
            },
            "copies.csv" => copies(&folder)?,
            "machine.csv" => machine(&folder),
            _ => return Ok(None),
        }))
    });
    let made = made.await.unwrap_or_else(|_| Err(anyhow::anyhow!("the server failed")));
    let failed = |error: anyhow::Error| (StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}\n"));
    Ok(text("text/csv", made.map_err(failed)?.ok_or_else(missing)?))
}

/// Compares in a process of its own, which may die of what teams have handed in.
fn copies(folder: &Path) -> anyhow::Result<String> {
    let mut command = Command::new("/proc/self/exe");
    command.args(["course", "copies", "--csv"]).arg(folder).stdin(Stdio::null());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    for (resource, limit) in [(Resource::Data, COPIES_MEMORY), (Resource::Cpu, COPIES_SECONDS)] {
        let limit = Rlimit { current: Some(limit), maximum: Some(limit) };
        prlimit(Some(Pid::from_child(&child)), resource, limit)?;
    }
    let Output { status, stdout, stderr } = child.wait_with_output()?;
    let advice = "run 'server course copies' on a copy of the course, where nothing limits it";
    anyhow::ensure!(
        status.success(),
        "the players could not be compared ({status}): {advice}\n{}",
        String::from_utf8_lossy(&stderr)
    );
    Ok(String::from_utf8_lossy(&stdout).into_owned())
}

fn machine(folder: &Path) -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let memory = read("/proc/meminfo");
    let disk =
        statvfs(folder).map_or_else(|_| String::new(), |it| format!("{} MiB", (it.f_bavail * it.f_frsize) >> 20));
    let rows = [
        ("processors", amazons_program::cores().to_string()),
        ("load average", read("/proc/loadavg").split(' ').take(3).collect::<Vec<_>>().join(" ")),
        (
            "free memory",
            memory.lines().find_map(|line| line.strip_prefix("MemAvailable:")).unwrap_or("").trim().to_owned(),
        ),
        ("free disk", disk),
    ];
    let rows = rows.iter().map(|(name, value)| format!("{name},{value}\r\n"));
    std::iter::once("machine,now\r\n".to_owned()).chain(rows).collect()
}
