//! Publishes an event, a ladder or a course as pages that need no server: the viewer's own, with scripts of data that
//! stand in for its answers. Logs, tokens, and the paths and names of machines are left out.

mod games;

use std::fs;
use std::io;
use std::path::Path;

use amazons_program::files::write_whole;
use amazons_program::{Exit, escaped};
use anyhow::Context;
use serde_json::{Value, json};

use games::{CHUNK, Games};

use crate::course::{COURSE, CourseSettings, HOW_TO_SUBMIT, LADDER};
use crate::tournament::{JOURNAL, Openings, Overview, Plan};
use crate::watch::{ASSETS, Access, EVENT, INDEX, Page, Places, page_of_table};

const PLACES: Places = &[("index.html", "Standings"), ("games.html", "Games"), ("rules.html", "Rules")];
const GAME: Page = Page {
    title: "A game of the Amazons",
    has_heading: true,
    scripts: &["viewer.js", "record.js"],
    body: include_str!("assets/game.html"),
};
const RULES: Page =
    Page { title: "Rules of the Amazons", has_heading: false, scripts: &[], body: include_str!("assets/rules.html") };

/// The assets of the viewer that published pages need, and their own.
const SHARED: [&str; 9] = [
    "look.css",
    "page.js",
    "viewer.js",
    "viewer.css",
    "watch.css",
    "tables.js",
    "event.js",
    "index.js",
    "small_board.js",
];
const OWN: [(&str, &str); 2] =
    [("published.js", include_str!("assets/published.js")), ("record.js", include_str!("assets/record.js"))];

/// The data of a published event; a folder without it holds something else.
const EVENT_DATA: &str = "data/event.js";

/// The scripts that stand in for a server.
const DATA: [&str; 3] = ["assets/published.js", EVENT_DATA, "data/games.js"];

/// What was published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// How many games can be looked at.
    pub games: usize,
    /// How many were played.
    pub played: usize,
}

/// Writes the pages of an event, a ladder or a course into a folder, which may hold earlier ones of it.
///
/// # Errors
/// When there is nothing to publish, or the folder holds something else or cannot be written.
pub fn publish(source: &Path, out: &Path) -> anyhow::Result<Published> {
    if out.exists() && !out.join(EVENT_DATA).exists() && fs::read_dir(out)?.next().is_some() {
        return Err(Exit::usage(format_args!("{} holds something else: name a new folder", out.display())).into());
    }
    let is_course = source.join(COURSE).exists();
    let folder = if is_course { source.join(LADDER) } else { source.to_owned() };
    let overview = Overview::read(&folder)?;
    let title = match is_course {
        true => CourseSettings::read(source).map_err(Exit::Usage)?.title,
        false => overview.title(),
    };
    let write = |name: &str, text: &str| {
        let path = out.join(name);
        write_whole(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
    };
    for part in ["assets", "data"] {
        fs::create_dir_all(out.join(part)).with_context(|| format!("cannot make {}", out.display()))?;
    }
    let mut games = Games::default();
    for game in overview.games() {
        games.add(&overview, &game, &write)?;
    }
    games.end(&write)?;
    write(EVENT_DATA, &format!("published.event = {};\n", event(&overview, &title, &games)?))?;
    for name in SHARED {
        let asset = ASSETS.iter().find(|asset| asset.0 == name).map_or("", |asset| asset.2);
        write(&format!("assets/{name}"), asset)?;
    }
    for (name, asset) in OWN {
        write(&format!("assets/{name}"), asset)?;
    }
    for (name, page, data) in [("index.html", &EVENT, 2), ("games.html", &INDEX, 3), ("game.html", &GAME, 3)] {
        write(name, &page.published(PLACES, name, &DATA[..data]))?;
    }
    let submit = if is_course { HOW_TO_SUBMIT } else { "" };
    let rules = RULES.published(PLACES, "rules.html", &DATA[..1]);
    write("rules.html", &rules.replace("SETTINGS", &settings(&overview.plan)).replace("SUBMIT", submit))?;
    Ok(Published { games: games.count(), played: overview.games().count() })
}

/// Returns what the page of the event shows.
fn event(overview: &Overview, title: &str, games: &Games) -> io::Result<Value> {
    let mut page = page_of_table(overview.is_ladder, overview.table.as_bytes(), Access::Public)?;
    let changed = fs::metadata(overview.folder.join(JOURNAL))?.modified()?;
    let changed = changed.duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let more = json!({
        "title": title, "about": overview.about, "changed": changed, "games": games.latest(),
        "by_board": overview.by_board(), "history": overview.history(), "chunk": CHUNK,
    });
    page.extend(more.as_object().cloned().unwrap_or_default());
    Ok(page.into())
}

/// Returns the settings that all games follow from as a list.
pub(crate) fn settings(plan: &Plan) -> String {
    let openings = match &plan.openings {
        Openings::Random { plies } => format!("{plies} random moves, the same for both games of a pair"),
        Openings::Listed(texts) => format!("one of {} positions, the same for both games of a pair", texts.len()),
    };
    let mut game = json!(plan.game);
    if plan.game.move_time.is_none() && plan.game.game_time.is_none() {
        game["move-time"] = format!("{}ms", plan.game.limits(0).play.as_millis()).into();
    }
    let limits = game.as_object().into_iter().flatten().filter_map(|(name, value)| {
        // Paths and the kernel of a machine are nobody's business.
        let is_told = !["allow-read", "sandbox", "directions"].contains(&name.as_str());
        let text = match value {
            Value::Number(bytes) if name == "memory" => format!("{} MiB", bytes.as_u64()? >> 20),
            Value::Number(bytes) if name == "log-limit" => format!("{} KiB", bytes.as_u64()? >> 10),
            Value::String(text) => text.strip_suffix("ms").map_or_else(|| text.clone(), |ms| format!("{ms} ms")),
            Value::Null | Value::Bool(false) => return None,
            value => value.to_string(),
        };
        is_told.then(|| (name.clone(), text))
    });
    let mut rows = vec![("boards".to_owned(), plan.boards.join(", ")), ("openings".to_owned(), openings)];
    rows.extend(limits);
    let row = |(name, value): (String, String)| {
        format!("<dt>{}</dt><dd>{}</dd>\n", escaped(&name.replace('-', " ")), escaped(&value))
    };
    format!("<dl class=\"about\">\n{}</dl>\n", rows.into_iter().map(row).collect::<String>())
}
