//! `cluedo join --web`: a seat at any server of lines, in a browser.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use amazons_browser::{Browser, Served, assert_good_everywhere};
use amazons_testing::{status_of, wait_for};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::play::{choose_by_keys, press};
use crate::line::server::Server;
use crate::support::{PROGRAM, PublicFolder, command, run};

const KINDS: [&str; 3] = ["place", "weapon", "person"];

fn join(port: u16) -> Served {
    let mut command = Command::new(PROGRAM);
    command.args(["join", &port.to_string(), "--login", "ada", "--web"]);
    Served::new(&mut command)
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().expect("a list").iter().map(|number| number.as_u64().expect("a number")).collect()
}

/// What the person does next, from what the page shows.
fn choose(state: &Value) -> (&'static str, Vec<u64>) {
    let grid = state["grid"].as_array().expect("a grid");
    let size = grid.len() / 3;
    let may = |kind: usize| -> Vec<u64> {
        (kind * size..(kind + 1) * size)
            .filter(|&card| grid[card].as_array().expect("cells").last().expect("a cell")[0] != "-")
            .map(|card| card as u64)
            .collect()
    };
    let candidates = [may(0), may(1), may(2)];
    let is_known = candidates.iter().all(|cards| cards.len() == 1);
    (if is_known { "accuse" } else { "suggest" }, candidates.iter().map(|cards| cards[0]).collect())
}

/// A server whose every byte the test chooses, and the person's page.
struct Foreign {
    served: Served,
    lines: BufReader<TcpStream>,
}

impl Foreign {
    fn new() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let served = join(listener.local_addr().expect("an address").port());
        let stream = listener.accept().expect("it connects").0;
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        Self { served, lines: BufReader::new(stream) }
    }

    /// A server whose first game has begun, and that has said something more.
    fn in_game(more: &str) -> Self {
        let mut foreign = Self::new();
        foreign.hears("B ada");
        foreign.says(&format!("B 1 3\nC 1 6 9\n{more}"));
        foreign
    }

    fn says(&mut self, bytes: &str) {
        self.lines.get_mut().write_all(bytes.as_bytes()).expect("it reads");
    }

    fn hears(&mut self, wanted: &str) {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("a line");
        assert_eq!(line, format!("{wanted}\n"));
    }

    fn state(&self, fits: impl Fn(&Value) -> bool) -> Value {
        self.served.await_json(&format!("{}/state", self.served.path()), fits)
    }

    fn asked(&self, what: &str) -> Value {
        self.state(|state| state["ask"]["what"] == what)
    }

    fn post(&self, what: &str, step: &Value, cards: &[u64]) -> (u16, String) {
        self.served.post(&format!("{}/{what}", self.served.path()), &json!({ "step": step, "cards": cards }))
    }

    /// All that the page can get now.
    fn bytes(&self) -> Vec<String> {
        let path = self.served.path();
        let queries = ["", "?view=1", "?view=spectator", "?ply=0", "?game=1&names=french", "?game=1&view=1&ply=1"];
        let mut all: Vec<String> = queries
            .iter()
            .map(|query| self.served.get(&format!("{path}/state{query}")))
            .map(|(_, body)| body)
            .collect();
        for view in ["0", "2", "all"] {
            let (status, _) = self.served.get(&format!("{path}/state?view={view}"));
            assert_eq!(status, 403, "{view}");
        }
        all.push(self.served.get(path).1);
        all
    }
}

fn notice(state: &Value) -> &str {
    state["match"]["notice"].as_str().expect("text")
}

/// Blanks at the ends of lines, cards in any order, lines that mean nothing: the page shows the game.
#[test]
fn a_foreign_server_greets_and_deals() {
    let mut foreign = Foreign::new();
    foreign.hears("B ada");
    let waiting = foreign.asked("wait");
    assert_eq!((&waiting["grid"], notice(&waiting)), (&json!([]), "Connected to the server."));
    foreign.says("B 1 3 \r\n");
    foreign.state(|state| notice(state) == "You have seat 1 of 3; the game begins when all are there.");
    // Its place among the cards is known, and the one who asks only by who answers.
    foreign.says("\nC 9  06 1 \nWELCOME!\nH 2 7 8\t\n");
    let pending = foreign.state(|state| state["match"]["pending"] == json!([2, 7, 8]));
    assert_eq!((&pending["turns"], &pending["hands"]), (&json!([]), &json!([null, [1, 6, 9], null])));
    assert_eq!((&pending["game"], &pending["me"]), (&json!(1), &json!(1)));
}

/// Lines in pieces, and several at once.
#[test]
fn a_foreign_server_asks_for_cards() {
    let mut foreign = Foreign::in_game("H 2 7 8\nP 2 \nM");
    foreign.says(" 0\nH 0 6 9\nC ");
    foreign.says("\n");
    let asked = foreign.asked("card");
    assert_eq!((&asked["ask"]["asker"], &asked["ask"]["choices"]), (&json!(0), &json!([6, 9])));
    let first = json!({ "seat": 1, "act": "suggestion", "cards": [2, 7, 8], "passed": [2], "shown": 0, "card": null,
        "nobody": false });
    assert_eq!(asked["turns"][0], first);
    assert_eq!(
        foreign.post("show", &asked["step"], &[1]),
        (422, "choose one of the cards that you can show\n".to_owned())
    );
    assert_eq!(foreign.post("show", &asked["step"], &[6]).0, 200);
    foreign.hears("M 6");
    assert_eq!(foreign.post("show", &asked["step"], &[6]).0, 409);
    // Only one card to show, or none of those that were named: answered at once.
    foreign.says("M 1 \nH 3 6 11\nC \n");
    foreign.hears("M 6");
}

/// An echo of own hypotheses, and answers in any order.
#[test]
fn a_foreign_server_answers_a_suggestion() {
    let mut foreign = Foreign::in_game("T \n");
    let turn = foreign.asked("turn");
    assert_eq!(
        foreign.post("suggest", &turn["step"], &[0, 1, 5]),
        (422, "choose a place, a weapon and a person\n".to_owned())
    );
    assert_eq!(foreign.post("suggest", &turn["step"], &[10, 0, 5]).0, 200);
    foreign.hears("H 0 5 10");
    foreign.says("H 0 5 10 \nP 2 \nM 0 5 \nM 0 \n");
    let state = foreign.state(|state| {
        state["turns"].as_array().is_some_and(|turns| turns.last().is_some_and(|turn| turn["card"] == 5))
    });
    let last = state["turns"].as_array().and_then(|turns| turns.last()).expect("a turn");
    assert_eq!((&last["seat"], &last["passed"], &last["shown"]), (&json!(1), &json!([2]), &json!(0)));
    assert_eq!(state["grid"][5], json!([["x", 1.0], ["-", 0.0], ["-", 0.0], ["-", 0.0]]));
}

/// Other numbers of errors: another player does not answer in time, then the person, in the next game.
#[test]
fn a_foreign_server_voids_games() {
    let mut foreign = Foreign::in_game("E 112 \n");
    foreign.state(|state| {
        notice(state) == "Game 1: Error 112: the game is void. Another player did not answer in time, or left."
    });
    foreign.says("C 0 4 8 \nT \n");
    let turn = foreign.asked("turn");
    assert!(notice(&turn).ends_with("or left. Game 2 begins.") && turn["game"] == 2, "{turn}");
    let first = foreign.served.json(&format!("{}/state?game=1", foreign.served.path()));
    assert_eq!((&first["game"], &first["hands"][1]), (&json!(1), &json!([1, 6, 9])));
    assert_eq!(first["ask"], turn["ask"]);
    let french = foreign.served.json(&format!("{}/state?names=french", foreign.served.path()));
    let named = [0, 4, 11].map(|card| french["cards"][card]["name"].clone());
    assert_eq!(named, ["Cuisine", "Chandelier", "Docteur Olive"]);
    assert!(french["hint"].as_str().is_some_and(|hint| hint.contains(": Salle à manger, Couteau, ")), "{french}");
    assert_eq!(foreign.served.get(&format!("{}/state?names=latin", foreign.served.path())).0, 400);
    foreign.says("E 202 \nC 3 7 11\n");
    let late = foreign.state(|state| state["game"] == 3);
    assert!(notice(&late).contains("Game 2: Error 202: the game is void. You did not answer in time."), "{late}");
    assert_eq!(foreign.post("suggest", &turn["step"], &[0, 5, 10]).0, 409);
    // The server is gone in the middle of a game.
    foreign.lines.get_ref().shutdown(std::net::Shutdown::Both).expect("a connection");
    let end = foreign.asked("close");
    assert!(notice(&end).ends_with("The server left in the middle of the game. Of 2 games, you have won 0."), "{end}");
    assert_eq!(foreign.post("leave", &end["step"], &[]).0, 200);
    assert_eq!(status_of(&mut foreign.served.child).code(), Some(1));
}

/// What the page gets has the own hand and the cards that were shown to this seat or by it, in its own view, and nothing
/// else of the deal.
#[test]
fn the_page_knows_what_the_seat_knows() {
    let mut foreign = Foreign::in_game("H 2 4 8\nP 1\nM 2\nT\n");
    let turn = foreign.asked("turn");
    foreign.post("suggest", &turn["step"], &[2, 7, 10]);
    foreign.hears("H 2 7 10");
    foreign.says("P 2\nM 0 7\nH 3 6 10\nP 0\nC\n");
    foreign.hears("M 6");
    foreign.says("M 1\nH 0 5 9\nC\n");
    foreign.hears("M 9");
    foreign.says("M 1\nT\n");
    foreign.asked("turn");
    for body in foreign.bytes() {
        let Ok(state) = serde_json::from_str::<Value>(&body) else {
            assert!(!body.contains("[1,6,9]"));
            continue;
        };
        let is_own = state["view"] == "1";
        assert!(state["secret"].is_null() && state["viewers"] == json!(["spectator", "1"]), "{state}");
        let hands = if is_own { json!([null, [1, 6, 9], null]) } else { json!([null, null, null]) };
        assert_eq!(state["hands"], hands);
        let cards: Vec<&Value> = state["turns"].as_array().expect("turns").iter().map(|turn| &turn["card"]).collect();
        let seen = if is_own { json!([null, 7, 6, 9]) } else { json!([null, null, null, null]) };
        assert_eq!(json!(cards), seen, "{state}");
        let keys: BTreeSet<&str> = state.as_object().expect("an object").keys().map(String::as_str).collect();
        let known = "ask asked cards commitment deals ending game grid hands hint kinds match me nameable names ply rules \
                     seats secret step table triples turns view viewers";
        assert_eq!(keys, known.split_whitespace().collect());
    }
}

#[test]
fn ctrl_c_ends_it() {
    let child = &mut Foreign::new().served.child;
    kill_process(Pid::from_child(child), Signal::INT).expect("it runs");
    assert_eq!(status_of(child).code(), Some(130));
}

#[test]
fn who_leaves_gives_the_connection_back() {
    let mut foreign = Foreign::new();
    foreign.hears("B ada");
    foreign.says("B 0 2\nC 0 3 6\nT\n");
    let turn = foreign.asked("turn");
    assert_eq!(foreign.post("leave", &turn["step"], &[]).0, 200);
    assert_eq!(foreign.lines.read_line(&mut String::new()).expect("the end"), 0);
    assert_eq!(status_of(&mut foreign.served.child).code(), Some(0));
}

#[test]
fn wrong_usage() {
    for (args, wanted) in [
        (&["join", "4000", "--open"][..], "required arguments were not provided"),
        (&["join", "x", "--web"], "\"x\" is not a port"),
        (&["join", "1", "--web"], "is the server running?"),
        (&["join", "1", "--web", "--login", "a b"], "no blanks"),
    ] {
        let output = run(command(args), b"");
        let error = String::from_utf8(output.stderr).expect("text");
        assert!(output.status.code() == Some(2) && error.contains(wanted), "{args:?}: {error}");
    }
}

/// Two games against bots on our own server, to the end, through the page.
#[test]
fn a_match_in_a_browser() {
    let Some(mut browser) = Browser::start() else { return };
    let server = Server::start(&["2", "-n", "3", "--seed", "6", "--timeout", "0", "--json"]);
    let mut served = join(server.port);
    server.await_log("ada: hello", 1);
    browser.open(&served.url);
    browser.wait("document.querySelector('#notice').textContent.startsWith('You have seat 0 of 3')");
    assert_eq!(browser.eval("document.querySelector('#moment').hidden"), true);
    assert_good_everywhere(&mut browser, "before the game");
    let _bots = ["2", "3"].map(|level| {
        let bot = server.bot(&[level, "--seed", level]);
        server.await_log(&format!("bot{level}: hello"), 1);
        bot
    });
    let path = served.path().to_owned();
    let (mut turns, mut kinds) = (0, Vec::new());
    loop {
        let is_asked = |state: &Value| !state["ask"].is_null() && state["ask"]["what"] != "wait";
        let state = served.await_json(&format!("{path}/state"), is_asked);
        browser.wait(&format!("state?.step === {}", state["step"]));
        let kind = state["ask"]["what"].as_str().expect("text").to_owned();
        if !kinds.contains(&kind) {
            assert_good_everywhere(&mut browser, &format!("asked for a {kind}"));
            kinds.push(kind.clone());
        }
        match kind.as_str() {
            "turn" => {
                turns += 1;
                let (what, cards) = choose(&state);
                if turns == 1 {
                    let clock = "document.querySelector('#clock').textContent";
                    let words = "s have passed; servers wait 10 s unless told otherwise.";
                    browser.wait(&format!("/^[1-9][0-9]* {words}$/.test({clock})"));
                    press(&mut browser, "Hint");
                    browser
                        .wait("document.querySelector('#ask-about').textContent.includes('The suggestion that tells')");
                    press(&mut browser, "Suggest");
                    browser.wait("document.querySelector('#fault').textContent === 'Choose a place first.'");
                    KINDS.iter().zip(&cards).for_each(|(kind, &card)| choose_by_keys(&mut browser, kind, card));
                    press(&mut browser, "Suggest");
                } else {
                    for (kind, card) in KINDS.iter().zip(&cards) {
                        browser
                            .eval(&format!("document.querySelector('input[name={kind}][value=\"{card}\"]').click()"));
                    }
                    click(&mut browser, if what == "suggest" { "Suggest" } else { "Accuse" });
                    if what == "accuse" {
                        click(&mut browser, "Yes, accuse");
                    }
                }
            }
            "card" => {
                let card = numbers(&state["ask"]["choices"])[0];
                let first = browser.eval("document.querySelector('#buttons button').textContent");
                assert!(first.as_str().is_some_and(|text| text.ends_with(&format!(" {card}"))), "{first}");
                click(&mut browser, "Show ");
            }
            _ => break,
        }
        browser.wait(&format!("state.step !== {}", state["step"]));
    }
    assert_eq!((turns >= 3, kinds.len()), (true, 3), "{turns} turns, {kinds:?}");
    browser
        .wait("document.querySelector('#notice').textContent.includes('The match is over. Of 2 games, you have won ')");
    assert_eq!(
        browser.eval("/^you, seat 1, seat 2. Your cards: /.test(document.querySelector('#about').textContent)"),
        true
    );
    choose_option(&mut browser, "names", "french");
    browser.wait("[...document.querySelectorAll('#grid th')].some((cell) => cell.textContent === 'Cuisine')");
    // The first game can still be looked at.
    choose_option(&mut browser, "game", "1");
    browser.wait("document.querySelector('#title').textContent.startsWith('Game 1 at 127.0.0.1:')");
    assert_eq!(browser.eval("location.search"), "?game=1&names=french");
    click(&mut browser, "Finish");
    browser.wait("document.querySelector('#ask-title').textContent === 'Goodbye'");
    assert_eq!(status_of(&mut served.child).code(), Some(0));
    let ended = server.finish();
    assert!(ended.status == Some(0) && ended.gains(3)[0].iter().sum::<i64>() == 2, "{}", ended.out);
    assert_eq!(browser.complaints.iter().filter(|text| !text.contains("ERR_")).count(), 0, "{:?}", browser.complaints);
}

/// Presses a button by its text.
fn click(browser: &mut Browser, text: &str) {
    browser.eval(&format!(
        "[...document.querySelectorAll('#buttons button')].find((button) => button.textContent.startsWith({text:?})).click()"
    ));
}

/// Chooses in a list by value.
fn choose_option(browser: &mut Browser, list: &str, value: &str) {
    browser.eval(&format!(
        "document.querySelector('#{list}').value = '{value}'; \
         document.querySelector('#{list}').dispatchEvent(new Event('change'))"
    ));
}

/// `--open` with this program as `xdg-open`, or without any; returns the page's address and the first complaint, or what
/// the program was told.
fn open_with(script: Option<&str>) -> (String, String) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port().to_string();
    let folder = PublicFolder::new();
    let opener = folder.0.join("xdg-open");
    if let Some(script) = script {
        fs::write(&opener, format!("#!/bin/sh\n{script}\n")).expect("a script");
        fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).expect("rights");
    }
    let mut child = Command::new(PROGRAM)
        .args(["join", &port, "--web", "--open"])
        .env("PATH", &folder.0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    let url = line.strip_prefix("play at ").and_then(|line| line.split(' ').next()).expect("an address").to_owned();
    let mut said = String::new();
    if script.is_some_and(|script| script.contains("told")) {
        let told = folder.0.join("told");
        said = wait_for("the page is opened", || fs::read_to_string(&told).ok().filter(|said| said.ends_with('\n')));
    } else {
        BufReader::new(child.stderr.take().expect("piped")).read_line(&mut said).expect("a line");
    }
    child.kill().expect("it runs on");
    status_of(&mut child);
    (url, said)
}

#[test]
fn opens_the_page_in_the_browser() {
    // The opener gets the page's address and nothing else, and may run as long as it likes.
    let (url, told) = open_with(Some("echo $# \"$1\" >\"$0.new\"; /bin/mv \"$0.new\" \"${0%/*}/told\"; /bin/sleep 9"));
    assert_eq!(told, format!("1 {url}\n"));
    assert!(url.starts_with("http://127.0.0.1:"), "{url}");
    // Without a browser the person is told to open the page, and it stays there.
    let (url, said) = open_with(Some("exit 3"));
    assert_eq!(said, format!("cluedo: --open: xdg-open found no browser: open {url} yourself\n"));
    let (url, said) = open_with(None);
    assert!(said.starts_with("cluedo: --open: cannot run xdg-open: "), "{said}");
    assert!(said.ends_with(&format!(": open {url} yourself\n")), "{said}");
}
