//! The tables of whoever runs the course, behind a token of their own.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use amazons_pages::{Refusal, missing, text};
use axum::extract::{Path as Part, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use rustix::fs::statvfs;
use tokio::task::spawn_blocking;

use super::CourseSite;
use crate::course::job::locked;
use crate::course::tables::{copies_table, grades_table, queue_table, teams_table, versions_table};
use crate::course::{Course, Store};

/// Sends a table as comma-separated values.
pub(super) async fn table(
    State(site): State<Arc<CourseSite>>,
    Part(name): Part<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    site.teacher(&headers).await?;
    let made = spawn_blocking(move || -> anyhow::Result<Option<String>> {
        // What takes long must not hold the others up.
        let (course, settings, folder): (Course, _, _) = {
            let mut store = locked(&site.store);
            (store.course().clone(), store.settings().0.clone(), store.folder().to_owned())
        };
        Ok(Some(match &*name {
            "queue.csv" => queue_table(&course),
            "teams.csv" => teams_table(&course, &settings),
            "versions.csv" => versions_table(&course),
            "grades.csv" => match site.results.now() {
                Some(overview) => grades_table(&course, &overview),
                None => return Ok(None),
            },
            "copies.csv" => copies_table(&Store::open(&folder)?)?,
            "machine.csv" => machine(&folder),
            _ => return Ok(None),
        }))
    });
    let failed = |error: String| (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n"));
    let made = made.await.map_err(|_| failed("the server failed".to_owned()))?;
    Ok(text("text/csv", made.map_err(|error| failed(format!("{error:#}")))?.ok_or_else(missing)?))
}

fn machine(folder: &Path) -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let (load, memory) = (read("/proc/loadavg"), read("/proc/meminfo"));
    let amount =
        |key: &str| memory.lines().find_map(|line| line.strip_prefix(key)?.split_whitespace().next()?.parse().ok());
    let mib = |kib: Option<u64>| kib.map_or_else(String::new, |kib| format!("{} MiB", kib >> 10));
    let disk = |blocks: fn(&rustix::fs::StatVfs) -> u64| statvfs(folder).ok().map(|it| blocks(&it) * it.f_frsize >> 10);
    let rows = [
        ("processors", amazons_program::cores().to_string()),
        ("load of the last minute", load.split(' ').next().unwrap_or_default().to_owned()),
        ("free memory", mib(amount("MemAvailable:"))),
        ("memory", mib(amount("MemTotal:"))),
        ("free disk", mib(disk(|it| it.f_bavail))),
        ("disk", mib(disk(|it| it.f_blocks))),
    ];
    let mut text = "machine,now\r\n".to_owned();
    rows.iter().for_each(|(name, value)| _ = write!(text, "{name},{value}\r\n"));
    text
}
