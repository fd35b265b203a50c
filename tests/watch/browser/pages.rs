use std::fs;
use std::io::Write;

use amazons_browser::{Browser, assert_good};
use amazons_rules::Shape;
use serde_json::json;

use crate::watch::{Rig, as_if_played, record};

/// A script's numbers have 53 bits, and older records have longer seeds as numbers.
#[test]
fn a_large_seed_keeps_its_digits() {
    let Some((mut browser, rig)) = viewed() else { return };
    let text = record("a", "b", Shape::Square, 5, 1);
    for (name, seed) in [("new", "\"9007199254740993\""), ("old", "18446744073709551615")] {
        let (name, record) = (format!("{name}.jsonl"), text.replacen("\"seed\":null", &format!("\"seed\":{seed}"), 1));
        assert_ne!(record, text);
        rig.write(&name, &record);
        browser.open(&format!("http://{}/game/{}", rig.address, rig.id(&name)));
        browser.wait("viewer.game?.result");
        let about = browser.eval("JSON.stringify(viewer.game.about)");
        let seed = seed.trim_matches('"');
        assert!(about.as_str().expect("text").contains(&format!("[\"Seed\",\"{seed}\"]")), "{about}");
    }
}

#[test]
fn a_live_game_is_seen_to_its_end() {
    let Some((mut browser, rig)) = viewed() else { return };
    let text = record("<b>ann</b>", "bob", Shape::FigureEight, 8, 4);
    let lines: Vec<&str> = text.lines().collect();
    rig.write("a.jsonl", &format!("{}\n{}\n", lines[0], lines[1]));
    let id = rig.id("a.jsonl");
    browser.open(&format!("http://{}/", rig.address));
    browser.wait(
        "document.querySelectorAll('#cards li').length === 1 && document.querySelectorAll('#rows tr').length === 1",
    );
    browser.wait("/^move 2, (black|white): [0-9.]+ s/.test(document.querySelector('#cards .soft').textContent)");
    assert_good(&mut browser, "the first page");
    browser.eval("document.querySelector('#cards a').click()");
    browser.wait(&format!("location.pathname === '/game/{id}' && window.viewer?.ply === 1"));
    browser.wait("/, thinking [0-9.]+ s/.test(document.querySelector('.thinking').textContent)");
    assert_eq!(browser.eval("document.title"), "<b>ann</b> (black) against bob (white)");
    let mut file = fs::File::options().append(true).open(rig.path("a.jsonl")).expect("a file");
    writeln!(file, "{}", lines[2]).expect("room");
    browser.wait("viewer.ply === 2");
    assert_eq!(browser.eval("document.querySelector('[aria-live]').textContent.startsWith('Move 2, ')"), true);
    // A viewer of an earlier move stays there.
    browser.key("ArrowLeft");
    browser.wait("viewer.ply === 1");
    writeln!(file, "{}", lines[3]).expect("room");
    browser.wait("viewer.game.moves.length === 3");
    assert_eq!(browser.eval("viewer.ply"), 1);
    browser.key("End");
    for line in &lines[4..] {
        writeln!(file, "{line}").expect("room");
    }
    browser.wait("document.querySelector('#connection').textContent === 'The game is over.'");
    assert_eq!(browser.eval("viewer.ply"), lines.len() - 2);
    assert!(browser.eval("document.querySelector('.status').textContent").as_str().expect("words").ends_with(" wins"));
    browser.wait("[...document.querySelectorAll('.files a')].some((link) => link.textContent === 'gif')");
    let statuses = browser.eval(
        "Promise.all([...document.querySelectorAll('.files a')].map(async (link) => (await fetch(link.href)).status))",
    );
    assert_eq!(statuses, json!([200, 200, 200, 200, 200, 200, 200, 200]));
    // The engine's connection is opened after that.
    let open = "engine.then(({ stream }) => new Promise((done) => setInterval(
            () => (stream.isClosed || stream.source?.readyState === EventSource.OPEN) && done(true), 20)))";
    assert_eq!(browser.eval(open), true);
    assert_eq!(browser.eval("document.querySelector('#connection').textContent"), "The game is over.");
    assert_good(&mut browser, "the game's page");
}

#[test]
fn a_recorded_game_is_stepped_through_by_keys_and_by_link() {
    let Some((mut browser, rig)) = viewed() else { return };
    let text = record("ann", "bob", Shape::Clover, 10, 4);
    let moves = text.lines().count() - 2;
    rig.write("a.jsonl", &text);
    let page = format!("http://{}/game/{}", rig.address, rig.id("a.jsonl"));
    browser.open(&page);
    browser.wait(&format!("window.viewer?.ply === {moves}"));
    for (key, ply) in [("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", moves)] {
        browser.key(key);
        browser.wait(&format!(
            "viewer.ply === {ply} && document.querySelector('.number').textContent === '{ply} / {moves}'"
        ));
    }
    browser.wait(&format!("location.hash === '#ply={moves}'"));
    browser.open(&format!("{page}#ply=7"));
    browser.wait("window.viewer?.ply === 7");
    let shown = browser.eval("document.querySelector('.moves [aria-current]').textContent");
    let mv: serde_json::Value = serde_json::from_str(text.lines().nth(7).expect("a move")).expect("JSON");
    let color = browser.eval("viewer.mover(7) === 0 ? 'black' : 'white'");
    assert_eq!(
        shown,
        format!("{}, {}, move 7", mv["text"].as_str().expect("a move"), color.as_str().expect("a colour"))
    );
    let queens = "document.querySelectorAll('.black-queen, .white-queen').length";
    let arrows = "[...document.querySelectorAll('.board .arrow')].map((row) => row.getAttribute('d') ?? '').join('').split('M').length - 1";
    assert_eq!((browser.eval(queens), browser.eval(arrows)), (json!(16), json!(7)));
    assert_eq!(browser.eval("viewer.speed.hidden"), true);
    browser.key(" ");
    browser.wait("viewer.ply > 7 && !viewer.speed.hidden");
    browser.key(" ");
    assert_eq!(browser.eval("viewer.timer"), json!(null), "autoplay stops");
    browser.eval("viewer.shading.click()");
    assert_ne!(browser.eval("document.querySelector('.black-land').getAttribute('d').length"), 0);
    assert_good(&mut browser, "a recorded game");
}

#[test]
fn a_fault_is_explained() {
    let Some((mut browser, rig)) = viewed() else { return };
    let text = as_if_played(&record("ann", "bob", Shape::Square, 6, 2), [Some("player1.log"), None]);
    let lines: Vec<&str> = text.lines().collect();
    let fault = json!({
        "event": "fault", "player": 2, "termination": "illegal_move", "call": "play", "detail": "there is an arrow on <a1>",
        "ply": 2, "move": [1, 2, 3], "position": "x", "signal": null, "exit_code": null, "backtrace": ["f at a.c:3"],
        "log": null, "log_tail": ["<i>help</i>"],
    });
    let end =
        r#"{"event":"end","winner":1,"termination":"illegal_move","moves":1,"position":"","hash":"","detail":null}"#;
    let fault = fault.to_string().replacen("\"event\":\"fault\",", "", 1).replacen('{', "{\"event\":\"fault\",", 1);
    rig.write("a.jsonl", &format!("{}\n{}\n{fault}\n{end}\n", lines[0], lines[1]));
    fs::write(rig.path("player1.log"), "<u>printed</u>\n").expect("a file");
    browser.open(&format!("http://{}/game/{}", rig.address, rig.id("a.jsonl")));
    browser.wait("document.querySelector('#connection').textContent === 'The game is over.'");
    let told = browser.eval("document.querySelector('#faults').innerText");
    for words in ["illegal move in play", "there is an arrow on <a1>", "1, 2, 3", "f at a.c:3", "<i>help</i>"] {
        assert!(told.as_str().expect("words").contains(words), "{words}: {told}");
    }
    assert_eq!(
        browser.eval("document.querySelector('.fault').textContent.includes('illegal move in play: there is')"),
        true
    );
    browser.wait("document.querySelector('#logs').innerText.includes('<u>printed</u>')");
    browser.key("Home");
    assert_eq!(browser.eval("document.querySelector('.fault').textContent"), "", "only on the last position");
    assert_good(&mut browser, "a fault");
}

#[test]
fn pages_fit_small_screens_and_dark_rooms() {
    let Some((mut browser, rig)) = viewed() else { return };
    let name = "a_player_with_a_name_that_is_longer_than_most_screens_are_wide";
    rig.write("finished.jsonl", &record(name, "bob", Shape::Donut, 10, 4));
    let running: String =
        record("ann", name, Shape::Square, 10, 4).lines().take(9).map(|line| format!("{line}\n")).collect();
    rig.write("a_file_with_a_name_that_is_longer_than_most_screens_are_wide_too.jsonl", &running);
    rig.write("broken.jsonl", "x\n");
    let id = rig.id("finished.jsonl");
    fits(&mut browser, "list", |browser| {
        browser.open(&format!("http://{}/", rig.address));
        browser.wait("document.querySelectorAll('#rows tr').length === 3 && document.querySelector('#cards svg')");
    });
    fits(&mut browser, "game", |browser| {
        browser.open(&format!("http://{}/game/{id}", rig.address));
        browser.wait("window.viewer?.game?.result && document.querySelectorAll('.files a').length === 8");
    });
}

/// Opens a page on phones and large screens, in light and dark rooms: it fits, and looks another way in each.
pub(super) fn fits(browser: &mut Browser, page: &str, open: impl Fn(&mut Browser)) {
    let mut pictures = Vec::new();
    for (theme, width) in [("light", 360), ("dark", 360), ("light", 1200), ("dark", 1200)] {
        browser.size(width, 800);
        browser.prefer("prefers-color-scheme", theme);
        open(browser);
        let what = format!("{page}-{width}-{theme}");
        let scroll = browser.eval("document.scrollingElement.scrollWidth - innerWidth");
        assert!(scroll.as_i64().is_some_and(|over| over <= 0), "{what}: {scroll} too wide");
        assert_eq!(browser.eval("innerWidth"), width, "{what}");
        assert_good(browser, &what);
        let picture = browser.picture();
        assert!(picture.len() > 10_000, "{what}: {} digits", picture.len());
        keep(&format!("{what}.b64"), &picture);
        pictures.push(picture);
    }
    pictures.sort();
    pictures.dedup();
    assert_eq!(pictures.len(), 4, "each looks another way");
}

/// Starts a browser, and a viewer to look at.
pub(super) fn viewed() -> Option<(Browser, Rig)> {
    Some((Browser::start()?, Rig::new()))
}

/// Opens the page of a finished game.
pub(super) fn open_game(browser: &mut Browser, rig: &Rig, record: &str) {
    rig.write("a.jsonl", record);
    browser.open(&format!("http://{}/game/{}", rig.address, rig.id("a.jsonl")));
    browser.wait("window.viewer?.game?.result");
}

/// Keeps a picture for people to look at: `AMAZONS_PICTURES=FOLDER`.
fn keep(name: &str, picture: &str) {
    if let Some(folder) = std::env::var_os("AMAZONS_PICTURES") {
        fs::write(std::path::Path::new(&folder).join(name), picture).expect("a folder");
    }
}

#[test]
fn lists_are_filtered_sorted_and_paged() {
    let Some((mut browser, rig)) = viewed() else { return };
    for number in 0..60 {
        let black = if number % 3 == 0 { "ann" } else { "bob" };
        rig.write(&format!("{number:02}.jsonl"), &record(black, "cid", Shape::Square, 5, number));
    }
    rig.listed("", 60);
    browser.open(&format!("http://{}/", rig.address));
    browser.wait("document.querySelectorAll('#rows tr').length === 50");
    assert_eq!(browser.eval("document.querySelector('#count').textContent"), "60 games");
    browser.eval("document.querySelector('#after').click()");
    browser.wait("document.querySelectorAll('#rows tr').length === 10");
    browser.eval("document.querySelector('th button').click()");
    browser.wait("document.querySelector('#rows a').textContent === '00.jsonl'");
    browser.eval("document.querySelector('th button').click()");
    browser.wait("document.querySelector('#rows a').textContent === '59.jsonl'");
    assert_eq!(browser.eval("document.querySelector('th').getAttribute('aria-sort')"), "descending");
    browser.eval("{ const select = document.querySelector('[name=player]'); select.value = 'ann'; select.dispatchEvent(new Event('change', { bubbles: true })); }");
    browser.wait("document.querySelector('#count').textContent === '20 games'");
    assert_eq!(browser.eval("document.querySelector('[name=player]').value"), "ann");
    assert_good(&mut browser, "a long list");
}

/// The keyboard alone reaches everything, in visual order.
#[test]
fn the_focus_goes_down_the_page() {
    let Some((mut browser, rig)) = viewed() else { return };
    open_game(&mut browser, &rig, &record("ann", "bob", Shape::Square, 5, 1));
    let mut seen = Vec::new();
    for _ in 0..12 {
        browser.key("Tab");
        let focused = browser
            .eval("(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()");
        seen.push(focused.as_str().expect("words").to_owned());
    }
    let expected = [
        "Amazons",
        "Games",
        "Editor",
        "Find a player or game",
        "Colours: as the system",
        "First position (Home)",
        "One move back (Left)",
        "Play (Space)",
        "One move on (Right)",
        "Last position (End)",
        "Move",
        "Try a move (x)",
    ];
    assert_eq!(seen[..expected.len()], expected);
}

/// The squares alone, without names and clocks: in pixels of a window.
#[test]
fn the_board_is_as_large_as_the_window() {
    let Some((mut browser, rig)) = viewed() else { return };
    let text = record("ann", "bob", Shape::Square, 10, 4);
    let side = "document.querySelector('.board .light').getBoundingClientRect().width * 10 / 9";
    for (width, height, at_least) in [(1280, 800, 540.0), (1920, 1080, 780.0), (390, 844, 340.0)] {
        browser.size(width, height);
        open_game(&mut browser, &rig, &text);
        let side = browser.eval(side).as_f64().expect("a number");
        assert!(side >= at_least, "{side} at {width} x {height}");
        let below = "document.querySelector('.stage').getBoundingClientRect().bottom - innerHeight";
        assert!(
            browser.eval(below).as_f64().is_some_and(|over| over <= 0.0),
            "all of it is seen at {width} x {height}"
        );
    }
}

#[test]
fn the_board_turns_around() {
    let Some((mut browser, rig)) = viewed() else { return };
    rig.write("a.jsonl", &record("ann", "bob", Shape::Clover, 8, 4));
    browser.open(&format!("http://{}/game/{}#ply=9", rig.address, rig.id("a.jsonl")));
    browser.wait("window.viewer?.ply === 9");
    let seen = "(() => { const box = viewer.board.getBoundingClientRect(); \
        const at = (node) => { const { x, y, width, height } = node.getBoundingClientRect(); return [Math.round(x + width / 2 - box.x), Math.round(y + height / 2 - box.y)]; }; \
        return { queens: [...viewer.drawn].map(([vertex, { node }]) => [vertex, ...at(node)]), land: viewer.lands.map((land) => land.length), \
        a1: at([...document.querySelectorAll('.label text')].find((label) => label.textContent === '1')), top: document.querySelector('.player').className.split(' ')[1] }; })()";
    browser.key("t");
    let before = browser.eval(seen);
    browser.key("f");
    let after = browser.eval(seen);
    assert_eq!((before["top"].as_str(), after["top"].as_str()), (Some("white"), Some("black")));
    assert_eq!(before["land"], after["land"]);
    let sorted = |seen: &serde_json::Value| {
        let mut queens: Vec<Vec<i64>> = serde_json::from_value(seen["queens"].clone()).expect("numbers");
        queens.sort_unstable();
        queens
    };
    let sum = |one: &[i64], other: &[i64]| [one[1] + other[1], one[2] + other[2]];
    let (before, after) = (sorted(&before), sorted(&after));
    let middle = sum(&before[0], &after[0]);
    for (one, other) in before.iter().zip(&after) {
        let difference = [0, 1].map(|axis| (sum(one, other)[axis] - middle[axis]).abs());
        assert!(one[0] == other[0] && difference <= [2, 2], "{one:?} {other:?}");
    }
    assert_ne!(before, after);
    browser.key("?");
    browser.wait("document.querySelector('dialog').open");
    assert_good(&mut browser, "the keys");
}

#[test]
fn a_choice_of_colours_is_remembered() {
    let Some((mut browser, rig)) = viewed() else { return };
    let color = "getComputedStyle(document.body).backgroundColor";
    browser.prefer("prefers-color-scheme", "light");
    browser.open(&format!("http://{}/", rig.address));
    browser.wait("document.querySelector('.top .icon')");
    let light = browser.eval(color);
    for (words, is_light) in [("light", true), ("dark", false)] {
        browser.eval("document.querySelector('.top .icon').click()");
        assert_eq!(browser.eval("document.querySelector('.top .icon').title"), format!("Colours: {words}"));
        assert_eq!(browser.eval(color) == light, is_light, "{words}");
    }
    open_game(&mut browser, &rig, &record("ann", "bob", Shape::Square, 5, 1));
    assert_ne!(browser.eval(color), light, "remembered");
    assert_good(&mut browser, "a chosen theme");
}
