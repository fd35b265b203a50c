//! A person plays, with the mouse, the keyboard and the fields of the page.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use amazons_browser::{Browser, assert_good};
use amazons_rules::{MoveList, Position, Shape, Vertex};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::pages::fits;
use crate::formats::start;
use crate::support::{player, server};
use crate::watch::crowd::{BOUNDS, fill};
use crate::watch::play::{START, WebSession};

/// A game of a person, player 1, against `random`.
pub(super) struct Played {
    child: Child,
    pub(super) page: String,
}

impl Played {
    /// Waits for the end of the server.
    fn status(mut self) -> Option<i32> {
        self.child.wait().expect("a process").code()
    }

    pub(super) fn new(args: &[&str], person: &str) -> Self {
        let mut child = Command::new(server())
            .args(args)
            // With a limit, the server ends with the game.
            .args(["--seed", "4", if person == "web" { "--watch=stay" } else { "--watch" }, "--quiet", person])
            .arg(player("random"))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server runs");
        let mut lines = BufReader::new(child.stderr.take().expect("its errors")).lines();
        let page = lines.find_map(|line| Some(line.expect("text").split_once(" plays at ")?.1.to_owned()));
        let page = page.expect("where a person plays");
        // The rest is not read; it is short.
        std::mem::forget(lines);
        Self { child, page }
    }
}

impl Drop for Played {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = kill_process(Pid::from_child(&self.child), Signal::KILL);
        let _ = self.child.wait();
    }
}

fn numbers(value: &Value) -> Vec<Vertex> {
    let list = value.as_array().expect("a list").iter();
    let mut numbers: Vec<Vertex> = list.map(|number| number.as_u64().expect("a number") as Vertex).collect();
    numbers.sort_unstable();
    numbers
}

/// Returns the possible next choices by the rules.
fn choices(position: &Position, begun: &[Vertex]) -> Vec<Vertex> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let next = |mv: &amazons_rules::Move| {
        let vertices = [mv.from, mv.to, mv.arrow];
        vertices.starts_with(begun).then(|| vertices[begun.len()])
    };
    let mut next: Vec<Vertex> = moves.iter().filter_map(next).collect();
    next.sort_unstable();
    next.dedup();
    next
}

/// Returns where a vertex is in the window.
pub(super) fn point_of(browser: &mut Browser, vertex: Vertex) -> [Value; 2] {
    browser.eval("viewer.board.scrollIntoView({ block: 'center' })");
    let point = browser.eval(&format!(
        "(() => {{ const [x, y] = viewer.center({vertex}); const at = new DOMPoint(x, y).matrixTransform(viewer.board.getScreenCTM()); return [at.x, at.y]; }})()"
    ));
    [point[0].clone(), point[1].clone()]
}

pub(super) fn click(browser: &mut Browser, vertex: Vertex) {
    let point = point_of(browser, vertex);
    for kind in ["mousePressed", "mouseReleased"] {
        let event = json!({ "type": kind, "x": point[0], "y": point[1], "button": "left", "clickCount": 1 });
        browser.call("Input.dispatchMouseEvent", &event);
    }
}

/// The page offers exactly the choices that the rules allow, throughout the game.
#[test]
fn a_whole_game_is_played_by_clicks() {
    let Some(mut browser) = Browser::start() else { return };
    let game = Played::new(&["-m", "6", "-t", "8", "--first", "2"], "web");
    browser.open(&game.page);
    let mut position = start(Shape::FigureEight, 6);
    let mut known = 0;
    loop {
        browser.wait("viewer.isAsked() || viewer.game?.result");
        let moves = browser.eval("viewer.game.moves.map((move) => move.text)");
        for text in &moves.as_array().expect("moves")[known..] {
            let mv = position.board().parse_move(text.as_str().expect("text")).expect("a move");
            position.try_play(mv).expect("a legal move");
            known += 1;
        }
        if browser.eval("Boolean(viewer.game.result)") == true {
            break;
        }
        let mut chosen = Vec::new();
        for _ in 0..3 {
            let legal = choices(&position, &chosen);
            assert_eq!(numbers(&browser.eval("viewer.offered")), legal, "after {chosen:?} in {position}");
            // Another one each time, without a generator.
            let vertex = legal[(7 * known + 3) % legal.len()];
            click(&mut browser, vertex);
            chosen.push(vertex);
            if chosen.len() < 3 {
                browser.wait(&format!("viewer.chosen.length === {}", chosen.len()));
            }
        }
        browser.wait(&format!("viewer.game.moves.length > {known}"));
    }
    assert!(!position.has_moves() && known > 4, "{position} after {known} moves");
    let winner = position.side_to_move().opposite();
    browser.wait(&format!("document.querySelector('#turn').textContent === viewer.resultText(viewer.game.result) && viewer.game.result.winner === '{winner}'"));
    assert_eq!(browser.eval("viewer.offered.length"), 0);
    assert_good(&mut browser, "a game that was played");
}

#[test]
fn the_keyboard_and_the_fields_play_too() {
    let Some(mut browser) = Browser::start() else { return };
    let game = Played::new(&["--position", "5/4q/5/5/Q4 w"], "web");
    browser.open(&game.page);
    browser.wait("document.querySelector('#turn').textContent === 'Your turn: choose a queen.'");
    let said = "document.querySelector('[aria-live=assertive]').textContent";
    browser.eval("viewer.board.focus()");
    browser.key("n");
    assert_eq!(browser.eval(said), "a1, white queen, can be chosen");
    browser.key("Enter");
    browser.wait("document.querySelector('#turn').textContent === 'Your turn: choose where it goes.'");
    browser.key("ArrowUp");
    assert_eq!(browser.eval(said), "a2, free, can be chosen");
    browser.key("ArrowRight");
    browser.key("ArrowRight");
    browser.key("Enter");
    let trouble = "document.querySelector('#trouble').textContent";
    assert_eq!(browser.eval(trouble), "c2 cannot be chosen: choose a marked square");
    browser.key("ArrowLeft");
    browser.key("Enter");
    browser.wait("document.querySelector('#turn').textContent === 'Your turn: choose where it shoots.'");
    browser.key("Escape");
    browser.key("Escape");
    browser.wait("viewer.chosen.length === 0");
    assert_eq!(browser.eval("viewer.ply"), 0, "the keys were the board's");
    // The server judges typed moves.
    let typed = |text: &str| {
        format!(
            "{{ const form = document.querySelector('#typed'); form.elements.move.value = '{text}'; form.requestSubmit(); }}"
        )
    };
    browser.eval(&typed("a1-b3/a1"));
    browser.wait("document.querySelector('#trouble').textContent.startsWith('not legal: ')");
    browser.wait("viewer.isAsked()");
    browser.eval("document.querySelector('#hint').click()");
    browser.wait(
        "/^Hint: [a-e][1-5]-[a-e][1-5]\\/[a-e][1-5] \\([<>]? ?[0-9]+ %\\)/.test(document.querySelector('#hints').textContent)",
    );
    assert_eq!(browser.eval("document.querySelector('#take-back').disabled"), true);
    browser.eval(&typed("a1-a2/a1"));
    browser.wait("viewer.game.moves.length === 2 && viewer.isAsked()");
    assert_eq!(browser.eval("document.querySelector('#trouble').textContent"), "");
    browser.key("Escape");
    browser.eval("document.querySelector('#take-back').click()");
    browser.wait("viewer.game.moves.length === 0 && viewer.isAsked()");
    browser.eval("document.querySelector('#resign').click()");
    assert_eq!(browser.eval("document.querySelector('#resign').textContent"), "Resign: sure?");
    browser.eval("document.querySelector('#resign').click()");
    browser.wait(
        "document.querySelector('#turn').textContent === 'random (black) wins: human (white) resigned after 0 moves'",
    );
    browser.complaints.retain(|complaint| !complaint.contains("422"));
    assert_good(&mut browser, "a game that was given up");
}

/// No mouse, from the first key to the last.
#[test]
fn a_whole_game_is_played_by_keys() {
    let Some(mut browser) = Browser::start() else { return };
    let game = Played::new(&["-m", "5"], "web");
    browser.open(&game.page);
    browser.wait("viewer.isAsked()");
    for _ in 0..40 {
        if browser.eval("document.activeElement === viewer.board") == true {
            break;
        }
        browser.key("Tab");
    }
    assert_eq!(browser.eval("document.activeElement === viewer.board"), true, "Tab leads to the board");
    let mut known = 0;
    loop {
        browser.wait("viewer.isAsked() || viewer.game?.result");
        if browser.eval("Boolean(viewer.game.result)") == true {
            break;
        }
        for chosen in 1..=3 {
            browser.key(if known % 4 < 2 { "n" } else { "N" });
            browser.key("Enter");
            if chosen < 3 {
                browser.wait(&format!("viewer.chosen.length === {chosen}"));
            }
        }
        browser.wait(&format!("viewer.game.moves.length > {known}"));
        known = browser.eval("viewer.game.moves.length").as_u64().expect("a number");
        assert_eq!(browser.eval("document.activeElement === viewer.board"), true, "the board keeps the focus");
        // Without a limit there is no time left to show.
        let clock = browser.eval("document.querySelector('.player.black .clock').textContent");
        assert!(clock.as_str().is_some_and(|clock| !clock.contains("left") && clock != "0 µs"), "{clock}");
    }
    assert!(known > 4, "{known} moves");
    browser.wait("document.querySelector('#turn').textContent === viewer.resultText(viewer.game.result)");
    assert_good(&mut browser, "a game played by keys");
}

/// The next game is offered as long as the page is open; the record has both, and the status is the last one's.
#[test]
fn another_game_is_played_with_colours_swapped() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::TempDir::new().expect("a folder");
    let record = folder.path().join("games.jsonl").display().to_string();
    let game = Played::new(&["--position", "5/4q/5/5/Q4 w", "--record", &record], "web:600");
    browser.open(&game.page);
    browser.wait("viewer.isAsked()");
    assert_eq!(browser.eval("document.querySelector('#rematch').hidden"), true);
    browser.eval("viewer.onmove('a1-a2/a1')");
    browser.wait("viewer.game.moves.length === 2 && viewer.isAsked()");
    browser.eval("act('resign')");
    browser.wait("viewer.game.result && !document.querySelector('#rematch').hidden");
    assert_eq!(
        browser.eval("[document.querySelector('#moving').hidden, viewer.game.colors[0]]"),
        json!([true, "white"])
    );
    assert_good(&mut browser, "the offer of another game");
    browser.eval("document.querySelector('#rematch').click()");
    browser.wait("!viewer.game.result && viewer.game.colors[0] === 'black' && viewer.game.moves.length === 1 && viewer.isAsked()");
    assert_eq!(browser.eval("document.querySelector('#rematch').hidden"), true);
    assert_eq!(browser.eval("document.querySelector('#connection').textContent"), "");
    // A move taken back leaves the game before alone.
    browser.eval("{ const queen = viewer.offered[0]; viewer.choose(queen); viewer.choose(viewer.offered[0]); viewer.choose(viewer.offered[0]); }");
    browser.wait("viewer.game.moves.length === 3 && viewer.isAsked()");
    browser.eval("act('take_back')");
    browser.wait("viewer.game.moves.length === 1 && viewer.isAsked()");
    browser.eval("act('resign')");
    browser.wait("viewer.game.result && !document.querySelector('#rematch').hidden");
    // Whoever leaves the page wants no other game.
    browser.open("data:text/html,<title>away</title>");
    assert_eq!(game.status(), Some(0));
    let text = std::fs::read_to_string(&record).expect("a record");
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let kinds: Vec<&str> = events.iter().map(|event| event["event"].as_str().expect("a kind")).collect();
    assert_eq!(kinds, ["start", "move", "move", "end", "start", "move", "end"]);
    assert_eq!((&events[0]["first"], &events[4]["first"]), (&json!(1), &json!(2)));
    for number in ["1", "2"] {
        assert_eq!(crate::cli::server(["replay", &record, "--game", number]).status, 0, "game {number}");
    }
}

/// Chances are never 0 or 100 %, and hints are drawn on the board.
#[test]
fn hints_are_drawn_and_never_certain() {
    let Some(mut browser) = Browser::start() else { return };
    let game = Played::new(&["--position", "5/4q/5/5/Q4 w"], "web:600");
    browser.open(&game.page);
    browser.wait("viewer.isAsked()");
    assert_eq!(
        browser.eval("/^[1-9][0-9]* s left$/.test(document.querySelector('.player.white .clock').textContent)"),
        true
    );
    browser.eval(
        "{ const real = window.fetch; window.fetch = async (address, ...more) => !String(address).endsWith('/hint') ? real(address, ...more) : \
         new Response(JSON.stringify({ hints: [{ text: 'a1-a3/b3', win: 0.996 }, { text: 'a1-b2/c3', win: 0.4 }, { text: 'a1-b1/c1', win: 0.001 }] })); }",
    );
    browser.eval("document.querySelector('#hint').click()");
    browser.wait(
        "document.querySelector('#hints').textContent === 'Hint: a1-a3/b3 (> 99 %), a1-b2/c3 (40 %), a1-b1/c1 (< 1 %)'",
    );
    let widths = browser.eval(
        "[...document.querySelectorAll('.line-layer .way')].map((way) => Number(way.getAttribute('stroke-width')))",
    );
    let widths: Vec<f64> = serde_json::from_value(widths).expect("numbers");
    assert!(widths.len() == 3 && widths[2] > widths[0] && widths[2] > widths[1], "the best is the widest: {widths:?}");
    assert_good(&mut browser, "hints");
    browser.eval("viewer.onmove('a1-a2/a1')");
    browser.wait(
        "viewer.game.moves.length === 2 && viewer.isAsked() && document.querySelectorAll('.line-layer *').length === 0",
    );
}

/// Neither the page nor a move needs a place that spectators can take.
#[test]
fn a_person_plays_in_a_full_house() {
    let Some(mut browser) = Browser::start() else { return };
    let table = WebSession::with(BOUNDS(), &["--position", START, "web", "web"]);
    let _taken = fill(table.address);
    let page = |player: usize| format!("http://{}/play/{}", table.address, table.tokens[player]);
    browser.open(&page(0));
    browser.wait("viewer.isAsked()");
    browser.eval("viewer.onmove('a1-a2/a1')");
    browser.wait("document.querySelector('#turn').textContent === 'The other player is thinking.'");
    browser.open(&page(1));
    browser.wait("viewer.isAsked() && viewer.game.moves.length === 1");
    browser.eval("act('resign')");
    browser.wait(
        "document.querySelector('#turn').textContent === 'human (white) wins: human (black) resigned after 1 move'",
    );
    assert_good(&mut browser, "a full house");
    assert_eq!(table.end().moves, 1);
}

#[test]
fn the_page_of_who_plays_fits_small_screens_and_dark_rooms() {
    let Some(mut browser) = Browser::start() else { return };
    let game = Played::new(&["-m", "10", "-t", "8"], "web");
    fits(&mut browser, "play", |browser| {
        browser.open(&game.page);
        browser.wait("viewer.isAsked()");
        browser.eval("viewer.choose(viewer.offered[0])");
    });
}
