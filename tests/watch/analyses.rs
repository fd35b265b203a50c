//! Analyses, the live engine and games against bots, offered by `server watch`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::os::unix::fs::symlink;
use std::process::{Child, Command, Stdio};

use amazons_rules::Shape;
use amazons_testing::{status_of, wait_for, wait_until};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::commands::{address_in, interrupt};
use super::play::post;
use super::{Events, Reply, get, record};
use crate::cli;
use crate::support::{player, server};

/// `server watch` on a folder with one game.
struct Watched {
    folder: TempDir,
    child: Child,
    address: SocketAddr,
    id: String,
}

impl Watched {
    fn new(args: &[&str]) -> Self {
        let folder = TempDir::new().expect("a folder");
        fs::write(folder.path().join("a.jsonl"), record("a", "b", Shape::Square, 5, 1)).expect("a file");
        let mut command = Command::new(server());
        let mut child =
            command.arg("watch").arg(folder.path()).args(args).stdout(Stdio::piped()).spawn().expect("it runs");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let (address, _) = address_in(&line);
        let games = get(address, "/api/games").json();
        let id = games["list"]["games"][0]["id"].as_str().expect("a game").to_owned();
        Self { folder, child, address, id }
    }

    fn post(&self, path: &str, body: &Value) -> Reply {
        let headers = format!("origin: http://{}\r\ncontent-type: application/json\r\n", self.address);
        post(self.address, path, &headers, &body.to_string())
    }

    fn analysis(&self) -> String {
        format!("/api/games/{}/analysis", self.id)
    }

    fn end(mut self) {
        interrupt(&self.child);
        assert!(status_of(&mut self.child).success());
    }
}

/// Waits for a state of an analysis; returns it and the lines before it.
fn until(events: &mut Events, wanted: &str) -> (Value, Vec<Value>) {
    let mut lines = Vec::new();
    loop {
        let sent = events.next().unwrap_or_else(|| panic!("the stream ended before {wanted}: {lines:?}"));
        match &*sent.name {
            "" => lines.push(sent.json()),
            "state" if sent.json()["state"] == wanted => return (sent.json(), lines),
            _ => {}
        }
    }
}

#[test]
fn a_game_is_analysed_stopped_and_gone_on_with() {
    let watched = Watched::new(&["--analyze"]);
    assert_eq!(get(watched.address, "/api/analysis").json(), json!({ "offered": true, "opponents": [] }));
    let path = watched.analysis();
    let mut events = Events::open(watched.address, &path, "");
    let (none, _) = until(&mut events, "none");
    let moves = none["of"].as_u64().expect("the number of moves");
    assert_eq!(watched.post(&path, &json!({ "time_ms": 30 })).status, 200);
    assert_eq!(watched.post(&path, &json!({ "time_ms": 30 })).status, 200, "it does not matter how often");
    let first = events.find(|sent| sent.name.is_empty() && sent.json()["event"] == "move").expect("a move").json();
    assert_eq!((&first["ply"], first["analysis"]["win"].is_number()), (&json!(1), true));
    assert_eq!(watched.post(&path, &json!({ "stop": true })).status, 200);
    let (stopped, _) = until(&mut events, "stopped");
    assert!((1..moves).contains(&stopped["ply"].as_u64().expect("a number")), "{stopped}");
    // The annotated record is no game of its own.
    assert_eq!(get(watched.address, "/api/games").json()["list"]["total"], 1);
    assert_eq!(watched.post(&path, &json!({ "time_ms": 30 })).status, 200);
    let (done, lines) = until(&mut events, "done");
    assert_eq!((&done["ply"], &lines.last().expect("an end")["event"]), (&json!(moves), &json!("end")));
    assert!(events.next().is_none(), "nothing can come after it");
    // A later visitor gets all of it, with the same numbers.
    let (_, all) = until(&mut Events::open(watched.address, &path, ""), "done");
    assert_eq!((all.len() as u64, &all[1]), (moves + 2, &first));
    let kept = fs::read_to_string(watched.folder.path().join("a.analysis.jsonl")).expect("beside the record");
    // Other formats have the marks, too.
    let marks = kept.matches("\"mark\":\"").count();
    let sgf = get(watched.address, &format!("/api/games/{}/as/sgf", watched.id));
    assert_eq!(sgf.text().matches("BM[").count() + sgf.text().matches("DO[]").count(), marks);
    assert!(marks > 0, "{kept}");
    assert_eq!(kept.lines().count(), all.len());
    watched.end();
}

#[test]
fn the_engine_judges_a_position_while_somebody_listens() {
    let watched = Watched::new(&["--analyze"]);
    let path = "/api/analysis/live?shape=d&size=7&lines=2&ownership=true";
    let mut streams: Vec<Events> = (0..4).map(|_| Events::open(watched.address, path, "")).collect();
    for events in &mut streams {
        let answer = events.line().expect("an answer").json();
        assert_eq!((&answer["during"], answer["lines"].as_array().map(Vec::len)), (&json!(true), Some(2)));
        assert_eq!(answer["ownership"]["black"].as_array().map(Vec::len), Some(49));
    }
    assert_eq!(get(watched.address, path).status, 503, "others wait");
    drop(streams);
    let mut again = wait_for("an engine", || {
        (get(watched.address, "/api/analysis/live?position=nonsense").status == 200)
            .then(|| Events::open(watched.address, "/api/analysis/live?position=q3/4/****/2Q1/2**%20w", ""))
    });
    let answer = again.line().expect("an answer").json();
    assert_eq!((&answer["during"], &answer["proven"]), (&json!(false), &json!("black")), "{answer}");
    let mut wrong = Events::open(watched.address, "/api/analysis/live?position=nonsense", "");
    let answer = wrong.line().expect("an answer").json();
    assert!(answer["error"].is_string() && answer["field"] == "position", "{answer}");
    watched.end();
}

#[test]
fn requests_that_cannot_be_met_say_why() {
    let plain = Watched::new(&[]);
    assert_eq!(get(plain.address, "/api/analysis").json(), json!({ "offered": false, "opponents": [] }));
    assert_eq!(plain.post(&plain.analysis(), &json!({ "time_ms": 100 })).status, 404);
    assert_eq!(get(plain.address, "/api/analysis/live").status, 404);
    assert_eq!(plain.post("/api/play", &json!({ "opponent": "random" })).status, 404);
    plain.end();
    let watched = Watched::new(&["--analyze"]);
    let path = watched.analysis();
    for (body, status) in [
        (json!({ "time_ms": 9 }), 422),
        (json!({ "time_ms": 60001 }), 422),
        (json!({}), 422),
        (json!({ "time_ms": "x" }), 400),
        (json!({ "more": 1 }), 400),
    ] {
        assert_eq!(watched.post(&path, &body).status, status, "{body}");
    }
    assert_eq!(watched.post("/api/games/0123456789abcdef/analysis", &json!({ "time_ms": 100 })).status, 404);
    // A foreign page cannot start anything.
    let headers = "origin: http://evil.example\r\ncontent-type: application/json\r\n";
    assert_eq!(post(watched.address, &path, headers, "{\"time_ms\":100}").status, 403);
    // A game that goes on; a file beside it that is something else.
    let game = fs::read_to_string(watched.folder.path().join("a.jsonl")).expect("a game");
    let part: String = game.lines().take(3).map(|line| format!("{line}\n")).collect();
    fs::write(watched.folder.path().join("part.jsonl"), part).expect("a file");
    let part = wait_for("the second game", || {
        let games = get(watched.address, "/api/games?sort=name").json()["list"]["games"].clone();
        games.as_array()?.iter().find(|game| game["name"] == "part.jsonl")?["id"].as_str().map(str::to_owned)
    });
    assert_eq!(watched.post(&format!("/api/games/{part}/analysis"), &json!({ "time_ms": 100 })).status, 409);
    let kept = watched.folder.path().join("a.analysis.jsonl");
    let outside = TempDir::new().expect("a folder");
    symlink(outside.path().join("kept"), &kept).expect("a link");
    assert_eq!(watched.post(&path, &json!({ "time_ms": 100 })).status, 409);
    assert!(!outside.path().join("kept").exists());
    fs::remove_file(&kept).expect("a link");
    fs::write(&kept, "my notes\n").expect("a file");
    let mut events = Events::open(watched.address, &path, "");
    assert_eq!(watched.post(&path, &json!({ "time_ms": 30 })).status, 200);
    let told = events.find(|sent| sent.name == "state" && sent.json()["error"].is_string()).expect("an error").json();
    assert!(told["error"].as_str().is_some_and(|error| error.contains("it holds something else")), "{told}");
    watched.end();
}

#[test]
fn levels_are_opponents() {
    let watched = Watched::new(&["--play", "champion:1", "--play", "champion:4"]);
    assert_eq!(get(watched.address, "/api/analysis").json()["opponents"], json!(["champion-1", "champion-4"]));
    let wanted = json!({ "opponent": "champion-4", "position": "5/4q/5/5/Q4 w", "color": "black" });
    let started = watched.post("/api/play", &wanted);
    assert_eq!(started.status, 200, "{started:?}");
    let (address, path) = address_in(started.json()["url"].as_str().expect("an address"));
    let mut turns = Events::open(address, &format!("{path}/events"), "");
    turns.find(|sent| sent.name == "turn" && sent.json()["ply"] == 1).expect("it has moved");
    let headers = format!("origin: http://{address}\r\ncontent-type: application/json\r\n");
    assert_eq!(post(address, &format!("{path}/resign"), &headers, "{\"ply\":1}").status, 200);
    wait_until("the game is listed", || {
        let games = get(watched.address, "/api/games?ending=resign").json();
        games["list"]["games"][0].to_string().contains("champion-4")
    });
    watched.end();
}

#[test]
fn a_visitor_plays_against_a_bot() {
    let random = player("random");
    let watched = Watched::new(&["--play", random.to_str().expect("text")]);
    assert_eq!(get(watched.address, "/api/analysis").json()["opponents"], json!(["random"]));
    let position = "5/4q/5/5/Q4 w";
    let wanted = json!({ "opponent": "random", "position": position, "color": "black" });
    let started = watched.post("/api/play", &wanted);
    assert_eq!(started.status, 200, "{started:?}");
    let url = started.json()["url"].as_str().expect("an address").to_owned();
    let (address, path) = address_in(&url);
    let mut turns = Events::open(address, &format!("{path}/events"), "");
    let asked = turns.find(|sent| sent.name == "turn" && sent.json()["ply"].is_number()).expect("a turn");
    assert_eq!(asked.json()["ply"], 1, "the bot has white, which moves first");
    let headers = format!("origin: http://{address}\r\ncontent-type: application/json\r\n");
    assert_eq!(post(address, &format!("{path}/resign"), &headers, "{\"ply\":1}").status, 200);
    // Its record is a game of the folder.
    wait_until("the game is listed", || get(watched.address, "/api/games?ending=resign").json()["list"]["total"] == 1);
    for (body, status, reason) in [
        (json!({ "opponent": "nobody" }), 404, "no such page"),
        (json!({ "opponent": "random", "position": "x" }), 422, "unexpected"),
        (json!({ "opponent": "random", "position": "5/5/5/5/5 w" }), 422, "0 black and 0 white queens"),
        (json!({ "opponent": "random", "color": "red" }), 422, "'red' is no colour"),
        (json!({ "opponent": "random", "shape": "z" }), 422, "z"),
    ] {
        let refused = watched.post("/api/play", &body);
        assert_eq!(refused.status, status, "{body}");
        assert!(refused.text().contains(reason), "{refused:?}");
    }
    watched.end();
    let refused = cli::server(["watch", "--play", "random.so", "--public"]);
    assert!(refused.status == 2 && refused.err.contains("--play cannot be used with --public"), "{}", refused.err);
}
