//! `cluedo watch`: records in a browser.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use amazons_browser::{Browser, Served, assert_good_everywhere};
use serde_json::json;

use crate::line::session_record;
use crate::support::{PROGRAM, command, run, said};

/// A folder with a record of the server, one of a classic game, and one that is damaged.
struct Records(PathBuf);

impl Records {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("watch-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        let session = session_record();
        fs::write(path.join("b.jsonl"), &session).expect("a record");
        fs::write(path.join("c.jsonl"), &session[..session.len() / 3]).expect("a record");
        fs::write(path.join("notes.txt"), "no record").expect("a file");
        let classic = path.join("a.jsonl");
        let args = ["play", "--ais", "5", "--type", "mix", "--seed", "3", "--record"];
        let input = b"1 0 6 12 1 1 7 13 1 2 8 14 1 3 9 15 1 4 10 16 1 5 11 17 0 0 6 12";
        let input: Vec<u8> = input.iter().copied().chain(b" 0 1 2 3 4 5".repeat(40)).collect();
        said(command(&[&args[..], &[classic.to_str().expect("text")]].concat()), &input);
        Self(path)
    }

    fn serve(&self) -> Served {
        let mut command = Command::new(PROGRAM);
        command.arg("watch").arg(&self.0);
        Served::new(&mut command)
    }
}

impl Drop for Records {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn lists_and_moments() {
    let records = Records::new("list");
    let served = records.serve();
    let list = served.json("/api/games");
    let names: Vec<_> = list["games"].as_array().expect("a list").iter().map(|game| game["file"].clone()).collect();
    assert_eq!(names, ["a.jsonl", "b.jsonl", "b.jsonl", "c.jsonl"]);
    assert_eq!(list["games"][1]["ending"], "p1 wins.");
    assert_eq!(list["games"][3]["ending"], json!(null));
    assert_eq!(list["defects"].as_array().map(Vec::len), Some(1), "{list}");
    assert!(list["defects"][0].as_str().is_some_and(|defect| defect.starts_with("c.jsonl: line ")), "{list}");
    assert_eq!(served.json("/api/games?from=3")["games"].as_array().map(Vec::len), Some(1));

    let id = list["games"][1]["id"].as_str().expect("a name").to_owned();
    let state = |query: &str| served.json(&format!("/api/games/{id}/state?{query}"));
    let all = state("");
    assert_eq!(all["viewers"], json!(["spectator", "0", "1", "2", "all"]));
    assert_eq!((&all["ply"], &all["secret"]), (&json!(7), &json!([2, 5, 10])));
    let early = state("view=1&ply=2");
    assert_eq!((&early["secret"], &early["hands"]), (&json!(null), &json!([null, [1, 6, 9], null])));
    assert_eq!(early["turns"][0]["card"], 1);
    assert_eq!(early["grid"][7], json!([["-", 0.0], ["-", 0.0], ["x", 1.0], ["-", 0.0]]));
    assert_eq!(state("view=spectator&ply=0")["deals"], "107520");
    assert_eq!(state("view=0")["turns"][2], json!({ "seat": 2, "act": "accusation" }));
    assert_eq!(state("view=all")["turns"][2]["cards"], json!([2, 5, 9]));
    assert_eq!(state("view=all")["grid"][2], json!([["-", 0.0], ["-", 0.0], ["-", 0.0], ["x", 1.0]]));
    let open = list["games"][3]["id"].as_str().expect("a name");
    for (path, status) in [
        (format!("/api/games/{open}/state?view=0"), 403),
        (format!("/api/games/{open}/state?view=all"), 403),
        (format!("/api/games/{open}/state"), 200),
        (format!("/api/games/{id}/state?view=7"), 403),
        (format!("/api/games/{id}/state?view=me"), 400),
        (format!("/api/games/{id}/state?ply=-1"), 400),
        (format!("/api/games/{id}x/state"), 404),
        ("/api/games/t0g0/state".to_owned(), 404),
        (format!("/game/{id}"), 200),
        ("/game/../../etc/passwd".to_owned(), 404),
        ("/assets/game.js".to_owned(), 200),
        ("/assets/play".to_owned(), 404),
        ("/play/x".to_owned(), 404),
    ] {
        assert_eq!(served.get(&path).0, status, "{path}");
    }
}

#[test]
fn only_its_own_pages_may_ask() {
    let records = Records::new("guard");
    let served = records.serve();
    let host = served.host();
    assert_eq!(served.send("GET", "/", "evil.example", "", "").0, 421);
    assert_eq!(served.send("POST", "/", host, "", "").0, 405);
    assert_eq!(served.send("PUT", "/api/games", host, "", "").0, 405);
    assert_eq!(served.send("GET", "/", host, "content-length: 5\r\n", "hello").0, 413);
    let (status, head, _) = served.send("GET", "/", host, "", "");
    assert!(status == 200 && head.contains("script-src 'self'") && head.contains("x-frame-options: DENY"), "{head}");
    let output = run(command(&["watch", "/nowhere"]), b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot read /nowhere: "), "{output:?}");
}

#[test]
fn a_record_can_be_looked_at_by_keyboard() {
    let Some(mut browser) = Browser::start() else { return };
    let records = Records::new("browser");
    let served = records.serve();
    browser.open(&served.url);
    browser.wait("document.querySelectorAll('#games a').length === 4");
    assert_good_everywhere(&mut browser, "the list");
    let links = browser.eval("[...document.querySelectorAll('#games a')].map((link) => link.href)");
    let link = |at: usize| links[at].as_str().expect("an address").to_owned();
    let status = "document.querySelector('#status').textContent";

    browser.open(&format!("{}?view=1&ply=2", link(1)));
    browser.wait(&format!("{status} === 'Turn 2 of 7. p1 suggests 2 7 8. Shown by p2: 7.'"));
    assert_good_everywhere(&mut browser, "a seat's view");
    let cell = "document.querySelectorAll('#grid tbody')[1].rows[4].cells[3].textContent";
    assert_eq!(browser.eval(cell), "✓p2 has it");
    browser.key("End");
    browser.wait(&format!("{status}.startsWith('Turn 7 of 7. p1 wins. The secret: 2 5 10')"));
    browser.key("ArrowLeft");
    browser.wait(&format!("{status}.startsWith('Turn 6 of 7.')"));
    assert!(browser.eval("location.search").as_str().is_some_and(|query| query == "?view=1&ply=6"));
    browser.key("Home");
    browser.wait(&format!("{status} === 'Turn 0 of 7. The cards are dealt.'"));
    browser.eval("document.querySelector('#detail').value = 'numbers'; document.querySelector('#detail').dispatchEvent(new Event('change'))");
    let numbers =
        "[...document.querySelectorAll('#grid td span:first-child')].some((cell) => cell.textContent === '33')";
    browser.wait(numbers);
    assert_good_everywhere(&mut browser, "numbers");
    browser.eval("document.querySelector('#view').value = 'all'; document.querySelector('#view').dispatchEvent(new Event('change'))");
    browser.wait("document.querySelector('#about').textContent.includes('p0: 0 4 8; p1: 1 6 9; p2: 3 7 11')");
    // Six players, names of cards, and a link to a moment in the table.
    browser.open(&format!("{}?ply=1", link(0)));
    browser.wait(&format!("{status}.startsWith('Turn 1 of')"));
    assert_good_everywhere(&mut browser, "a classic game");
    browser.eval("document.querySelectorAll('#turns a')[3].click()");
    browser.wait(&format!("{status}.startsWith('Turn 4 of') && location.search === '?ply=4'"));
    assert_eq!(browser.complaints, [""; 0]);
}
