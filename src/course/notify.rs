//! Messages to another program about versions that are decided: an address gets a JSON text for each, from curl.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use amazons_program::files::write_whole;
use amazons_program::journal;
use anyhow::{Context, ensure};
use serde::Serialize;

use super::job::{Shared, locked};
use super::{COURSE, CourseError, CourseHeader, CourseLine, Happening, Store, Team};
use crate::complain;

/// How many lines of the journal have been looked at, in the folder of a course.
pub(super) const NOTIFIED: &str = "notified";

/// How often is looked for news and for the end of a message, how long a failure is waited out, and how long one message
/// may take.
const LOOK_EVERY: Duration = Duration::from_millis(500);
const SEND_LOOK: Duration = Duration::from_millis(20);
const RETRY: Duration = Duration::from_secs(60);
const SEND_SECONDS: &str = "20";

/// Sends a message for each decided version until it is to stop. What could not be sent is sent later, by the next server
/// at the latest.
pub(super) fn keep_telling(store: &Shared, is_stopping: &AtomicBool) {
    let (mut size, mut not_before) = (None, Instant::now());
    while !is_stopping.load(Ordering::Relaxed) {
        thread::sleep(LOOK_EVERY);
        let (folder, url) = {
            let mut store = locked(store);
            (store.folder().to_owned(), store.settings().0.notify.clone())
        };
        let now = fs::metadata(folder.join(COURSE)).map(|it| it.len()).ok();
        let Some(url) = url.filter(|_| size != now && Instant::now() >= not_before) else { continue };
        match tell(store, &folder, &url, is_stopping) {
            Ok(()) => size = now,
            Err(error) => {
                complain(&format!("notify: {error:#}: tried again in a minute"));
                not_before = Instant::now() + RETRY;
            }
        }
    }
}

/// Sends what has been decided since the last time.
fn tell(store: &Shared, folder: &Path, url: &str, is_stopping: &AtomicBool) -> anyhow::Result<()> {
    let path = folder.join(NOTIFIED);
    let told = fs::read_to_string(&path).ok().and_then(|text| text.parse::<u64>().ok());
    let (mut added, mut lines) = (Vec::new(), 0);
    journal::read::<CourseHeader, CourseError>(&folder.join(COURSE), |number, line: CourseLine| {
        lines = number;
        // Nobody waits for what was decided before the first time.
        if told.is_some_and(|told| number > told) {
            added.push((number, line));
        }
        Ok(())
    })?;
    let note = |lines: u64| write_whole(&path, lines.to_string().as_bytes()).context("cannot write");
    if told.is_none() {
        return note(lines);
    }
    for (number, line) in added {
        let message = message(&mut locked(store), &line)?;
        if let Some(message) = message {
            send(url, &message, is_stopping)?;
            note(number)?;
        }
    }
    Ok(())
}

/// The state of a decided version, as it is told.
#[derive(Debug, Serialize)]
struct Verdict<'a> {
    course: &'a str,
    team: &'a str,
    version: u32,
    state: &'a str,
    late: bool,
    plays: bool,
    reasons: &'a [String],
    /// In seconds since 1970.
    at: u64,
    display: Option<&'a str>,
    email: Option<&'a str>,
    /// All of it as a sentence.
    text: String,
}

/// Returns the message for a line of the journal in JSON; none if it decides nothing.
fn message(store: &mut Store, CourseLine { team, at, what }: &CourseLine) -> serde_json::Result<Option<String>> {
    let (state, version, reasons) = match what {
        Happening::Refused { version, reasons, .. } => ("refused", *version, &**reasons),
        Happening::Admitted { version, .. } => ("admitted", *version, &[][..]),
        _ => return Ok(None),
    };
    let course = &*store.settings().0.title.clone();
    let found = store.course().teams().get(team);
    let colon = if reasons.is_empty() { "" } else { ": " };
    let verdict = Verdict {
        course,
        team,
        version,
        state,
        late: found.and_then(|it| it.version(version)).is_some_and(|it| it.is_late),
        plays: found.and_then(Team::playing).is_some_and(|(plays, _)| plays == version),
        reasons,
        at: *at,
        display: found.and_then(|it| it.display.as_deref()),
        email: found.and_then(|it| it.email.as_deref()),
        text: format!("{course}: version {version} of {team} is {state}{colon}{}", reasons.join("; ")),
    };
    serde_json::to_string(&verdict).map(Some)
}

fn send(url: &str, message: &str, is_stopping: &AtomicBool) -> anyhow::Result<()> {
    let mut command = Command::new("curl");
    command.args(["-sS", "--fail", "--max-time", SEND_SECONDS, "-H", "Content-Type: application/json"]);
    command.args(["--data-binary", "@-", "--url", url]).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.stderr(Stdio::piped()).spawn().context("cannot start curl")?;
    // Whoever does not read it has ended, and says why.
    let _ = child.stdin.take().map(|mut pipe| pipe.write_all(message.as_bytes()));
    while child.try_wait()?.is_none() {
        if is_stopping.load(Ordering::Relaxed) {
            child.kill()?;
        }
        thread::sleep(SEND_LOOK);
    }
    let done = child.wait_with_output()?;
    ensure!(done.status.success(), "{url}: {}", String::from_utf8_lossy(&done.stderr).trim());
    Ok(())
}
