//! `cluedo assist --web` in a browser: the session of the terminal, on a page.

use amazons_browser::{Browser, Served, assert_good_everywhere};
use amazons_testing::status_of;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::terminal::{GAME, assist};
use crate::support::{PROGRAM, TemporaryFile, command, run};

/// Starts the helper in a folder of its own.
fn start(folder: &TemporaryFile) -> Served {
    std::fs::create_dir_all(&folder.0).expect("a folder");
    let mut helper = std::process::Command::new(PROGRAM);
    helper.args(["assist", "--web"]).current_dir(&folder.0);
    Served::new(&mut helper)
}

#[test]
fn the_page_answers_as_the_terminal_does() {
    let folder = TemporaryFile::new();
    let mut served = start(&folder);
    let path = served.path().to_owned();
    let mut answers = String::new();
    for line in GAME.lines().chain(["why carl candle", "ask", "chances", "notes", "dance"]) {
        let (status, body) = served.post(&format!("{path}/line"), &json!({ "line": line }));
        assert_eq!(status, 200, "{body}");
        let state: serde_json::Value = serde_json::from_str(&body).expect("JSON");
        let said = state["said"].as_array().and_then(|said| said.last()).expect("an answer").clone();
        assert_eq!(said[0], line);
        answers += said[1].as_str().expect("text");
        answers += "\n";
    }
    assert_eq!(answers, assist(&format!("{GAME}why carl candle\nask\nchances\nnotes\ndance\n")));
    let state = served.json(&format!("{path}/state"));
    assert!(state["grid"].is_null(), "the entries contradict each other: {state}");
    assert_eq!(state["entries"].as_array().map(Vec::len), Some(3));
    // Nobody else may ask or tell, and nothing else is a line.
    assert_eq!(served.get("/play/0123456789abcdef/state").0, 404);
    assert_eq!(served.post("/play/0123456789abcdef/line", &json!({ "line": "undo" })).0, 404);
    assert_eq!(served.post(&format!("{path}/line"), &json!({ "text": "undo" })).0, 400);
    let (status, _) = served.post(&format!("{path}/line"), &json!({ "line": "x".repeat(5_000) }));
    assert!((400..500).contains(&status), "{status}");
    let (_, body) = served.post(&format!("{path}/line"), &json!({ "line": "quit" }));
    assert!(body.contains("Ctrl-C at the terminal"), "{body}");
    // Ctrl-C keeps what nobody saved.
    kill_process(Pid::from_child(&served.child), Signal::INT).expect("it runs");
    assert_eq!(status_of(&mut served.child).code(), Some(130));
    let kept = std::fs::read_to_string(folder.0.join("cluedo-game.txt")).expect("a game");
    assert!(kept.ends_with("Anna shows\n"), "{kept}");
    std::fs::remove_dir_all(&folder.0).expect("it is ours");
}

#[test]
fn options_without_a_page_are_refused() {
    let output = run(command(&["assist", "--port", "4000"]), b"");
    assert_eq!(output.status.code(), Some(2));
    let busy = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = busy.local_addr().expect("an address").port().to_string();
    let output = run(command(&["assist", "--web", "--port", &port]), b"");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && error.contains("cannot listen there"), "{error}");
}

#[test]
fn a_game_is_followed_in_the_page() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = TemporaryFile::new();
    let served = start(&folder);
    browser.open(&served.url);
    browser.wait("byId('said').textContent.includes('Type what happens at your table')");
    assert_good_everywhere(&mut browser, "a new game");
    let mut entries = 0;
    for line in GAME
        .lines()
        .filter(|line| !line.starts_with("ben suggests"))
        .chain(["carl lacks scarlett", "carl lacks kitchen"])
    {
        browser.eval(&format!("byId('line').value = '{line}'; byId('form').requestSubmit()"));
        entries += usize::from(!line.starts_with("players") && !line.starts_with("me plum"));
        browser.wait(&format!(
            "byId('said').textContent.includes('> {line}') && byId('entries').children.length === {entries}"
        ));
    }
    browser.wait("byId('said').lastChild.textContent.endsWith('79,800 deals are left.')");
    let certain = "byId('said').textContent.includes('Carl has the Candlestick, because of entries 1, 3 and 4.')";
    assert_eq!(browser.eval(certain), true);
    let cell = "byId('grid').tBodies[0].rows[6].cells[4]";
    assert_eq!(browser.eval(&format!("{cell}.textContent")), "yes");
    assert_good_everywhere(&mut browser, "a game");
    // A cell says why.
    browser.eval(&format!("{cell}.firstChild.click()"));
    browser.wait("byId('said').lastChild.textContent.endsWith('so it was the Candlestick.')");
    browser.eval("[...byId('requests').children].find((button) => button.textContent === 'ask').click()");
    browser.wait("byId('said').lastChild.textContent.startsWith('Ask for ')");
    // A contradiction, and the way out of it.
    browser.eval("byId('line').value = 'carl lacks candle'; byId('form').requestSubmit()");
    browser.wait("byId('said').lastChild.textContent.includes('contradict each other') && !byId('no-grid').hidden");
    assert_good_everywhere(&mut browser, "a contradiction");
    browser.eval("[...byId('requests').children].find((button) => button.textContent === 'undo').click()");
    browser.wait("byId('no-grid').hidden");
    // The game is still there after the page is loaded again.
    browser.open(&served.url);
    browser.wait(&format!("byId('entries').children.length === {entries}"));
    assert_eq!(browser.complaints, [""; 0]);
    drop(served);
    std::fs::remove_dir_all(&folder.0).expect("it is ours");
}
