//! Publishes an event, a ladder or a course as pages that need no server: the viewer's own, with scripts of data that
//! stand in for its answers. Logs, tokens, and the paths and names of machines are left out.

mod games;

use std::fs;
use std::io;
use std::path::Path;

use amazons_program::files::write_whole;
use amazons_program::{Exit, escaped};
use anyhow::Context;
use serde_json::Value;

use games::CHUNK;
pub(crate) use games::{PublishedGames, PublishedMoves};

use crate::course::{COURSE, CourseSettings, LADDER, how_to_submit};
use crate::tournament::{JOURNAL, Openings, Overview, Plan};
use crate::watch::{ASSETS, Access, EVENT, INDEX, Page, Places, PublishedEvent, TableView};

const PLACES: Places = &[("index.html", "Standings"), ("games.html", "Games"), ("rules.html", "Rules")];
const GAME: Page = Page {
    title: "A game of the Amazons",
    has_heading: true,
    scripts: &["viewer.js", "record.js"],
    body: include_str!("assets/game.html"),
};
const RULES: Page =
    Page { title: "Rules of the Amazons", has_heading: false, scripts: &[], body: include_str!("assets/rules.html") };

/// The viewer's assets that are of no use without a server, and those of published pages alone.
const LIVE: [&str; 5] = ["engine.js", "game.js", "editor.js", "position.js", "play.js"];
const OWN: [(&str, &str); 2] =
    [("published.js", include_str!("assets/published.js")), ("record.js", include_str!("assets/record.js"))];

/// The data of a published event; a folder without it holds something else.
const EVENT_DATA: &str = "data/event.js";

/// The scripts that stand in for a server.
const DATA: [&str; 3] = ["assets/published.js", EVENT_DATA, "data/games.js"];

/// Writes the pages of an event, a ladder or a course into a folder, which may hold earlier ones of it; returns how
/// many games they show, and how many were played. Fails when there is nothing to publish, or the folder holds
/// something else or cannot be written.
pub fn publish(source: &Path, out: &Path) -> anyhow::Result<[usize; 2]> {
    if out.exists() && !out.join(EVENT_DATA).exists() && fs::read_dir(out)?.next().is_some() {
        return Err(Exit::usage(format_args!("{} holds something else: name a new folder", out.display())).into());
    }
    let is_course = source.join(COURSE).exists();
    let folder = if is_course { source.join(LADDER) } else { source.to_owned() };
    let overview = Overview::read(&folder)?;
    let course = is_course.then(|| CourseSettings::read(source)).transpose().map_err(Exit::usage)?;
    let title = course.as_ref().map_or_else(|| overview.title(), |course| course.title.clone());
    let write = |name: &str, text: &str| {
        let path = out.join(name);
        write_whole(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
    };
    // A folder that is not complete is known by this.
    for part in ["assets", "data"] {
        fs::create_dir_all(out.join(part)).with_context(|| format!("cannot make {}", out.display()))?;
    }
    write(EVENT_DATA, "")?;
    let mut games = PublishedGames::default();
    for game in overview.games() {
        games.add(&overview, &game, &write)?;
    }
    games.end(&write)?;
    write(EVENT_DATA, &format!("published.event = {};\n", event(&overview, &title)?))?;
    let shared = ASSETS.iter().filter(|asset| !LIVE.contains(&asset.0)).map(|asset| (asset.0, asset.2));
    for (name, asset) in shared.chain(OWN) {
        write(&format!("assets/{name}"), asset)?;
    }
    for (name, page) in [("index.html", &EVENT), ("games.html", &INDEX), ("game.html", &GAME)] {
        write(name, &page.published(PLACES, name, &DATA))?;
    }
    let submit = course.map_or_else(String::new, |course| how_to_submit(&course));
    let rules = RULES.published(PLACES, "rules.html", &DATA[..1]);
    write("rules.html", &rules.replace("SETTINGS", &settings(&overview.plan)).replace("SUBMIT", &submit))?;
    Ok([games.games.len(), overview.games().count()])
}

/// Returns what the page of the event shows, as JSON.
fn event(overview: &Overview, title: &str) -> io::Result<String> {
    let table = TableView::new(overview.is_ladder, serde_json::from_str(&overview.table)?, Access::Public);
    let changed = fs::metadata(overview.folder.join(JOURNAL))?.modified()?;
    let changed = changed.duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (about, by_board, history) = (&*overview.about, overview.by_board(), overview.history());
    Ok(serde_json::to_string(&PublishedEvent { title, about, changed, by_board, history, chunk: CHUNK, table })?)
}

/// Returns the settings that all games follow from as a list.
fn settings(plan: &Plan) -> String {
    let mut all = serde_json::to_value(&plan.game).unwrap_or_default();
    if plan.game.move_time.is_none() && plan.game.game_time.is_none() {
        all["move-time"] = format!("{}ms", plan.game.limits(0).play.as_millis()).into();
    }
    let openings = match &plan.openings {
        Openings::Random { plies } => format!("{plies} random moves"),
        Openings::Listed(texts) => format!("one of {} positions", texts.len()),
    };
    all["openings"] = format!("{openings}, the same for both games of a pair").into();
    all["boards"] = plan.boards.join(", ").into();
    let row = |(name, value): (&String, &Value)| {
        let text = match value {
            // Paths and the kernel of a machine are nobody's business.
            _ if ["allow-read", "sandbox"].contains(&name.as_str()) => return None,
            Value::Number(bytes) if bytes.as_u64()? >= 1 << 20 => format!("{} MiB", bytes.as_u64()? >> 20),
            Value::Number(number) => number.to_string(),
            Value::String(text) => text.replace("ms", " ms"),
            _ => return None,
        };
        Some(format!("<dt>{}</dt><dd>{}</dd>\n", name.replace('-', " "), escaped(&text)))
    };
    let rows = all.as_object().into_iter().flatten().filter_map(row);
    format!("<dl class=\"about\">\n{}</dl>\n", rows.collect::<String>())
}
