//! Pages of tournaments and ladders.

use std::fs;
use std::path::PathBuf;

use amazons::watch::{Access, Folder, ServerLimits, Site, Viewer};
use amazons_rules::Shape;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Events, Reply, get, record, serve};

/// A folder as left by a ladder, with two games.
pub(super) struct Hall {
    root: TempDir,
    viewer: Option<Viewer>,
}

fn game_line(number: u8, winner: u8) -> String {
    let fault = if number == 2 { json!([2]) } else { json!([]) };
    let log = (number == 2).then_some("logs/000/000012-2-player2.log");
    json!({"game": {
        "pair": 12, "game": number, "players": ["<b>ada</b>#1", "bob#2"], "winner": winner, "termination": "no_moves",
        "at_fault": fault, "moves": 20 + number, "fingerprint": "00", "slowest_us": [1, 2], "wall_us": 3, "host": "here",
        "speed": 1.0, "record": format!("records/000/000012-{number}.jsonl"), "logs": [null, log],
    }})
    .to_string()
}

pub(super) fn table(games: u64) -> Value {
    let row = |rank: u64, name: &str| {
        json!({"rank": rank, "name": name, "version": rank, "elo": 12.5, "error": 20.0, "glicko": 1600.25, "glicko_error": 44.5, "points": 1.5, "games": games,
               "won": 1, "lost": 0, "at_fault": 1, "sha256": "00", "joined": 1})
    };
    json!({
        "games": games, "pairs": games / 2, "players": [row(1, "<b>ada</b>"), row(2, "bob")], "former": [], "latest": [],
        "running": [{"pair": 13, "players": ["ada#1", "bob#2"], "board": "c10"}],
        "refused": [{"name": "eve", "sha256": "00", "reason": "cannot read /home/eve/x", "at": 1}],
        "sentence": "<b>ada</b> leads the ladder with an Elo of +13",
        "notices": ["bob was at fault in 1 of 2 games: see their records and its logs"],
        "suspicions": ["ada and bob are the same file"],
    })
}

impl Hall {
    pub(super) fn new(access: Access) -> Self {
        let root = TempDir::new().expect("a folder");
        let mut hall = Self { root, viewer: None };
        let text = record("ann", "bob", Shape::Square, 6, 1);
        for folder in ["records/000", "logs/000"] {
            fs::create_dir_all(hall.file(folder)).expect("a folder");
        }
        hall.write("records/000/000012-1.jsonl", &text);
        hall.write("records/000/000012-2.jsonl", &text);
        hall.write("logs/000/000012-2-player2.log", "about to crash\n");
        hall.write("ladder.json", &table(2).to_string());
        let lines = ["{\"journal\":1,\"ladder\":{}}".to_owned(), "{\"run\":{}}".to_owned(), game_line(1, 1)];
        hall.write("journal.jsonl", &(lines.join("\n") + "\n" + &game_line(2, 2) + "\n{\"game\":{\"pai"));
        let folder = Folder::new(&hall.file("")).expect("a folder");
        let site = Site::of_folders(access, vec![folder], Vec::new());
        hall.viewer = Some(serve(site, access, ServerLimits::default()));
        hall
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        fs::write(self.file(name), text).expect("a file");
    }

    pub(super) fn address(&self) -> std::net::SocketAddr {
        self.viewer.as_ref().expect("it runs").address()
    }

    fn get(&self, path: &str) -> Reply {
        get(self.address(), path)
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        self.viewer.take().expect("stopped once").stop().expect("the viewer had not failed");
    }
}

#[test]
fn a_ladder_has_a_page() {
    let hall = Hall::new(Access::Local);
    let title = hall.root.path().file_name().expect("a name").display().to_string();
    let events = hall.get("/api/events").json();
    assert_eq!(
        (&events[0]["id"], &events[0]["title"], events.as_array().map(Vec::len)),
        (&"0".into(), &title.clone().into(), Some(1))
    );
    let sentence = "<b>ada</b> leads the ladder with an Elo of +13";
    assert_eq!((&events[0]["sentence"], &events[0]["pairs"]), (&sentence.into(), &1.into()));
    let page = hall.get("/event/0");
    assert!(page.status == 200 && page.text().contains("/assets/event.js"), "{page:?}");
    let told = hall.get("/api/events/0").json();
    assert_eq!((&told["kind"], &told["title"], &told["pairs"]), (&"ladder".into(), &title.into(), &1.into()));
    assert_eq!((&told["players"][1]["name"], &told["players"][1]["version"]), (&"bob".into(), &2.into()));
    assert_eq!(told["players"][0]["sha256"], Value::Null, "only what is shown is told");
    assert_eq!(told["refused"][0]["reason"], "cannot read /home/eve/x");
    assert_eq!((&told["sentence"], &told["notices"][1]), (&sentence.into(), &"ada and bob are the same file".into()));
    let games = told["games"].as_array().expect("games");
    assert_eq!(games.len(), 2, "half a line is none");
    assert_eq!((&games[0]["id"], &games[0]["logs"]), (&"0-12-2".into(), &json!([2])));
    assert_eq!((&games[1]["id"], &games[1]["winner"]), (&"0-12-1".into(), &1.into()));
    // The journal is not a record, and the event's games are not in the list.
    assert_eq!(hall.get("/api/games").json()["list"]["total"], 0);
}

#[test]
fn games_of_an_event_are_shown_with_their_logs() {
    let hall = Hall::new(Access::Local);
    let game = hall.get("/api/games/0-12-1").json();
    assert_eq!((&game["black"], &game["state"]), (&"ann".into(), &"over".into()), "{game}");
    assert_eq!(hall.get("/game/0-12-1").status, 200);
    let mut lines = Events::open(hall.address(), "/api/games/0-12-2/events", "");
    assert_eq!(lines.line().expect("a line").json()["event"], "start");
    assert_eq!(hall.get("/api/games/0-12-1/as/sgf").status, 200);
    let log = hall.get("/api/games/0-12-2/log/2");
    assert_eq!((log.status, log.text()), (200, "about to crash"));
    assert_eq!(hall.get("/api/games/0-12-2/log/1").status, 404);
    for wrong in ["0-12-3", "0-13-1", "1-12-1", "0-012-1", "0-12", "0-12-1-1", "-1-12-1"] {
        assert_eq!(hall.get(&format!("/api/games/{wrong}")).status, 404, "{wrong}");
    }
    for wrong in ["1", "00", "x", "-1"] {
        assert_eq!(hall.get(&format!("/api/events/{wrong}")).status, 404, "{wrong}");
        assert_eq!(hall.get(&format!("/event/{wrong}")).status, 404, "{wrong}");
        assert_eq!(hall.get(&format!("/api/events/{wrong}/changes")).status, 404, "{wrong}");
    }
}

#[test]
fn the_public_sees_no_folders_and_no_logs() {
    let hall = Hall::new(Access::Public);
    let told = hall.get("/api/events/0").json();
    assert_eq!((&told["refused"][0]["name"], &told["refused"][0]["reason"]), (&"eve".into(), &Value::Null));
    assert!(!told.to_string().contains("/home"), "{told}");
    assert!(!told.to_string().contains("same file") && told["notices"][0].is_string(), "{told}");
    // A table of an earlier server does not tell what is for the public.
    let mut earlier = table(2);
    earlier.as_object_mut().expect("an object").remove("suspicions");
    hall.write("ladder.json", &earlier.to_string());
    assert_eq!(hall.get("/api/events/0").json()["notices"], json!([]));
    assert_eq!(hall.get("/api/games/0-12-2/log/2").status, 404);
    assert_eq!(hall.get("/api/games/0-12-2").status, 200);
}

#[test]
fn changes_are_told_and_read() {
    let hall = Hall::new(Access::Local);
    let mut changes = Events::open(hall.address(), "/api/events/0/changes", "");
    assert_eq!(changes.next().expect("how it begins").name, "change");
    assert_eq!(hall.get("/api/events/0").json()["count"], 2);
    hall.write("ladder.json", &table(40).to_string());
    assert_eq!(changes.next().expect("a change").name, "change");
    assert_eq!(hall.get("/api/events/0").json()["count"], 40);
    // An invalid table is reported, and nothing else breaks.
    hall.write("ladder.json", "{");
    assert_eq!(changes.next().expect("a change").name, "change");
    let broken = hall.get("/api/events/0");
    assert!(broken.status == 500 && broken.text().contains("ladder.json"), "{broken:?}");
    fs::remove_file(hall.file("ladder.json")).expect("a file");
    assert_eq!(hall.get("/api/events/0").json()["games"].as_array().expect("games").len(), 2);
    fs::remove_file(hall.file("journal.jsonl")).expect("a file");
    assert_eq!(hall.get("/api/events/0").status, 404, "an event that is gone");
    assert_eq!(hall.get("/api/events").json(), json!([]));
}

#[test]
fn a_tournament_has_a_page_too() {
    let hall = Hall::new(Access::Local);
    fs::remove_file(hall.file("ladder.json")).expect("a file");
    let row = json!({"rank": 1, "name": "ada", "file": "/home/ada/x.so", "sha256": "00", "elo": 12.25, "error": 30.0,
        "points": 5.0, "games": 4, "won": 3, "lost": 1, "byes": 1, "at_fault": 0, "endings": {}});
    let standings = json!({"is_complete": true, "ranked_by": "points", "pairs": 2, "players": [row], "notices": []});
    hall.write("standings.json", &standings.to_string());
    let told = hall.get("/api/events/0").json();
    assert_eq!((&told["kind"], &told["is_complete"]), (&"tournament".into(), &true.into()));
    let row = &told["players"][0];
    assert_eq!([&row["elo"], &row["points"], &row["points_max"]], [&json!(12.25), &json!(5.0), &json!(6)]);
    assert!(!told.to_string().contains("/home"), "{told}");
}
