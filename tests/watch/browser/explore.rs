//! Moves that are tried on a game's page, a closer look at large boards, and links to what is shown.

use std::fs::{self, File};
use std::io::Write;

use amazons_browser::{Browser, assert_good};
use amazons_rules::{MoveList, Position, Shape};
use serde_json::{Value, json};

use super::pages::{open_game, viewed};
use super::play::{click, point_of};
use crate::formats::start;
use crate::watch::record;

/// Returns the position of a record after so many moves.
fn position_at(record: &str, ply: usize) -> Position {
    let events: Vec<Value> = record.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let board = &events[0]["board"];
    let shape: Shape = board["shape"].as_str().and_then(|code| code.parse().ok()).expect("one of our shapes");
    let mut position = start(shape, board["columns"].as_u64().expect("a number") as u32);
    for event in &events[1..=ply] {
        let mv = position.board().parse_move(event["text"].as_str().expect("a move")).expect("a move");
        position.try_play(mv).expect("a legal move");
    }
    position
}

fn first_move(position: &Position) -> amazons_rules::Move {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves[moves.len() / 2]
}

const TEXT: &str = "document.querySelector('textarea').value";
const SHOWN: &str = "viewer.positionText()";
const STATUS: &str = "document.querySelector('.status').textContent";

#[test]
fn moves_are_tried_from_any_position_with_a_way_back() {
    let Some((mut browser, rig)) = viewed() else { return };
    let text = record("ann", "bob", Shape::FigureEight, 8, 4);
    open_game(&mut browser, &rig, &text);
    let address = browser.eval("location.href").as_str().expect("text").split('#').next().expect("a part").to_owned();
    browser.open(&format!("{address}#ply=5"));
    browser.wait("window.viewer?.ply === 5");
    let root = position_at(&text, 5);
    assert_eq!(browser.eval(SHOWN), root.to_string());
    browser.key("x");
    browser.wait("viewer.branch && document.activeElement === viewer.board");
    assert_good(&mut browser, "the beginning of a branch");
    // Two moves by the mouse, one typed.
    let mut position = root.clone();
    let mut texts = Vec::new();
    for _ in 0..2 {
        let mv = first_move(&position);
        for vertex in [mv.from, mv.to, mv.arrow] {
            click(&mut browser, vertex);
        }
        texts.push(position.board().move_text(mv));
        position.try_play(mv).expect("a legal move");
        browser.wait(&format!("viewer.branch.at === {}", texts.len()));
        assert_eq!(browser.eval(SHOWN), position.to_string());
    }
    let mv = first_move(&position);
    texts.push(position.board().move_text(mv));
    position.try_play(mv).expect("a legal move");
    let typed = |text: &str| format!("viewer.typedTry.value = '{text}'; viewer.typedTry.form.requestSubmit()");
    browser.eval(&typed("a1-a1/a1"));
    browser.wait("viewer.refusedTry.textContent === 'not a legal move here: type it as d1-d7/g7'");
    browser.eval(&typed(&texts[2].to_uppercase().replace('/', " ")));
    browser.wait("viewer.branch.at === 3 && viewer.refusedTry.textContent === ''");
    assert_eq!(browser.eval(SHOWN), position.to_string());
    assert_eq!(browser.eval("viewer.positionField.value"), position.to_string());
    assert_eq!(browser.eval("document.querySelector('.number').textContent"), "5 + 3");
    let link = format!("#ply=5&try={}", texts.join(","));
    browser.wait(&format!("location.hash === '{link}'"));
    assert_good(&mut browser, "a branch");
    browser.eval("viewer.board.focus()");
    browser.key("Backspace");
    browser.wait("viewer.branch.at === 2");
    browser.eval("viewer.walk(1)");
    // The board's own keys would move the square to choose.
    browser.eval("document.activeElement.blur()");
    browser.key("ArrowLeft");
    browser.key("ArrowLeft");
    browser.wait("viewer.branch.at === 1");
    browser.key("End");
    browser.wait("viewer.branch.at === 3");
    browser.key("Home");
    browser.wait("viewer.branch.at === 0");
    assert_eq!(browser.eval(SHOWN), root.to_string());
    browser.key("Escape");
    browser.wait("viewer.branch === null && viewer.ply === 5 && viewer.tried.hidden");
    assert_eq!(browser.eval(SHOWN), root.to_string());
    browser.wait("location.hash === '#ply=5'");
    // The link shows it again, and in a page without a server.
    let html = rig.get(&format!("/api/games/{}/as/html", rig.id("a.jsonl")));
    let path = rig.path("a.html");
    fs::write(&path, &html.body).expect("a file");
    for page in [address.clone(), format!("file://{}", path.display())] {
        browser.open(&format!("{page}{link}"));
        browser.wait("window.viewer?.branch?.at === 3");
        assert_eq!(browser.eval(SHOWN), position.to_string());
        browser.eval("viewer.leave()");
        assert_eq!(browser.eval("viewer.ply"), 5);
    }
    assert_good(&mut browser, "an exported branch");
    browser.open(&format!("{address}{link}"));
    browser.wait("window.viewer?.branch?.at === 3");
    browser
        .eval("[...viewer.tried.querySelectorAll('button')].find((button) => button.textContent === 'Edit').click()");
    browser.wait(&format!("location.pathname === '/editor' && window.viewer?.stones && {TEXT} === '{position}'"));
    assert_eq!(browser.eval("viewer.holes.size"), position.board().holes().count());
}

#[test]
fn hostile_links_do_no_harm() {
    let Some((mut browser, rig)) = viewed() else { return };
    let text = record("ann", "bob", Shape::Square, 6, 4);
    open_game(&mut browser, &rig, &text);
    let address = browser.eval("location.href").as_str().expect("text").split('#').next().expect("a part").to_owned();
    let root = position_at(&text, 2);
    let legal = root.board().move_text(first_move(&root));
    let long = vec!["a1-a2/a3"; 5000].join(",");
    let hostile = [
        ("#ply=2&try=<img src=x onerror=alert(1)>", None),
        ("#ply=2&try=%3Cscript%3E", None),
        (&format!("#ply=2&try={long}"), None),
        ("#ply=999999999999&try=a1-a2/a3", None),
        ("#ply=2&try=zz9999-zz9999/zz9999", Some(0)),
        ("#ply=2&try=--------", Some(0)),
        (&format!("#ply=2&try={legal},{legal},a1-a1/a1"), Some(1)),
    ];
    for (hash, tried) in hostile {
        browser.open(&format!("http://{}/", rig.address));
        browser.open(&format!("{address}{hash}"));
        browser.wait("window.viewer?.game?.result");
        browser.eval("new Promise((resolve) => setTimeout(resolve, 100))");
        assert_eq!(browser.eval("viewer.branch?.moves.length ?? null"), json!(tried), "{hash:.60}");
        assert_eq!(browser.eval("document.querySelector('main img, main script')"), Value::Null);
    }
    assert_good(&mut browser, "a hostile link");
}

#[test]
fn a_game_goes_on_behind_a_branch() {
    let Some((mut browser, rig)) = viewed() else { return };
    let text = record("ann", "bob", Shape::Square, 6, 4);
    let lines: Vec<&str> = text.lines().collect();
    rig.write("a.jsonl", &format!("{}\n", lines[..4].join("\n")));
    let mut file = File::options().append(true).open(rig.path("a.jsonl")).expect("a file");
    browser.open(&format!("http://{}/game/{}", rig.address, rig.id("a.jsonl")));
    browser.wait("window.viewer?.ply === 3");
    browser.eval("viewer.trying.click()");
    let root = position_at(&text, 3);
    let mv = root.board().move_text(first_move(&root));
    browser.eval("window.told = []; viewer.onposition = (text) => told.push(text); viewer.show()");
    browser.eval(&format!("viewer.look(['{mv}'])"));
    writeln!(file, "{}\n{}", lines[4], lines[5]).expect("room");
    browser.wait("viewer.game.moves.length === 5");
    assert_eq!(browser.eval("[viewer.ply, viewer.branch.at]"), json!([3, 1]));
    let mut tried = root.clone();
    tried.try_play(first_move(&root)).expect("a legal move");
    assert_eq!(browser.eval(SHOWN), tried.to_string());
    browser.eval("viewer.leave()");
    assert_eq!(browser.eval("viewer.ply"), 5, "who followed the game follows it again");
    assert_eq!(browser.eval(SHOWN), position_at(&text, 5).to_string());
    let told = browser.eval("told");
    let expected = [root.to_string(), tried.to_string(), position_at(&text, 5).to_string()];
    assert_eq!((&told[0], &told[told.as_array().map_or(0, Vec::len) - 1]), (&json!(expected[0]), &json!(expected[2])));
    assert!(told.as_array().expect("a list").contains(&json!(expected[1])), "{told}");
    // A branch ends in words where a side is blocked.
    for line in &lines[6..] {
        writeln!(file, "{line}").expect("room");
    }
    browser.wait("viewer.game.result");
    let count = lines.len() - 2;
    let last: Value = serde_json::from_str(lines[count]).expect("JSON");
    browser.eval(&format!("viewer.go({}); viewer.look(['{}'])", count - 1, last["text"].as_str().expect("a move")));
    let result = browser.eval("viewer.winnerText(viewer.game.result)");
    assert_eq!(browser.eval(STATUS), result);
    let reason = browser.eval("document.querySelector('.reason').textContent");
    assert!(reason.as_str().expect("text").ends_with(&format!("cannot move after {count} moves")), "{reason}");
    assert_good(&mut browser, "a branch that ended");
}

fn wheel(browser: &mut Browser, [x, y]: &[Value; 2], delta: i32) {
    browser.call(
        "Input.dispatchMouseEvent",
        &json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": delta }),
    );
}

#[test]
fn a_large_board_is_looked_at_closely() {
    let Some((mut browser, rig)) = viewed() else { return };
    let text = record("ann", "bob", Shape::FigureEight, 40, 4);
    browser.size(1280, 800);
    open_game(&mut browser, &rig, &text);
    browser.eval("viewer.go(0)");
    let root = position_at(&text, 0);
    let mv = first_move(&root);
    let at = point_of(&mut browser, mv.from);
    wheel(&mut browser, &at, -800);
    browser.wait("viewer.zoom > 3");
    let after = point_of(&mut browser, mv.from);
    for (one, other) in at.iter().zip(&after) {
        let moved = one.as_f64().expect("a number") - other.as_f64().expect("a number");
        assert!(moved.abs() < 25.0, "what the mouse points at stays there: {at:?} {after:?}");
    }
    // What is clicked is what is seen.
    click(&mut browser, mv.from);
    browser.wait(&format!("viewer.branch && viewer.chosen.join() === '{}'", mv.from));
    browser.eval("viewer.leave()");
    // A drag moves what is seen, and chooses nothing.
    let seen = browser.eval("viewer.seen");
    let free = browser.eval("viewer.stones.findIndex((stone, vertex) => { const [x, y] = viewer.center(vertex); const [left, top] = viewer.seen; return !stone && x > left + 600 && y > top + 600; })");
    let [x, y] = point_of(&mut browser, free.as_u64().expect("a vertex") as u32);
    let mouse = |browser: &mut Browser, kind: &str, by: f64| {
        let at = |value: &Value| value.as_f64().expect("a number") + by;
        let event = json!({ "type": kind, "x": at(&x), "y": at(&y), "button": "left", "buttons": u8::from(kind != "mouseReleased"), "clickCount": 1 });
        browser.call("Input.dispatchMouseEvent", &event);
    };
    for (kind, by) in [("mousePressed", 0.0), ("mouseMoved", 40.0), ("mouseMoved", 60.0), ("mouseReleased", 60.0)] {
        mouse(&mut browser, kind, by);
    }
    assert_ne!(browser.eval("viewer.seen"), seen);
    assert_eq!(browser.eval("[viewer.branch, viewer.chosen.length]"), json!([null, 0]));
    assert_good(&mut browser, "a closer look");
    browser.key("0");
    assert_eq!(browser.eval("[viewer.zoom, ...viewer.seen]"), json!([1, 0, 0]));
    browser.key("+");
    assert_eq!(browser.eval("viewer.zoom"), 1.5);
    browser.key("-");
    browser.eval("document.querySelector('[aria-label=\"Closer (+)\"]').click()");
    assert_eq!(browser.eval("viewer.zoom"), 1.5);
    // The keys bring the square to choose into view.
    browser.eval("viewer.zoomTo(6, [0, 0]); viewer.explore(); viewer.board.focus()");
    browser.key("N");
    let is_seen = "(() => { const [x, y] = viewer.center(viewer.cursor); const [left, top, width, height] = viewer.board.getAttribute('viewBox').split(' ').map(Number); \
                   return x > left && x < left + width && y > top && y < top + height; })()";
    assert_eq!(browser.eval(is_seen), true);
    let free = browser.eval("viewer.stones.findIndex((stone, vertex) => { const [x, y] = viewer.center(vertex); const [left, top] = viewer.seen; return !stone && !viewer.offered.includes(vertex) && x > left + 200 && y > top + 200; })");
    let [x, y] = point_of(&mut browser, free.as_u64().expect("a vertex") as u32);
    for (kind, count) in [("mousePressed", 1), ("mouseReleased", 1), ("mousePressed", 2), ("mouseReleased", 2)] {
        let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": count });
        browser.call("Input.dispatchMouseEvent", &event);
    }
    browser.wait("viewer.zoom === 1");
    // A picture shows the whole board.
    browser.eval("viewer.zoomTo(4)");
    let picture = browser.eval("viewer.picture().text()");
    assert!(picture.as_str().expect("text").contains("viewBox=\"0 0 4240 4240\""));
}

#[test]
fn a_finger_chooses_on_a_phone() {
    let Some((mut browser, rig)) = viewed() else { return };
    let text = record("ann", "bob", Shape::Square, 20, 4);
    browser.size(390, 844);
    browser.call("Emulation.setTouchEmulationEnabled", &json!({ "enabled": true, "maxTouchPoints": 2 }));
    open_game(&mut browser, &rig, &text);
    browser.eval("viewer.go(0)");
    let mv = first_move(&position_at(&text, 0));
    let touch = |browser: &mut Browser, kind: &str, fingers: &[[f64; 2]]| {
        let points: Vec<Value> =
            fingers.iter().enumerate().map(|(id, [x, y])| json!({ "id": id, "x": x, "y": y })).collect();
        browser.call("Input.dispatchTouchEvent", &json!({ "type": kind, "touchPoints": points }));
    };
    let tap = |browser: &mut Browser, vertex: u32, slip: f64| {
        let [x, y] = point_of(browser, vertex).map(|value| value.as_f64().expect("a number"));
        touch(browser, "touchStart", &[[x + slip, y]]);
        touch(browser, "touchEnd", &[]);
    };
    browser.eval("viewer.explore()");
    // A queen is 18 pixels wide: a finger that misses it by 14 takes it all the same.
    tap(&mut browser, mv.from, 14.0);
    browser.wait(&format!("viewer.chosen.join() === '{}'", mv.from));
    tap(&mut browser, mv.to, 0.0);
    browser.wait(&format!("viewer.chosen.join() === '{},{}'", mv.from, mv.to));
    let [x, y] = point_of(&mut browser, mv.arrow).map(|value| value.as_f64().expect("a number"));
    touch(&mut browser, "touchStart", &[[x, y], [x + 40.0, y]]);
    touch(&mut browser, "touchMove", &[[x - 10.0, y], [x + 50.0, y]]);
    touch(&mut browser, "touchMove", &[[x - 40.0, y], [x + 80.0, y]]);
    touch(&mut browser, "touchEnd", &[]);
    browser.wait("viewer.zoom > 1.5");
    assert_eq!(browser.eval("viewer.chosen.length"), 2, "a pinch chooses nothing");
    browser.eval(&format!("viewer.reveal({})", mv.arrow));
    tap(&mut browser, mv.arrow, 0.0);
    browser.wait("viewer.branch.at === 1");
    let scroll = browser.eval("document.scrollingElement.scrollWidth - innerWidth");
    assert!(scroll.as_i64().is_some_and(|over| over <= 0), "{scroll} too wide");
    assert_good(&mut browser, "a phone");
}
