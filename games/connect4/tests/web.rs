//! The page where a person plays, over plain connections and in a browser.

use std::fs;

use amazons_browser::{Browser, Served, assert_good_everywhere};
use amazons_testing::status_of;
use connect4::record::{Reason, Record};
use connect4::{Position, Size};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::analysis::{GAME, connect4};
use crate::support::{self, Folder};

/// The program with a page.
fn web(args: &[&str]) -> Served {
    Served::new(support::connect4().args(args))
}

/// Sends a request about the game with this number.
fn post(served: &Served, what: &str, moves: &str, game: u32) -> (u16, String) {
    served.post(&format!("{}/{what}", served.path()), &json!({ "moves": moves, "game": game }))
}

fn answer(served: &Served, what: &str, moves: &str) -> Value {
    let (status, body) = post(served, what, moves, 0);
    assert_eq!(status, 200, "{body}");
    serde_json::from_str(&body).expect("JSON")
}

#[test]
fn the_server_knows_the_rules_and_answers() {
    let served = web(&["web", "perfect"]);
    let state = answer(&served, "position", "444444");
    assert_eq!(state, json!({ "moves": "444444", "ending": null, "fours": [], "free": [0, 1, 2, 4, 5, 6] }));
    let state = answer(&served, "position", "415161");
    assert_eq!((&state["ending"], &state["fours"]), (&Value::Null, &json!([])));
    let won = answer(&served, "position", GAME);
    assert_eq!((&won["ending"], &won["free"]), (&json!("first"), &json!([])));
    assert_eq!(won["fours"].as_array().map(Vec::len), Some(4), "{won}");

    let scores = answer(&served, "scores", "2113121222725633415156");
    assert_eq!(scores, json!({ "scores": [null, null, 5, 3, 10, 5, 2], "best": [4] }));
    // The second side's best column after column 7.
    let answered = answer(&served, "answer", "633633576262152");
    assert_eq!((&answered["moves"], &answered["column"]), (&json!("6336335762621527"), &json!(6)));

    for (what, moves, status, wanted) in [
        ("position", "44x", 422, "no column \"x\": columns are 1 to 7 at move 3"),
        ("position", "4444444", 422, "column 4 is full at move 7"),
        ("answer", "21131212227256334151", 422, "it is the person's turn"),
        ("answer", GAME, 422, "the game is over"),
        ("resign", "4", 404, "there is no such page"),
    ] {
        let (found, body) = post(&served, what, moves, 0);
        assert!(found == status && body.trim() == wanted, "{what} {moves}: {found} {body}");
    }
}

#[test]
fn games_of_pages_are_recorded() {
    let folder = Folder::new("web");
    let file = folder.file("game.jsonl");
    let mut served = web(&["web", "alphabeta:2", "--record", file.to_str().expect("text")]);
    let post = |what, moves: &str, game| {
        let (status, body) = post(&served, what, moves, game);
        assert_eq!(status, 200, "{body}");
        let state: Value = serde_json::from_str(&body).expect("JSON");
        state["moves"].as_str().expect("text").to_owned()
    };
    // A page that only looks at the empty board is no game; two pages take turns.
    for (what, moves, game) in [("position", "", 9), ("position", "", 7), ("position", "4", 7), ("position", "1", 8)] {
        assert_eq!(post(what, moves, game), moves);
    }
    let answered = post("answer", "4", 7);
    post("position", "12", 8);
    // Taken back, and another column.
    post("position", "", 7);
    post("position", "5", 7);
    post("position", "121212", 8);
    post("position", "1212121", 8);
    kill_process(Pid::from_child(&served.child), Signal::INT).expect("it runs");
    assert_eq!(status_of(&mut served.child).code(), Some(130));
    let read = |name| fs::read_to_string(folder.file(name)).expect(name);
    let (one, two) = (read("game.jsonl"), read("game-2.jsonl"));
    let columns: Vec<Value> = one.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((&columns[2]["column"], columns[2]["nodes"].as_u64() > Some(0)), (&json!(answered[1..]), true));
    assert_eq!(columns[3], json!({ "line": "undo", "plies": 2 }));
    let (one, two) = (Record::parse(&one).expect("a record"), Record::parse(&two).expect("a record"));
    assert_eq!((one.all_moves().as_str(), one.result.map(|it| it.reason)), ("5", Some(Reason::Stopped)));
    assert_eq!((two.all_moves().as_str(), two.result.map(|it| it.reason)), ("1212121", Some(Reason::Four)));
    assert_eq!(one.head.players, ["web", "alphabeta:2"]);
    assert!(!folder.file("game-3.jsonl").exists());
}

#[test]
fn only_its_own_page_may_ask() {
    let served = web(&["web", "random"]);
    let (host, path) = (served.host(), format!("{}/position", served.path()));
    let origin = format!("http://{host}");
    let body = json!({ "moves": "4" }).to_string();
    let post = |path: &str, host: &str, origin: &str, body: &str| {
        let length = body.len();
        let about = format!("content-type: application/json\r\ncontent-length: {length}\r\norigin: {origin}\r\n");
        served.send("POST", path, host, &about, body).0
    };
    assert_eq!(post(&path, host, &origin, &body), 200);
    assert_eq!(post(&path, "evil.example", &origin, &body), 421);
    assert_eq!(post(&path, host, "http://evil.example", &body), 403);
    let guessed = path.replace("/play/", "/play/0");
    assert_eq!(post(&guessed, host, &origin, &body), 404);
    assert_eq!(served.get(&guessed.replace("/position", "")).0, 404);
    assert_eq!(served.get("/").0, 404);
    assert_eq!(served.send("PUT", served.path(), host, "", "").0, 405);
    let (status, page) = served.get(served.path());
    assert!(status == 200 && page.contains("data-x=\"you\" data-o=\"random\""), "{page}");
    let long = json!({ "moves": "4".repeat(2000) }).to_string();
    assert_eq!(post(&path, host, &origin, &long), 413);
}

#[test]
fn what_web_cannot_do_is_refused_in_one_line() {
    let rows: [(&[&str], &str); 7] = [
        (&["web", "human"], "web and human cannot meet"),
        (&["web", "perfect", "--json"], "--json is not for the player web"),
        (&["web", "perfect", "--record", "/nowhere/x.jsonl"], "cannot write /nowhere/x.jsonl: "),
        (&["web", "--position", "4141414"], "the game is over"),
        (&["random", "random", "--port", "1234"], "--port is for the page of the player web"),
        (&["random", "random", "--open"], "--open is for the page of the player web"),
        (&["web", "webb"], "unknown player"),
    ];
    for (args, wanted) in rows {
        let (status, out, error) = connect4(args);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{args:?}");
        assert!(error.contains(wanted), "{args:?}: {error}");
    }
}

fn moves(browser: &mut Browser) -> String {
    browser.eval("document.querySelector('#moves').textContent").as_str().expect("text").to_owned()
}

const YOUR_TURN: &str = "/Your turn|four in a row|a draw/.test(document.querySelector('#status').textContent)";

#[test]
fn a_person_plays_by_keys_buttons_and_clicks() {
    let Some(mut browser) = Browser::start() else { return };
    let served = web(&["web", "alphabeta:3"]);
    browser.open(&served.url);
    browser.wait(YOUR_TURN);
    assert_good_everywhere(&mut browser, "an empty board");
    browser.key("4");
    browser.wait(&format!("document.querySelector('#moves').textContent.length === 2 && {YOUR_TURN}"));
    assert!(moves(&mut browser).starts_with('4'));
    let label = browser.eval("document.querySelector('svg.board').getAttribute('aria-label')");
    assert!(label.as_str().is_some_and(|label| label.contains("column 4 from below: X")), "{label}");
    browser.eval("document.querySelectorAll('#buttons button')[0].click()");
    browser.wait(&format!("document.querySelector('#moves').textContent.length === 4 && {YOUR_TURN}"));
    let before = moves(&mut browser);
    assert_eq!(&before[2..3], "1");
    let point = browser.eval(
        "(() => { const box = document.querySelector('svg.board').getBoundingClientRect(); \
         return [box.left + box.width * 6.5 / 7, box.top + box.height / 2]; })()",
    );
    for kind in ["mousePressed", "mouseReleased"] {
        let event = json!({ "type": kind, "x": point[0], "y": point[1], "button": "left", "clickCount": 1 });
        browser.call("Input.dispatchMouseEvent", &event);
    }
    browser.wait(&format!("document.querySelector('#moves').textContent.length === 6 && {YOUR_TURN}"));
    assert_eq!(&moves(&mut browser)[..5], format!("{before}7"));
    browser.key("u");
    browser.wait(&format!("document.querySelector('#moves').textContent === '{before}' && {YOUR_TURN}"));
    browser.key("n");
    browser.wait(&format!("document.querySelector('#moves').textContent === 'none' && {YOUR_TURN}"));
    // One press of a key loses no game, and no reload does.
    browser.key("u");
    browser.wait(&format!("document.querySelector('#moves').textContent === '{before}' && {YOUR_TURN}"));
    browser.eval("window.isOld = true; location.reload()");
    browser.wait(&format!(
        "!window.isOld && document.readyState === 'complete' && document.querySelector('#moves').textContent === '{before}'"
    ));
    browser.key("u");
    browser.wait(&format!("document.querySelector('#moves').textContent === '{}' && {YOUR_TURN}", &before[..2]));
    browser.eval("window.isOld = true; location.hash = '#moves=44444444'; location.reload()");
    browser.wait(&format!("!window.isOld && document.querySelector('#moves').textContent === 'none' && {YOUR_TURN}"));
    assert_eq!(browser.eval("document.querySelector('#undo').disabled"), true);
}

#[test]
fn scores_are_shown_and_a_game_ends() {
    let Some(mut browser) = Browser::start() else { return };
    let served = web(&["web", "alphabeta:2", "--position", "2113121222725633415156"]);
    browser.open(&served.url);
    browser.wait(YOUR_TURN);
    browser.key("s");
    let seen = "[...document.querySelectorAll('#scores .score')].map((score) => score.textContent).join(' ')";
    browser.wait(&format!("{seen} === '× × +5 +3 +10 +5 +2'"));
    assert_eq!(browser.eval("document.querySelector('#scores .best .unseen').textContent"), "column 5: +10, best");
    assert_good_everywhere(&mut browser, "with scores");
    // Any free column, until the end.
    for _ in 0..42 {
        browser.wait(YOUR_TURN);
        if browser.eval("document.querySelectorAll('#buttons button:enabled').length === 0") == true {
            break;
        }
        let length = moves(&mut browser).len();
        browser.eval("document.querySelector('#buttons button:enabled').click()");
        browser.wait(&format!("document.querySelector('#moves').textContent.length > {length} && {YOUR_TURN}"));
    }
    let position = Position::from_moves(Size::STANDARD, &moves(&mut browser)).expect("legal moves");
    assert!(position.ending().is_some(), "{position}");
    let marked = browser.eval("document.querySelectorAll('.board .four').length");
    assert_eq!(marked.as_u64(), Some(position.fours().len() as u64));
    assert_good_everywhere(&mut browser, "a game that has ended");
}

#[test]
fn the_computer_begins_and_another_board_fits() {
    let Some(mut browser) = Browser::start() else { return };
    let served = web(&["web", "average:3", "--first", "2", "--size", "10x5"]);
    browser.open(&served.url);
    browser.wait(&format!("document.querySelector('#moves').textContent.length === 1 && {YOUR_TURN}"));
    browser.key("a");
    browser.wait(&format!("document.querySelector('#moves').textContent.length === 3 && {YOUR_TURN}"));
    assert_eq!(&moves(&mut browser)[1..2], "a");
    assert_good_everywhere(&mut browser, "ten columns");
}

#[test]
fn an_analysed_game_is_stepped_through() {
    let path = std::env::temp_dir().join(format!("connect4-page-{}.html", std::process::id()));
    let file = path.to_str().expect("text");
    let game = "633633576262152157";
    let (status, _, error) = connect4(&["analyze", game, "--from", "14", "--html", file]);
    assert_eq!((status, error.as_str()), (Some(0), ""));
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&format!("file://{file}"));
    let last = game.len();
    browser.wait(&format!("ply === {last}"));
    assert_good_everywhere(&mut browser, "the last position");
    for (key, ply) in [("Home", 0), ("ArrowRight", 1), ("End", last), ("ArrowLeft", last - 1)] {
        browser.key(key);
        browser.wait(&format!("ply === {ply} && document.querySelectorAll('.stone').length === {ply}"));
    }
    browser.eval("go(16)");
    let status = browser.eval("document.querySelector('#status').textContent");
    let wanted = "Move 16 of 18: O (second player) plays 1. Score −4: blunder ??. Best was 7 with +3.";
    assert_eq!(status, wanted);
    let columns = browser.eval("[...document.querySelectorAll('#columns .score')].map((it) => it.textContent)");
    assert_eq!(columns, json!(["−4", "−2", "−4", "−10", "0", "−4", "+3"]));
    browser.eval("document.querySelector('#back').click()");
    browser.wait("ply === 15");
    browser.eval("document.querySelectorAll('#moves button')[3].click()");
    browser.wait("ply === 17 && document.querySelector('#moves [aria-current] button').textContent === '17'");
    browser.key("Home");
    assert_good_everywhere(&mut browser, "the start");
    std::fs::remove_file(&path).expect("it is ours");
}
