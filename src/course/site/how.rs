//! How to hand in: the page, and everything that a player begins with.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use amazons_formats::BoardName;
use amazons_pages::{Refusal, missing, text};
use amazons_program::escaped;
use amazons_rules::{Board, Shape};
use axum::body::{Body, Bytes};
use axum::extract::{Path as Part, State};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_TYPE, HOST};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::task::spawn_blocking;
use toml::{Table, Value};

use super::{CourseSite, HAND_IN, PLACES};
use crate::course::build::{BuildLimits, tools};
use crate::course::store::CRATES;
use crate::course::{CourseSettings, Stage};
use crate::new_player::{self, Template};
use crate::tournament::admission::check_words;

/// The files that a player begins with: name, kind of player, and its folder.
pub(in crate::course) const TEMPLATES: [(&str, Template, &str); 4] = [
    ("c.tar.gz", Template::C, "c_player"),
    ("c-gsl.tar.gz", Template::CWithGsl, "gsl_player"),
    ("cpp.tar.gz", Template::Cpp, "cpp_player"),
    ("rust.tar.gz", Template::Rust, "rust_player"),
];

/// How many bytes of the server's program are sent at a time.
const CHUNK: u64 = 64 << 10;

/// Shows how to hand in, with the rules of this course.
pub(super) async fn hand_in(State(site): State<Arc<CourseSite>>, headers: HeaderMap) -> Result<Response, Refusal> {
    let known = site.with(|store| Ok((store.settings().0.clone(), store.folder().join(CRATES))));
    let (settings, folder) = known.await?;
    let check = check_line(&settings);
    // Nobody else waits while the crates are looked through.
    let rules = spawn_blocking(move || rules(&settings, &crates(&folder))).await.unwrap_or_default();
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or("THIS-SERVER");
    let words = [("RULES", rules), ("CHECK", check), ("ORIGIN", format!("http://{}", escaped(host)))];
    Ok(HAND_IN.filled(PLACES, "/submit", &words))
}

/// Returns a part of a page about handing in.
pub(crate) fn how_to_submit(settings: &CourseSettings) -> String {
    format!("<h2>Handing in</h2>\n{}", include_str!("../assets/how.html").replace("CHECK", &check_line(settings)))
}

/// Returns the words after `server` that check a player as this course does, on the largest board of its games, too.
fn check_line(settings: &CourseSettings) -> String {
    let sizes = settings.plan.boards.iter().filter_map(|name| Some(built(name)?.columns()));
    let size = sizes.chain(settings.admission.check).fold(Board::MIN_SIZE, u32::max);
    escaped(&check_words(&settings.plan, size).join(" "))
}

/// Returns the rules of the games and of builds as items of a list.
fn rules(settings: &CourseSettings, crates: &[String]) -> String {
    let CourseSettings { plan, per_day, upload_max, .. } = settings;
    let (limits, threads) = (plan.game.options().join(" "), plan.with(Vec::new()).threads());
    let builds = BuildLimits::default();
    let in_turn = if plan.boards.len() > 1 { ", in turn for each two players" } else { "" };
    let mut items = vec![
        format!("Boards: {}{in_turn}.", plan.boards.iter().map(|name| board(name)).collect::<Vec<_>>().join(", ")),
        format!("{} random plies before each pair of games, in which both sides are played.", plan.plies),
        format!(
            "Limits of each game, as in server --help: {limits}; times are processor time, unless it is --clock=wall."
        ),
        "Players have no files, network or other programs. What they print is kept as a log.".to_owned(),
        format!("Threads of a player, those of its language included: {threads} (Go needs 6)."),
        format!(
            "A team hands in at most {per_day} versions within 24 hours, each of at most {} MiB.",
            mib(*upload_max)
        ),
        format!(
            "Builds have {} s, {} MiB of memory and no network, and use {}.",
            builds.wall.as_secs(),
            mib(builds.memory),
            tools().join(", ")
        ),
    ];
    items.extend(settings.stages.iter().map(|Stage { name, grace, typed: [end, longer], .. }| {
        let late = if *grace > 0 { format!("; late versions are taken for {longer} more") } else { String::new() };
        format!("Deadline of {name}: {end}{late}.")
    }));
    if settings.stages.iter().any(|stage| stage.grace > 0) {
        items.push("A late version plays in place of one that was in time only if the team chooses it.".to_owned());
    }
    if !crates.is_empty() {
        items.push(format!("Crates of the course, which need not be packed: {}.", crates.join(", ")));
    }
    items.iter().map(|item| format!("<li>{}</li>\n", escaped(item))).collect()
}

fn mib(bytes: u64) -> f64 {
    // Two digits are enough for people.
    (bytes as f64 / f64::from(1 << 20) * 100.0).round() / 100.0
}

/// Returns a board's name, and its shape in words.
fn board(name: &str) -> String {
    let about = |board: Board| {
        let shape = board.shape().map_or("rectangle", Shape::name);
        let [queens, _] = board.starting_queens().map(|queens| queens.len());
        format!("{name} ({shape}, {} x {}, {queens} queens a side)", board.columns(), board.rows())
    };
    built(name).map_or_else(|| name.to_owned(), about)
}

fn built(name: &str) -> Option<Board> {
    name.parse::<BoardName>().ok()?.build().ok()
}

/// Lists the crates that builds may use, with their versions.
fn crates(folder: &Path) -> Vec<String> {
    let read = |entry: io::Result<fs::DirEntry>| {
        let manifest = fs::read_to_string(entry.ok()?.path().join("Cargo.toml")).ok()?.parse::<Table>().ok()?;
        let package = manifest.get("package")?;
        let word = |name| package.get(name).and_then(Value::as_str);
        Some(format!("{} {}", word("name")?, word("version")?))
    };
    let mut found: Vec<String> = fs::read_dir(folder).into_iter().flatten().filter_map(read).collect();
    found.sort();
    found
}

/// Returns something to begin a player with.
pub(super) async fn start_file(Part(name): Part<String>) -> Result<Response, Refusal> {
    if let Some(&(_, template, folder)) = TEMPLATES.iter().find(|(file, ..)| *file == name) {
        let packed = new_player::pack(template, folder).map_err(|_| missing())?;
        return Ok(([(CONTENT_TYPE, "application/gzip")], packed).into_response());
    }
    match &*name {
        "server" => program().map_err(|_| missing()),
        header => {
            let found = new_player::headers().find(|(path, _)| path.ends_with(header));
            found.map(|(_, words)| text("text/plain", words)).ok_or_else(missing)
        }
    }
}

/// Sends this program, with which teams try their players out.
fn program() -> io::Result<Response> {
    let file = File::open("/proc/self/exe")?;
    let chunks = stream::unfold(file, |mut file| async move {
        let mut bytes = Vec::new();
        let read = file.by_ref().take(CHUNK).read_to_end(&mut bytes);
        match read {
            Ok(0) => None,
            read => Some((read.map(|_| Bytes::from(bytes)), file)),
        }
    });
    Ok(([(CONTENT_TYPE, "application/octet-stream")], Body::from_stream(chunks)).into_response())
}
