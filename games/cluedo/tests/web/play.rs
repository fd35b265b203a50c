//! `cluedo play --web`: a person's game in a browser.

use std::process::Command;

use amazons_browser::{Browser, Served, assert_good_everywhere};
use amazons_testing::status_of;
use serde_json::{Value, json};

use crate::support::{PROGRAM, TemporaryFile, command, run, said};

/// Starts a game of 2 AIs with this seed.
pub(super) fn start(args: &[&str]) -> Served {
    let mut command = Command::new(PROGRAM);
    command.args(["play", "--ais", "2", "--type", "default"]).args(args);
    Served::new(&mut command)
}

/// What the person does next, from what the page shows.
pub(super) fn choose(state: &Value) -> (&'static str, Vec<u64>) {
    let numbers = |value: &Value| -> Vec<u64> {
        value.as_array().expect("a list").iter().map(|number| number.as_u64().expect("a number")).collect()
    };
    match state["ask"]["what"].as_str() {
        Some("card") => ("show", numbers(&state["ask"]["choices"])[..1].to_vec()),
        Some("turn") => {
            // The last column of the grid says what may be the secret.
            let grid = state["grid"].as_array().expect("a grid");
            let may = |kind: std::ops::Range<usize>| -> Vec<u64> {
                kind.filter(|&card| grid[card].as_array().expect("cells").last().expect("a cell")[0] != "-")
                    .map(|card| card as u64)
                    .collect()
            };
            let candidates = [may(0..6), may(6..12), may(12..21)];
            let is_known = candidates.iter().all(|cards| cards.len() == 1);
            (if is_known { "accuse" } else { "suggest" }, candidates.iter().map(|cards| cards[0]).collect())
        }
        _ => ("leave", Vec::new()),
    }
}

/// Plays over plain connections until the end; looks at every state on the way.
pub(super) fn play(served: &Served, mut look: impl FnMut(&Value)) -> Value {
    let path = served.path().to_owned();
    loop {
        let state = served.await_json(&format!("{path}/state"), |state| !state["ask"].is_null());
        look(&state);
        if state["ask"]["what"] == "close" {
            return state;
        }
        let (what, cards) = choose(&state);
        let (status, body) = served.post(&format!("{path}/{what}"), &json!({ "step": state["step"], "cards": cards }));
        assert_eq!(status, 200, "{body}");
    }
}

/// Checks that a page knows nothing that the person may not know.
fn assert_no_secret(state: &Value) {
    let hands = state["hands"].as_array().expect("hands");
    assert!(state["secret"].is_null() && hands[1..].iter().all(Value::is_null), "{state}");
    assert_eq!(state["viewers"], json!(["spectator", "0"]));
    for turn in state["turns"].as_array().expect("turns") {
        let is_own = turn["seat"] == 0 || turn["shown"] == 0;
        assert!(is_own || turn["card"].is_null(), "{turn}");
    }
    // Cards are nowhere else: what is left are names, counts, and what follows from these turns and the own hand.
    let known = [
        "ask",
        "asked",
        "cards",
        "commitment",
        "deals",
        "ending",
        "game",
        "grid",
        "hands",
        "hint",
        "kinds",
        "me",
        "nameable",
        "names",
        "ply",
        "rules",
        "seats",
        "secret",
        "step",
        "table",
        "triples",
        "turns",
        "view",
        "viewers",
    ];
    let keys: Vec<&str> = state.as_object().expect("an object").keys().map(String::as_str).collect();
    assert!(keys.iter().all(|key| known.contains(key)), "{keys:?}");
}

#[test]
fn a_whole_game_over_plain_connections() {
    let record = TemporaryFile::new();
    let mut served = start(&["--seed", "4", "--record", record.name(), "--web"]);
    let path = served.path().to_owned();
    let first = served.await_json(&format!("{path}/state"), |state| !state["ask"].is_null());
    for (what, request, status) in [
        ("suggest", json!({ "step": first["step"], "cards": [0, 1, 2] }), 422),
        ("suggest", json!({ "step": first["step"], "cards": [0, 6] }), 422),
        ("suggest", json!({ "step": 77, "cards": [0, 6, 12] }), 409),
        ("show", json!({ "step": first["step"], "cards": [0] }), 404),
        ("suggest", json!({ "step": first["step"], "cards": "all" }), 400),
        ("suggest", json!({ "step": first["step"], "cards": vec![0; 600] }), 413),
    ] {
        assert_eq!(served.post(&format!("{path}/{what}"), &request).0, status, "{what} {request}");
    }
    for view in ["1", "2", "all"] {
        assert_eq!(served.get(&format!("{path}/state?view={view}")).0, 403, "{view}");
    }
    let mut states = 0;
    let end = play(&served, |state| {
        states += 1;
        if state["ask"]["what"] != "close" {
            assert_no_secret(state);
        }
        // The hint counts the deals that the grid counts.
        let hinted = state["hint"].as_str().map(|hint| hint.split(" deal").next().expect("a number").replace(',', ""));
        assert_eq!(hinted.is_some(), state["ask"]["what"] == "turn", "{state}");
        assert!(hinted.is_none() || hinted.as_deref() == state["deals"].as_str(), "{state}");
    });
    assert!(states > 3 && end["secret"].as_array().is_some_and(|cards| cards.len() == 3), "{end}");
    let all = served.json(&format!("{path}/state?view=all"));
    let shown = all["turns"].as_array().expect("turns").iter().filter(|turn| turn["act"] == "suggestion");
    assert!(shown.clone().count() > 3 && shown.clone().all(|turn| turn["nobody"] == true || !turn["card"].is_null()));
    assert_eq!(served.post(&format!("{path}/leave"), &json!({ "step": end["step"] })).0, 200);
    assert_eq!(status_of(&mut served.child).code(), Some(0));
    // The page shows what the record has.
    assert!(said(command(&["replay", record.name()]), b"").contains(": right: "));
    let end_line: Value = serde_json::from_str(record.text().lines().last().expect("lines")).expect("JSON");
    assert_eq!((&end_line["secret"], &end_line["hands"]), (&all["secret"], &all["hands"]));
}

#[test]
fn only_the_person_may_play() {
    let served = start(&["--seed", "4", "--web"]);
    let (host, path) = (served.host().to_owned(), served.path().to_owned());
    let body = json!({ "step": 1, "cards": [0, 6, 12] }).to_string();
    let post = |path: &str, host: &str, origin: &str, kind: &str| {
        let about = format!("content-type: {kind}\r\ncontent-length: {}\r\norigin: {origin}\r\n", body.len());
        served.send("POST", path, host, &about, &body).0
    };
    let (act, origin) = (format!("{path}/suggest"), format!("http://{host}"));
    assert_eq!(post(&act, "evil.example", &origin, "application/json"), 421);
    assert_eq!(post(&act, &host, "http://evil.example", "application/json"), 403);
    assert_eq!(post(&act, &host, &origin, "text/plain"), 415);
    assert_eq!(post(&act.replace("/play/", "/play/0"), &host, &origin, "application/json"), 404);
    for guessed in [format!("{path}0"), format!("{path}0/state"), format!("{path}0/changes"), "/".to_owned()] {
        assert_eq!(served.get(&guessed).0, 404, "{guessed}");
    }
    assert_eq!(served.send("PUT", &path, &host, "", "").0, 405);
    // Leaving ends the game, and the page stays until the person has seen the end.
    served.await_json(&format!("{path}/state"), |state| state["ask"]["what"] == "turn");
    assert_eq!(served.post(&format!("{path}/leave"), &json!({ "step": 1 })).0, 200);
    let state = served.await_json(&format!("{path}/state"), |state| state["ask"]["what"] == "close");
    assert_eq!(state["ending"], "Nobody wins.");
    for (args, wanted) in [
        (&["play", "--web", "--watch"][..], "cannot be used with"),
        (&["play", "--port", "0"], "required arguments were not provided"),
    ] {
        let output = run(command(args), b"");
        let error = String::from_utf8(output.stderr).expect("text");
        assert!(output.status.code() == Some(2) && error.contains(wanted), "{args:?}: {error}");
    }
}

#[test]
fn a_game_at_the_terminal_is_shown_too() {
    let out = said(command(&["play", "--ais", "2", "--type", "mix", "--seed", "1", "--watch"]), b"0 0 6 12\n");
    assert!(out.starts_with("watch at http://127.0.0.1:") && out.contains("\nYour cards: "), "{out}");
    assert!(out.contains("The solution: "), "{out}");
}

/// Presses Tab until the focus is on what a selector finds.
pub(super) fn tab_to(browser: &mut Browser, selector: &str) {
    for _ in 0..60 {
        if browser.eval(&format!("document.activeElement?.matches({selector:?}) ?? false")) == true {
            return;
        }
        browser.key("Tab");
    }
    panic!("no way to {selector}");
}

/// Chooses a card in its group by arrow keys.
pub(super) fn choose_by_keys(browser: &mut Browser, kind: &str, card: u64) {
    tab_to(browser, &format!("input[name={kind}]"));
    browser.key(" ");
    let wanted = json!(card.to_string());
    for _ in 0..10 {
        if browser.eval(&format!("document.querySelector('input[name={kind}]:checked')?.value")) == wanted {
            return;
        }
        browser.key("ArrowDown");
    }
    panic!("no way to card {card}");
}

/// Moves to a button with this text and presses it.
pub(super) fn press(browser: &mut Browser, text: &str) {
    let mark = format!(
        "[...document.querySelectorAll('#buttons button')].forEach((button) => \
         button.toggleAttribute('data-next', button.textContent.startsWith({text:?})))"
    );
    browser.eval(&mark);
    tab_to(browser, "button[data-next]");
    browser.key(" ");
}

#[test]
fn a_whole_game_by_keyboard_on_a_phone() {
    let Some(mut browser) = Browser::start() else { return };
    let mut served = start(&["--seed", "12", "--web"]);
    browser.open(&served.url);
    browser.wait("document.querySelectorAll('#cards input').length === 21");
    assert_good_everywhere(&mut browser, "the first turn");
    browser.size(360, 740);
    press(&mut browser, "Hint");
    browser.wait("document.querySelector('#ask-about').textContent.includes('The suggestion that tells most: ')");
    press(&mut browser, "Suggest");
    browser.wait("document.querySelector('#fault').textContent === 'Choose a suspect first.'");
    let path = served.path().to_owned();
    let (mut turns, mut answers, mut kinds) = (0, 0, Vec::new());
    loop {
        let state = served.await_json(&format!("{path}/state"), |state| !state["ask"].is_null());
        let step = format!("state?.ask && state.step === {}", state["step"]);
        browser.wait(&step);
        let kind = state["ask"]["what"].as_str().expect("text").to_owned();
        if !kinds.contains(&kind) {
            assert_good_everywhere(&mut browser, &format!("asked for a {kind}"));
            browser.size(360, 740);
            kinds.push(kind);
        }
        match choose(&state) {
            (what @ ("suggest" | "accuse"), cards) => {
                turns += 1;
                for (kind, &card) in ["suspect", "weapon", "room"].iter().zip(&cards) {
                    choose_by_keys(&mut browser, kind, card);
                }
                if turns == 2 {
                    // The page says whether it follows the game.
                    let says = "document.querySelector('#connection').textContent";
                    for (turn, words) in
                        [(0, "The game goes on: its last moment follows it."), (99, "This page follows the game.")]
                    {
                        browser.eval(&format!("go({turn})"));
                        browser.wait(&format!("{says} === '{words}'"));
                    }
                    // A page that is loaded again goes on where it was.
                    browser.open(&served.url);
                    browser.wait(&step);
                    let seen = browser.eval("document.querySelectorAll('#turns tr').length");
                    assert_eq!(seen.as_u64(), Some(state["turns"].as_array().expect("turns").len() as u64));
                    for (kind, &card) in ["suspect", "weapon", "room"].iter().zip(&cards) {
                        choose_by_keys(&mut browser, kind, card);
                    }
                }
                press(&mut browser, if what == "suggest" { "Suggest" } else { "Accuse" });
                if what == "accuse" {
                    browser.wait("document.querySelector('#ask-title').textContent === 'Accuse?'");
                    press(&mut browser, "Yes, accuse");
                }
            }
            ("show", _) => {
                answers += 1;
                press(&mut browser, "Show ");
            }
            _ => break,
        }
        browser.wait(&format!("state.step !== {} || state.ask === null", state["step"]));
    }
    assert!(turns >= 3, "{turns} turns, {answers} answers");
    browser.wait("document.querySelector('#status').textContent.includes('The secret:')");
    browser.eval("document.querySelector('#view').value = 'all'; document.querySelector('#view').dispatchEvent(new Event('change'))");
    browser.wait("state.view === 'all'");
    press(&mut browser, "Finish");
    assert_eq!(status_of(&mut served.child).code(), Some(0));
    assert_eq!(browser.complaints.iter().filter(|text| !text.contains("ERR_")).count(), 0, "{:?}", browser.complaints);
}

/// The launchers take longer to start than the game.
mod long {
    use amazons_launchers::Mpi;
    use amazons_testing::status_of;

    use super::{Served, TemporaryFile, play, start};
    use crate::support::launch;
    use serde_json::json;

    #[test]
    fn under_a_launcher_the_page_is_the_same() {
        let game = |served: &mut Served, record: &TemporaryFile| {
            let end = play(served, |_| {});
            let path = served.path().to_owned();
            assert_eq!(served.post(&format!("{path}/leave"), &json!({ "step": end["step"] })).0, 200);
            assert_eq!(status_of(&mut served.child).code(), Some(0));
            record.text()
        };
        let record = TemporaryFile::new();
        let args = ["--seed", "4", "--record", record.name(), "--web"];
        let expected = game(&mut start(&args), &record);
        for mpi in Mpi::installed() {
            let mut command = launch(mpi, 3, &[&["play", "--ais", "2", "--type", "default"], &args[..]].concat());
            assert_eq!(game(&mut Served::new(&mut command), &record), expected);
        }
    }
}
