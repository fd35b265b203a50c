//! Folders of records.

mod timing;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::sync::Arc;
use std::time::Duration;

use amazons::watch::{Access, Catalogue, Folder, GameStatus, ServerLimits, Site, WatchedGame};
use amazons_rules::Shape;
use serde_json::Value;
use tempfile::TempDir;

use super::{Rig, as_if_played, get, record, serve};

fn names(list: &Value) -> Vec<&str> {
    list["games"].as_array().expect("games").iter().map(|game| game["name"].as_str().expect("a name")).collect()
}

fn games() -> Rig {
    let rig = Rig::new();
    rig.write("a.jsonl", &record("ann", "bob", Shape::Square, 6, 1));
    rig.write("b.jsonl", &record("bob", "cid", Shape::Donut, 7, 2));
    rig.write("c.jsonl", &record("cid", "ann", Shape::Donut, 7, 3));
    let cut: String =
        record("ann", "dan", Shape::Clover, 8, 4).lines().take(5).map(|line| format!("{line}\n")).collect();
    rig.write("d.jsonl", &cut);
    rig.write("e.jsonl", "{\"event\":\"start\"}\n");
    rig.write("f.txt", "no record");
    rig.write(".g.jsonl", "hidden");
    fs::create_dir(rig.path("h.jsonl")).expect("a folder");
    rig
}

#[test]
fn records_are_listed_with_what_they_tell() {
    let rig = games();
    let list = rig.listed("sort=name", 5);
    assert_eq!(names(&list), ["a.jsonl", "b.jsonl", "c.jsonl", "d.jsonl", "e.jsonl"]);
    let first = &list["games"][0];
    assert_eq!((&first["black"], &first["white"]), (&"ann".into(), &"bob".into()));
    assert_eq!((&first["board"], &first["state"]), (&"square 6 x 6".into(), &"over".into()));
    assert_eq!(first["ending"], "no_moves");
    assert!(first["moves"].as_u64().expect("a number") > 3);
    assert!(["black", "white"].contains(&first["winner"].as_str().expect("a colour")));
    let live = &list["games"][3];
    assert_eq!((&live["state"], &live["moves"], &live["ending"]), (&"live".into(), &4.into(), &Value::Null));
    let broken = &list["games"][4];
    assert_eq!(broken["state"], "broken");
    assert_eq!(broken["error"], "not a record of this server: its format is 0, not 4");
    assert_eq!(list["players"], serde_json::json!(["ann", "bob", "cid", "dan"]));
    assert_eq!(list["endings"], serde_json::json!(["broken", "live", "no_moves"]));
}

#[test]
fn filters_and_pages_select() {
    let rig = games();
    rig.listed("", 5);
    assert_eq!(names(&rig.listed("player=ann&sort=name", 3)), ["a.jsonl", "c.jsonl", "d.jsonl"]);
    assert_eq!(names(&rig.listed("board=donut+7+x+7&sort=name", 2)), ["b.jsonl", "c.jsonl"]);
    assert_eq!(names(&rig.listed("ending=live", 1)), ["d.jsonl"]);
    assert_eq!(names(&rig.listed("ending=broken", 1)), ["e.jsonl"]);
    assert_eq!(names(&rig.listed("ending=no_moves&player=bob&board=donut%207%20x%207", 1)), ["b.jsonl"]);
    assert_eq!(names(&rig.listed("player=nobody", 0)), [""; 0]);
    assert_eq!(names(&rig.listed("sort=name&reverse=true&size=2", 5)), ["e.jsonl", "d.jsonl"]);
    let page = rig.listed("sort=name&size=2&page=2", 5);
    assert_eq!((names(&page), &page["pages"]), (vec!["e.jsonl"], &3.into()));
    assert_eq!(rig.listed("size=2&page=99", 5)["page"], 2, "the last page");
    for wrong in ["page=-1", "sort=size", "size=x"] {
        assert_eq!(rig.get(&format!("/api/games?{wrong}")).status, 400, "{wrong}");
    }
    let whites = rig.listed("sort=white", 5);
    let whites: Vec<_> = whites["games"].as_array().expect("games").iter().map(|game| game["white"].as_str()).collect();
    assert!(whites.is_sorted_by_key(|white| white.unwrap_or_default()), "{whites:?}");
    let moves = rig.listed("sort=moves", 5);
    let moves: Vec<_> = moves["games"].as_array().expect("games").iter().map(|game| game["moves"].as_u64()).collect();
    assert!(moves.is_sorted_by(|a, b| a >= b), "{moves:?}");
}

#[test]
fn broken_files_are_listed_with_what_is_wrong() {
    let rig = Rig::new();
    let whole = record("a", "b", Shape::Square, 5, 1);
    let cases = [
        ("a.jsonl", String::new(), "it is empty"),
        ("b.jsonl", "{".to_owned(), "line 1 is incomplete"),
        ("c.jsonl", "no\n".to_owned(), "line 1: expected ident"),
        ("d.jsonl", format!("{whole}\u{1b}[2Jx\n"), "last line: expected value"),
        (
            "e.jsonl",
            whole.replace("\"format\":4", "\"format\":9"),
            "not a record of this server: its format is 9, not 4",
        ),
        ("f.jsonl", "{\"event\":\"move\"}\n".to_owned(), "line 1: expected a start event"),
        ("g.jsonl", whole.replace("no_moves", "boredom"), "last line: unknown variant"),
    ];
    for (name, text, _) in &cases {
        rig.write(name, text);
    }
    let list = rig.listed("sort=name", cases.len() as u64);
    for (game, (name, _, expected)) in list["games"].as_array().expect("games").iter().zip(&cases) {
        let error = game["error"].as_str().expect("what is wrong");
        assert!(error.starts_with(expected), "{name}: {error}");
        assert_eq!(game["state"], "broken");
    }
}

#[test]
fn nothing_outside_of_the_folder_is_read() {
    let rig = Rig::new();
    let outside = TempDir::new().expect("a folder");
    let secret = outside.path().join("secret.jsonl");
    fs::write(&secret, record("secret", "secret", Shape::Square, 5, 1)).expect("a file");
    rig.write("own.jsonl", &record("own", "own", Shape::Square, 5, 1));
    symlink(&secret, rig.path("absolute.jsonl")).expect("a link");
    let back = format!("../{}/secret.jsonl", outside.path().file_name().expect("a name").display());
    symlink(back, rig.path("relative.jsonl")).expect("a link");
    symlink("own.jsonl", rig.path("inside.jsonl")).expect("a link");
    symlink("loop.jsonl", rig.path("loop.jsonl")).expect("a link");
    symlink("/proc/self/environ", rig.path("process.jsonl")).expect("a link");
    let made = std::process::Command::new("mkfifo").arg(rig.path("pipe.jsonl")).status().expect("mkfifo");
    assert!(made.success());
    let list = rig.listed("sort=name", 7);
    for game in list["games"].as_array().expect("games") {
        let (name, id) = (game["name"].as_str().expect("a name"), game["id"].as_str().expect("a name"));
        let is_ours = ["own.jsonl", "inside.jsonl"].contains(&name);
        assert_eq!(game["error"].is_null(), is_ours, "{game}");
        let record = rig.get(&format!("/api/games/{id}/record"));
        assert_eq!(record.status == 200, is_ours, "{name}");
        assert!(!record.text().contains("secret"), "{name}");
    }
}

#[test]
fn a_file_may_be_watched_alone() {
    let folder = TempDir::new().expect("a folder");
    for name in ["one", "two.jsonl"] {
        fs::write(folder.path().join(name), record(name, "x", Shape::Square, 5, 1)).expect("a file");
    }
    let only = Folder::new(&folder.path().join("one")).expect("a file");
    let viewer = serve(Site::of_folders(Access::Local, vec![only], Vec::new()), Access::Local, ServerLimits::default());
    let list = get(viewer.address(), "/api/games").json()["list"].clone();
    assert_eq!(names(&list), ["one"]);
    viewer.stop().expect("it had not failed");
    assert!(Folder::new(&folder.path().join("three")).is_err());
    assert!(Folder::new("/dev/null".as_ref()).is_err());
}

#[test]
fn what_has_changed_is_read_again_and_nothing_else() {
    let folder = TempDir::new().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    let text = as_if_played(&record("a", "b", Shape::Square, 5, 1), [None, None]);
    fs::write(file("a.jsonl"), &text).expect("a file");
    fs::write(file("b.jsonl"), &text).expect("a file");
    let catalogue = || Catalogue::new(vec![Folder::new(folder.path()).expect("a folder")]);
    let patient = catalogue().with_fresh(Duration::from_secs(3600));
    assert!(Arc::ptr_eq(&patient.listing(), &patient.listing()), "a fresh list is used again");
    let catalogue = catalogue().with_fresh(Duration::ZERO);
    let before = catalogue.listing();
    let lines: Vec<&str> = text.lines().collect();
    fs::write(file("b.jsonl"), format!("{}\n{}\n", lines[0], lines[1])).expect("a file");
    let after = catalogue.listing();
    let find = |listing: &amazons::watch::Listing, name: &str| {
        listing.entries.iter().find(|entry| entry.name() == name).cloned().expect("a record")
    };
    assert!(Arc::ptr_eq(&find(&before, "a.jsonl"), &find(&after, "a.jsonl")), "what is as it was is kept");
    assert_eq!(find(&before, "b.jsonl").state(), GameStatus::Over);
    assert_eq!(find(&after, "b.jsonl").state(), GameStatus::Live);
    let ids: BTreeSet<&str> = after.entries.iter().map(|entry| entry.id.as_str()).collect();
    assert_eq!(ids, before.entries.iter().map(|entry| entry.id.as_str()).collect(), "a link keeps its meaning");
    fs::File::options()
        .write(true)
        .open(file("b.jsonl"))
        .expect("a file")
        .set_modified(std::time::UNIX_EPOCH)
        .expect("a time");
    assert_eq!(find(&catalogue.listing(), "b.jsonl").state(), GameStatus::CutOff);
}

/// A game may be void before its players have names; the next one has them.
#[test]
fn after_a_void_game_the_list_tells_of_the_next() {
    let rig = Rig::new();
    let text = record("ann", "bob", Shape::Square, 5, 1);
    let start = text.lines().next().expect("a start");
    let nameless = start.replace("\"ann\"", "null").replace("\"bob\"", "null");
    assert_ne!(nameless, start);
    let end = r#"{"event":"end","winner":null,"termination":"void","moves":0,"position":"","hash":"","detail":"x"}"#;
    rig.write("a.jsonl", &format!("{nameless}\n{end}\n{text}"));
    rig.write("b.jsonl", &format!("{nameless}\n"));
    let list = rig.listed("sort=name", 2);
    assert_eq!((&list["games"][0]["black"], &list["games"][0]["ending"]), (&"ann".into(), &"no_moves".into()));
    assert_ne!(list["games"][1]["black"], "ann");
    let game = WatchedGame::new(Arc::default());
    assert_eq!(game.start(), None);
    let lines = |text: &str| text.lines().map(|line| line.as_bytes().to_vec()).collect::<Vec<_>>();
    game.append(lines(&nameless));
    assert_eq!(game.start().expect("a start"), nameless.as_bytes());
    game.append(lines(&format!("{end}\n{text}")));
    assert_eq!(game.start().expect("a start"), start.as_bytes());
}

/// Enough for several threads to read them.
#[test]
fn many_records_are_listed() {
    let rig = Rig::new();
    let text = as_if_played(&record("a", "b", Shape::Square, 5, 1), [None, None]);
    (0..1100).for_each(|number| rig.write(&format!("{number}.jsonl"), &text));
    for _ in 0..2 {
        let list = rig.get("/api/games?player=a&sort=moves&page=3").json();
        assert_eq!(list["list"]["total"], 1100);
        assert_eq!(list["list"]["games"].as_array().expect("games").len(), 50);
    }
}
