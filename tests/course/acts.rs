//! A teacher acts on the page and by commands.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;

use amazons::tournament::ladder::Ladder;
use amazons_testing::wait_until;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::house::{AtWork, House, asked};
use super::results::playing;
use crate::cli::player;
use crate::watch::Reply;

/// Sends an act with a token.
fn act(at: &AtWork, token: &str, act: &Value) -> Reply {
    let act = act.to_string();
    let headers = format!("authorization: Bearer {}\r\ncontent-length: {}\r\n", token.trim(), act.len());
    asked(at.address, "POST /api/teacher/act", &headers, act.as_bytes())
}

#[test]
fn a_teacher_acts_on_a_page_and_nobody_else_does() {
    let house = House::new();
    house.edit("[ladder]\n", "[[stages]]\nname = \"final\"\ndeadline = 2020-01-01T00:00:00Z\n[ladder]\n");
    let teacher = house.run(&["token"]).out;
    let at = house.start();
    let withdraw = json!({ "act": "withdraw", "team": "bob" });
    for token in ["", "0", house.tokens["bob"].as_str()] {
        assert_eq!(act(&at, token, &withdraw).status, 401);
    }
    let until = "2098-02-03T22:59:00.000Z";
    let extend = json!({ "act": "extend", "team": "ada", "stage": "final", "until": until });
    for (asked_for, status, told) in [
        (&withdraw, 200, "bob is withdrawn; 'server course rollback' brings it back\n"),
        (&json!({ "act": "rollback", "team": "bob", "version": null }), 200, "bob is back\n"),
        (&extend, 200, &format!("ada has until {until} for final\n")),
        (&json!({ "act": "rollback", "team": "ada", "version": 3 }), 409, "version 3 of ada was not admitted"),
        (&json!({ "act": "extend", "team": "ada", "stage": "semi", "until": until }), 404, "there is no stage 'semi'"),
        (
            &json!({ "act": "extend", "team": "ada", "stage": "final", "until": "soon" }),
            400,
            "'soon': write the deadline",
        ),
        (&json!({ "act": "event", "name": "../out", "stage": null, "anyway": false }), 400, "an event needs a name"),
        (&json!({ "act": "event", "name": "end", "stage": null, "anyway": false }), 409, "at least two players"),
        (&json!({ "act": "withdraw", "team": "eve" }), 404, "there is no team 'eve'"),
        (&json!({ "act": "forgive", "team": "ada" }), 400, "unknown variant"),
        (&json!({ "act": "withdraw", "team": "ada", "version": 1 }), 400, "unknown field"),
    ] {
        let reply = act(&at, &teacher, asked_for);
        assert_eq!(reply.status, status, "{asked_for}: {}", reply.text());
        assert!(reply.text().contains(told), "{asked_for}: {}", reply.text());
    }
    // The team sees its deadline, and hands in; the others are told nothing.
    let stages = house.page(&at, "ada")["stages"].clone();
    assert_eq!(stages[0]["deadline"], 4_042_306_740_u64, "date -d {until} +%s");
    assert_eq!(house.page(&at, "bob")["is_over"], true);
    let headers = format!("authorization: Bearer {}\r\n", teacher.trim());
    let table = asked(at.address, "GET /api/teacher/stages.csv", &headers, b"");
    assert_eq!(table.text(), "stage,team,deadline,grace_seconds\r\nfinal,,1577836800,0\r\nfinal,ada,4042306740,0\r\n");
    // A token ends when there is another one.
    let renewed = act(&at, &teacher, &json!({ "act": "token", "team": "ada" }));
    let token = renewed.text().strip_prefix("team,token\nada,").expect("a token").trim();
    assert_eq!(house.get(&at, "ada", "/api/team").status, 401);
    let shown = format!("authorization: Bearer {token}\r\n");
    assert_eq!(asked(at.address, "GET /api/team", &shown, b"").status, 200);
}

fn stop(mut at: AtWork) {
    kill_process(Pid::from_child(&at.child), Signal::TERM).expect("it lives");
    assert_eq!(at.child.wait().expect("it ends").code(), Some(130));
}

/// Returns the files that tell of something, in their names or as a word of their texts.
fn that_tell_of(word: &str, folder: &Path) -> Vec<String> {
    let has = |text: &str| text.split(|letter: char| !letter.is_alphanumeric()).any(|part| part == word);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let text = if path.extension().is_some_and(|it| it == "so") {
            Vec::new()
        } else {
            fs::read(&path).unwrap_or_default()
        };
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if has(&name) || has(&String::from_utf8_lossy(&text)) {
            found.push(path.display().to_string());
        }
        if path.is_dir() {
            found.extend(that_tell_of(word, &path));
        }
    }
    found
}

#[test]
fn a_forgotten_team_is_nowhere_and_the_others_keep_their_games() {
    let (house, at) = playing();
    assert_eq!(house.submit(&at, "bob", Path::new(&player("c_mobility"))).status, 201);
    house.plays("bob", Some(1));
    let met = |ladder: &Ladder| ladder.contenders().iter().filter(|it| it.tally.games > 0).count();
    wait_until("all have played", || met(&house.ladder()) == 3);
    let running = house.run(&["forget", "ada"]);
    assert!(running.status == 2 && running.err.contains("works on this event"), "{running:?}");
    stop(at);
    let sums =
        |ladder: &Ladder| -> Vec<String> { ladder.contenders().iter().map(|it| format!("{:?}", it.tally)).collect() };
    let before = sums(&house.ladder());
    let grade = |team: &str| {
        house.run(&["grades"]).out.lines().find(|line| line.starts_with(&format!("{team},"))).map(str::to_owned)
    };
    let bob = grade("bob").expect("it plays");
    assert!(!that_tell_of("ada", &house.dir()).is_empty() && !that_tell_of("Lovelace", &house.dir()).is_empty());
    let forgotten = house.run(&["forget", "ada"]);
    assert_eq!((forgotten.status, &*forgotten.err), (0, ""), "{forgotten:?}");
    assert_eq!(
        [that_tell_of("ada", &house.dir()), that_tell_of("Lovelace", &house.dir())],
        [const { Vec::<String>::new() }; 2]
    );
    assert_eq!(sums(&house.ladder()), before, "the games of the others stay");
    assert_eq!((grade("ada"), grade("bob")), (None, Some(bob)));
    // Nobody is taken for a baseline who was a team.
    let header = house.run(&["grades"]).out.lines().next().unwrap_or_default().to_owned();
    let measured: Vec<&str> = header.split(',').filter(|column| column.starts_with("points_against_")).collect();
    assert_eq!(measured, ["points_against_random"]);
    assert!(house.wrong().is_empty(), "{:?}", house.wrong());
    assert_eq!(house.run(&["forget", "ada"]).status, 2);
    // The course goes on, and the name is free.
    fs::write(house.dir().join("more.csv"), "name\nada\n").expect("room");
    let more = house.dir().join("more.csv").display().to_string();
    assert_eq!(house.run(&["add", "--teams", &more]).status, 0);
    let at = house.start();
    let games = house.ladder().results().games();
    wait_until("more games", || house.ladder().results().games() > games + 2);
    assert!(house.ladder().present("forgotten-1").is_none() && house.ladder().newest("forgotten-1").is_some());
    stop(at);
}

/// Answers requests with these states, one after the other, and returns what they said.
fn hear(listener: &TcpListener, states: &[&str]) -> Vec<Value> {
    let answer = |state: &&str| {
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut reader = BufReader::new(stream.try_clone().expect("a handle"));
        let (mut length, mut line) = (0, String::new());
        while reader.read_line(&mut line).expect("a head") > 2 {
            length = line
                .to_lowercase()
                .strip_prefix("content-length: ")
                .map_or(length, |it| it.trim().parse().expect("a number"));
            line.clear();
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).expect("a body");
        write!(stream, "HTTP/1.1 {state}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").expect("it reads");
        serde_json::from_slice(&body).expect("JSON")
    };
    states.iter().map(answer).collect()
}

#[test]
fn another_program_is_told_what_became_of_versions() {
    let house = House::new();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
    house.edit("per-day = 20", &format!("notify = {url:?}\nper-day = 20"));
    let at = house.start();
    wait_until("it begins to look", || house.dir().join("notified").exists());
    let file = house.dir().join("nothing.so");
    fs::write(&file, "\x7fELF and no more").expect("room");
    assert_eq!(house.submit(&at, "ada", &file).status, 201);
    // It was not heard; the next server tells it again.
    let [told] = &hear(&listener, &["503 Busy"])[..] else { panic!("a message") };
    stop(at);
    let at = house.start();
    let heard = hear(&listener, &["200 OK"]);
    assert_eq!(heard, std::slice::from_ref(told));
    for (name, value) in [
        ("team", "ada".into()),
        ("version", 1.into()),
        ("state", "refused".into()),
        ("display", "Lovelace, <b>Ada</b>".into()),
        ("late", false.into()),
        ("plays", false.into()),
        ("email", Value::Null),
    ] {
        assert_eq!(told[name], value, "{told}");
    }
    assert!(
        told["text"]
            .as_str()
            .is_some_and(|text| text.starts_with("Game of the Amazons: version 1 of ada is refused: ")),
        "{told}"
    );
    assert_eq!(told["reasons"].as_array().map(Vec::len), Some(1), "{told}");
    assert_eq!(house.submit(&at, "bob", Path::new(&player("random"))).status, 201);
    let [told] = &hear(&listener, &["204 No Content"])[..] else { panic!("a message") };
    assert!(
        told["team"] == "bob" && told["state"] == "admitted" && told["plays"] == true && told["reasons"] == json!([]),
        "{told}"
    );
    house.edit(&format!("{url:?}"), "\"ftp://example.org\"");
    assert!(house.run(&["doctor"]).out.contains("notify: write an address"));
}
