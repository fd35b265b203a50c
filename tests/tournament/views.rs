//! All views of an event say the same: result, places and points in its files, on live pages and on published ones.

use std::fs;
use std::path::Path;

use amazons::tournament::{Event, read_plan};
use amazons::watch::{Access, Folder, ServerLimits, Site};
use amazons_browser::Browser;
use amazons_testing::{output_of, wait_until};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use super::event::Hall;
use crate::cli::{player, ran, server};
use crate::watch::{get, serve};

/// A player's place, name and points.
type Row = (String, String, f64);

/// An event, what must be said of it, and, where a table shows them, the players.
#[derive(Debug)]
struct View {
    sentence: String,
    rows: Vec<Row>,
}

impl View {
    fn of_json(table: &Value) -> Self {
        let cell = |row: &Value, name: &str| match &row[name] {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        let row = |row: &Value| (cell(row, "rank"), cell(row, "name"), row["points"].as_f64().expect("points"));
        let rows = table["players"].as_array().map_or_else(Vec::new, |rows| rows.iter().map(row).collect());
        Self { sentence: cell(table, "sentence"), rows }
    }

    #[track_caller]
    fn check(&self, what: &str, other: &Self) {
        assert_eq!(self.sentence, other.sentence, "{what}");
        assert_eq!(self.rows, other.rows, "{what}: {}", self.sentence);
    }
}

/// The players of a table of comma-separated values; a ladder's former versions have no place.
fn rows_of_csv(text: &str) -> Vec<Row> {
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let heads = lines.next().expect("heads");
    let places =
        ["rank", "player", "points"].map(|name| heads.iter().position(|head| *head == name).expect("a column"));
    let row = |cells: Vec<&str>| {
        let [rank, name, points] = places.map(|place| cells[place].to_owned());
        (rank, name, points.parse().expect("points"))
    };
    lines.map(row).filter(|(rank, ..)| !rank.is_empty()).collect()
}

/// Compares everything that is said of an event, a ladder or a course; `folder` has the tables, and `source` is what is
/// published. Returns the result in words.
#[track_caller]
pub(crate) fn assert_views_agree(folder: &Path, source: &Path) -> String {
    let kind = if folder.join("ladder.json").exists() { "ladder" } else { "standings" };
    let read = |ending: &str| fs::read_to_string(folder.join(format!("{kind}.{ending}"))).expect("a table");
    let expected = View::of_json(&serde_json::from_str(&read("json")).expect("JSON"));
    assert!(expected.rows.len() > 1 && !expected.sentence.is_empty(), "{expected:?}");
    assert_eq!(expected.rows, rows_of_csv(&read("csv")), "{kind}.csv: {}", expected.sentence);
    let text = read("txt");
    assert!(text.lines().any(|line| line == expected.sentence), "{}: {text}", expected.sentence);
    for (rank, name, points) in &expected.rows {
        let is_row = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            words.starts_with(&[rank, name]) && words.contains(&&*format!("{points:.1}"))
        };
        assert!(text.lines().any(is_row), "{rank} {name} {points}: {text}");
    }
    let site = Site::of_folders(Access::Public, vec![Folder::new(folder).expect("a folder")], Vec::new());
    let viewer = serve(site, Access::Public, ServerLimits::default());
    let told = |path: &str| get(viewer.address(), path).json();
    expected.check("the page of the event, as data", &View::of_json(&told("/api/events/0")));
    assert_eq!(told("/api/events")[0]["sentence"], *expected.sentence, "the card, as data");
    let pages = tempdir().expect("a folder");
    let published = server(["report", &source.display().to_string(), "--html", &pages.path().display().to_string()]);
    assert_eq!((published.status, &*published.err), (0, ""), "{}", published.out);
    if let Some(mut browser) = Browser::start() {
        browser.open(&format!("http://{}/", viewer.address()));
        browser.wait("document.querySelector('#event-links a')");
        let card = browser.eval("document.querySelector('#event-links a :nth-child(2)').textContent");
        assert_eq!(card, *expected.sentence, "the card");
        let live = format!("http://{}/event/0", viewer.address());
        for page in [live, format!("file://{}/index.html", pages.path().display())] {
            expected.check(&page, &seen(&mut browser, &page));
        }
    }
    expected.sentence
}

/// Reads the page of an event as its readers do.
fn seen(browser: &mut Browser, page: &str) -> View {
    browser.open(page);
    browser.wait("document.querySelector('#players tr')");
    let columns = "[...document.querySelectorAll('#player-heads th')].map((head) => head.textContent)";
    let columns = browser.eval(columns);
    let column = |name: &str| columns.as_array().expect("heads").iter().position(|head| *head == *name).expect(name);
    let cells = browser.eval("[...document.querySelectorAll('#players tr')].map((row) => [...row.cells].map((cell) => cell.firstChild?.textContent ?? ''))");
    let row = |cells: &Value| {
        let text = |name| cells[column(name)].as_str().expect("text").to_owned();
        (text("#"), text("Player"), text("Points").parse().expect("points"))
    };
    let rows = cells.as_array().expect("rows").iter().map(row).collect();
    let sentence = browser.eval("document.querySelector('#result').textContent");
    View { sentence: sentence.as_str().expect("text").to_owned(), rows }
}

/// Two copies of a player that moves at random, and what they share.
fn of_two(options: &[&str]) -> String {
    let hall = Hall::new(&["random", "random"], &[&["--boards", "c5", "-j1"], options].concat());
    hall.finish();
    assert_views_agree(&hall.dir(), &hall.dir())
}

#[test]
fn a_tie_is_one_everywhere() {
    assert_eq!(of_two(&["--pairs", "1", "--seed", "1"]), "random and random-2 are even after 1 pair");
}

#[test]
fn a_knockout_has_a_winner_everywhere() {
    let sentence = of_two(&["--format", "knockout", "--best-of", "1", "--max-pairs", "1", "--seed", "1"]);
    assert!(sentence.ends_with(" has won"), "{sentence}");
}

#[test]
fn the_verdict_of_a_test_stands_everywhere() {
    let rejected = of_two(&["--sprt", "elo0=0", "elo1=200", "model=logistic", "--seed", "3"]);
    assert!(rejected.contains("0 rather than 200"), "{rejected}");
    let options = ["--boards", "c5", "-j1", "--sprt", "elo0=0", "elo1=100", "model=logistic", "--seed", "3"];
    let hall = Hall::new(&["territory", "random"], &options);
    hall.finish();
    let accepted = assert_views_agree(&hall.dir(), &hall.dir());
    assert!(accepted.contains("100 rather than 0"), "{accepted}");
}

/// With an odd number of players, one has no opponent in each round.
#[test]
fn byes_and_a_withdrawal_count_alike_everywhere() {
    let root = TempDir::new().expect("a folder");
    let players: String =
        (1..=6).map(|number| format!("[[players]]\nname = \"p{number}\"\nfile = \"{}\"\n", player("random"))).collect();
    let plan = root.path().join("swiss.toml");
    let settings = "format = \"swiss\"\nrounds = 4\npairs = 1\nboards = [\"c5\"]\nseed = 5\n";
    fs::write(&plan, format!("{settings}{players}")).expect("a plan");
    let folder = root.path().join("swiss");
    drop(Event::open(&folder, read_plan(&plan).expect("a plan")).expect("an event"));
    assert_eq!(server(["tournament", "withdraw", &folder.display().to_string(), "p6"]).status, 0);
    let ran = server(["tournament", &plan.display().to_string(), "-q", "-j1"]);
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    assert_views_agree(&folder, &folder);
    let rows = rows_of_csv(&fs::read_to_string(folder.join("standings.csv")).expect("a table"));
    assert!(rows.is_sorted_by(|(.., one), (.., two)| one >= two), "points put them in order: {rows:?}");
    let all: f64 = rows.iter().map(|(.., points)| points).sum();
    assert!((all - 24.0).abs() < 0.1, "two games and a bye of two points each, in four rounds: {rows:?}");
}

#[test]
fn an_event_that_was_broken_off_has_the_same_result_so_far() {
    let hall = Hall::new(&["random", "territory"], &["--pairs", "5000", "--boards", "c5", "-j1"]);
    let child = hall.command().spawn().expect("the server can be run");
    wait_until("games are played", || hall.games() >= 5);
    let stop = server(["tournament", "stop", &hall.dir().display().to_string()]);
    assert_eq!(stop.status, 0, "{}", stop.err);
    assert_eq!(ran(output_of(child)).status, 130);
    assert_views_agree(&hall.dir(), &hall.dir());
}
