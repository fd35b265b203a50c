//! What an engine thinks of a game: bar, graph, marks, lines and words, hidden until somebody asks.

use amazons_browser::{Browser, assert_good};
use amazons_rules::{Move, MoveList, Position, Shape};
use serde_json::{Value, json};

use super::pages::open_game;
use crate::formats::start;
use crate::watch::{Rig, record};

/// The marked moves of [`annotated`], and what they gave away.
const MARKS: [(usize, &str, f64); 3] = [(3, "?!", 0.12), (6, "??", 0.35), (9, "?", 0.21)];

/// An annotated game on 6 x 6, and its positions.
struct Annotated {
    text: String,
    positions: Vec<Position>,
    notes: Vec<Value>,
}

fn legal(position: &Position) -> Vec<Move> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.iter().copied().collect()
}

fn annotated() -> Annotated {
    let text = record("ann", "bob", Shape::Square, 6, 4);
    let mut position = start(Shape::Square, 6);
    let (mut lines, mut notes, mut positions) = (Vec::new(), Vec::new(), vec![position.clone()]);
    for line in text.lines() {
        let event: Value = serde_json::from_str(line).expect("JSON");
        let note = match event["event"].as_str() {
            Some("start") => json!({ "engine": "amazons 1.2.3", "time_ms": 1000, "nodes": null, "lines": 3 }),
            Some("move") => {
                let ply = positions.len();
                let mark = MARKS.iter().find(|(marked, _, _)| *marked == ply);
                let played = event["text"].as_str().expect("text");
                let name = |mv: &Move| position.board().move_text(*mv);
                let others: Vec<String> = legal(&position).iter().map(name).filter(|mv| mv != played).collect();
                let best = if mark.is_some() { others[0].clone() } else { played.to_owned() };
                let win = 0.6;
                let note = json!({
                    "win": win, "proven": null, "win_after": win - mark.map_or(0.0, |(_, _, loss)| *loss), "proven_after": null,
                    "loss": mark.map_or(0.0, |(_, _, loss)| *loss), "mark": mark.map(|(_, mark, _)| mark), "accuracy": 90.0,
                    "lines": [
                        { "moves": [best], "win": win, "proven": null, "visits": 900 },
                        { "moves": [others.get(1)], "win": win - 0.04, "proven": null, "visits": 90 },
                        { "moves": [others.get(2)], "win": win - 0.3, "proven": null, "visits": 9 },
                    ],
                    "facts": mark.map(|_| vec!["Black's queen on <b>c4</b> is shut in with 2 squares."]).unwrap_or_default(),
                    "nodes": 1234, "depth": 7,
                });
                position.try_play(position.board().parse_move(played).expect("a move")).expect("a legal move");
                positions.push(position.clone());
                notes.push(note.clone());
                note
            }
            _ => {
                let side = |color: &str, accuracy: f64| json!({ "color": color, "moves": 5, "accuracy": accuracy, "mean_loss": 0.1, "dubious": 1, "mistakes": 1, "blunders": 1 });
                json!({ "win": 0.0, "proven": event["winner"].as_u64().map(|_| position.side_to_move().opposite().to_string()),
                        "sides": [side("black", 81.26), side("white", 72.5)] })
            }
        };
        lines.push(format!("{},\"analysis\":{note}}}\n", line.strip_suffix('}').expect("an object")));
    }
    Annotated { text: lines.concat(), positions, notes }
}

/// Opens an annotated game with the engine shown.
fn open_shown(browser: &mut Browser, rig: &Rig) -> Annotated {
    let game = annotated();
    open_game(browser, rig, &game.text);
    assert_eq!(browser.eval("document.querySelector('.switch').hidden"), false);
    browser.key("e");
    browser.wait("viewer.analysis.isOn && !viewer.analysis.bar.hidden");
    game
}

/// Returns Black's chance before a move, in percent.
fn black(game: &Annotated, ply: usize) -> u64 {
    if game.positions[ply].side_to_move().to_string() == "black" { 60 } else { 40 }
}

#[test]
fn the_engine_is_hidden_until_asked_for_and_remembered() {
    let Some(mut browser) = Browser::start() else { return };
    let rig = Rig::new();
    let game = annotated();
    open_game(&mut browser, &rig, &game.text);
    let signs = "[viewer.analysis.bar.checkVisibility(), document.querySelectorAll('.graph .area, .graph .dot, .moves b, .lines li, .line-layer *').length, \
                 document.querySelector('.summary').textContent + document.querySelector('.words').textContent, document.querySelector('.lesson').checkVisibility()]";
    browser.eval("viewer.go(3)");
    assert_eq!(browser.eval(signs), json!([false, 0, "", false]));
    browser.key("n");
    browser.wait("viewer.live.textContent === 'The engine is hidden: e shows it.' && viewer.ply === 3");
    browser.eval("document.querySelector('.switch input').click()");
    browser.wait("viewer.analysis.bar.checkVisibility() && document.querySelectorAll('.moves b').length === 3");
    assert_good(&mut browser, "a game with its analysis");
    open_game(&mut browser, &rig, &game.text);
    browser.wait("viewer.analysis.isOn && document.querySelectorAll('.moves b').length === 3");
    browser.key("e");
    assert_eq!(browser.eval(signs), json!([false, 0, "", false]));
    // Without an analysis nothing speaks of one.
    rig.write("plain.jsonl", &record("ann", "bob", Shape::Square, 6, 4));
    browser.open(&format!("http://{}/game/{}", rig.address, rig.id("plain.jsonl")));
    browser.wait("window.viewer?.game?.result");
    browser.key("e");
    assert_eq!(browser.eval(signs), json!([false, 0, "", false]));
    assert_eq!(browser.eval("document.querySelector('.switch').checkVisibility()"), false);
}

#[test]
fn marks_values_and_words_stand_beside_the_moves() {
    let Some(mut browser) = Browser::start() else { return };
    let rig = Rig::new();
    let game = open_shown(&mut browser, &rig);
    for (ply, mark, loss) in MARKS {
        let item = format!("document.querySelector('.moves button[value=\"{ply}\"]')");
        assert_eq!(browser.eval(&format!("{item}.querySelector('b').textContent")), mark);
        let percent = (100.0 * (0.6 - loss)).round();
        assert_eq!(browser.eval(&format!("{item}.querySelector('small').firstChild.textContent")), percent.to_string());
    }
    assert_eq!(browser.eval("document.querySelector('.moves button[value=\"2\"] small').firstChild.textContent"), "60");
    assert_eq!(browser.eval("document.querySelectorAll('.moves b').length"), 3);
    // The next mistake and the one before; there, words say what it gave away.
    browser.key("Home");
    for (key, ply) in [("n", 3), ("n", 6), ("n", 9), ("n", 9), ("p", 6), ("p", 3), ("p", 3)] {
        browser.key(key);
        browser.wait(&format!("viewer.ply === {ply}"));
    }
    browser.key("n");
    browser.wait("viewer.ply === 6");
    let words = browser.eval("document.querySelector('.words').textContent");
    let better = game.notes[5]["lines"][0]["moves"][0].as_str().expect("a move");
    assert_eq!(
        words,
        format!(
            "?? Blunder. 60 % → 25 %: gave away 35 points; better {better}.Black's queen on <b>c4</b> is shut in with 2 squares."
        )
    );
    let heard = browser.eval("document.querySelector('[aria-live=polite]').textContent");
    assert!(
        heard
            .as_str()
            .expect("words")
            .contains(&format!(" Blunder: 60 % to 25 %: gave away 35 points; better {better}. Black's queen")),
        "{heard}"
    );
    assert_eq!(browser.eval("document.querySelector('.lesson .number').textContent"), "Mistake 2 of 3");
    let summary =
        browser.eval("[...document.querySelectorAll('.summary p')].map((row) => row.innerText.replace(/\\s+/g, ' '))");
    let first = game.positions[0].side_to_move().to_string();
    let (odd, even) = ("1 ?! dubious 1 ? mistakes 0 ?? blunders", "0 ?! dubious 0 ? mistakes 1 ?? blunders");
    let (ann, bob) = if first == "black" { (odd, even) } else { (even, odd) };
    assert_eq!(summary, json!([format!("ann 81.3 % accuracy {ann}"), format!("bob 72.5 % accuracy {bob}")]));
}

#[test]
fn bar_and_graph_turn_with_the_board() {
    let Some(mut browser) = Browser::start() else { return };
    let rig = Rig::new();
    let game = open_shown(&mut browser, &rig);
    browser.key("Home");
    let bar = "[viewer.analysis.bar.className, Number(viewer.analysis.bar.getAttribute('aria-valuenow')), \
               Math.round(100 * document.querySelector('.bar i').getBoundingClientRect().height / document.querySelector('.bar').clientHeight)]";
    browser.prefer("prefers-reduced-motion", "reduce");
    let share = black(&game, 0);
    let is =
        |side: &str, share: u64| format!("JSON.stringify({bar}) === JSON.stringify(['bar {side}', {share}, {share}])");
    browser.wait(&is("black", share));
    browser.key("f");
    browser.wait(&is("white", 100 - share));
    assert_eq!(
        browser.eval("document.querySelector('.graph').getAttribute('aria-label').split(',')[0]"),
        "The chances of white"
    );
    browser.key("f");
    browser.key("ArrowRight");
    browser.wait(&is("black", black(&game, 1)));
    // The winner is proven at the end.
    browser.key("End");
    browser.wait("['0', '100'].includes(viewer.analysis.bar.getAttribute('aria-valuenow')) && / wins: proven$/.test(viewer.analysis.bar.getAttribute('aria-valuetext'))");
    // A dot for each mark, at its move; a click goes there.
    let dots = browser.eval("[...document.querySelectorAll('.graph .dot:not(.rim)')].map((dot) => [dot.className.baseVal, Math.round(parseFloat(dot.getAttribute('d').slice(1)) * viewer.game.moves.length / 1000)])");
    assert_eq!(dots, json!([["dot dubious", 3], ["dot blunder", 6], ["dot mistake", 9]]));
    let edge = browser.eval("document.querySelectorAll('.graph .edge').length === 1 && document.querySelector('.graph .edge').getAttribute('d').split('L').length === viewer.game.moves.length + 1");
    assert_eq!(edge, true, "one curve through all positions");
    browser.eval("{ const box = document.querySelector('.graph').getBoundingClientRect(); \
        document.querySelector('.graph').dispatchEvent(new PointerEvent('pointerdown', { pointerId: 1, clientX: box.left + box.width * 6 / viewer.game.moves.length, clientY: box.top + 5 })); }");
    browser.wait("viewer.ply === 6");
}

#[test]
fn lines_are_arrows_as_wide_as_they_are_good() {
    let Some(mut browser) = Browser::start() else { return };
    let rig = Rig::new();
    let game = open_shown(&mut browser, &rig);
    browser.eval("viewer.go(5); document.getElementById('show-Engine').click()");
    let told = browser.eval("[...document.querySelectorAll('.lines li')].map((line) => [line.querySelector('b').textContent, line.querySelector('button').textContent])");
    let moves: Vec<Value> =
        game.notes[5]["lines"].as_array().expect("lines").iter().map(|line| line["moves"][0].clone()).collect();
    assert_eq!(told, json!([["60 %", moves[0]], ["56 %", moves[1]], ["30 %", moves[2]]]));
    assert!(
        browser
            .eval("document.querySelector('.verdict').textContent")
            .as_str()
            .expect("text")
            .ends_with("amazons 1.2.3, depth 7, 1,234 nodes")
    );
    // The best one is drawn last, above the others.
    let widths = browser.eval(
        "[...document.querySelectorAll('.line-layer .way')].map((way) => Number(way.getAttribute('stroke-width')))",
    );
    let widths: Vec<f64> = serde_json::from_value(widths).expect("numbers");
    assert!(widths.len() == 3 && widths[0] < widths[1] && widths[1] < widths[2], "{widths:?}");
    browser.eval("document.querySelectorAll('.lines .step')[1].focus()");
    browser.wait("document.querySelectorAll('.line-layer .pointed').length === 4");
    let ring = browser.eval("(() => { const ring = document.querySelector('.line-layer .ring'); return [Number(ring.getAttribute('cx')), Number(ring.getAttribute('cy'))].join() === viewer.center(viewer.parseMove(document.querySelectorAll('.lines .step')[1].textContent).arrow).join(); })()");
    assert_eq!(ring, true);
    browser.eval("document.activeElement.blur()");
    browser.wait("document.querySelectorAll('.line-layer .way').length === 3");
    assert_good(&mut browser, "the engine's lines");
}

/// An analysis that comes while one looks, in any order, twice, and hostile.
#[test]
fn annotations_come_late_and_in_any_order() {
    let Some(mut browser) = Browser::start() else { return };
    let rig = Rig::new();
    let game = annotated();
    open_game(&mut browser, &rig, &record("ann", "bob", Shape::Square, 6, 4));
    browser.key("e");
    for ply in [9, 3, 6, 3] {
        browser.eval(&format!("viewer.annotate({ply}, {})", game.notes[ply - 1]));
    }
    browser.wait("document.querySelectorAll('.graph .dot:not(.rim)').length === 3 && document.querySelectorAll('.moves b').length === 3");
    assert_eq!(browser.eval("document.querySelectorAll('.graph .area').length"), 6, "three stretches are known");
    browser.eval("viewer.go(3)");
    assert_eq!(browser.eval("document.querySelector('.words b').textContent"), "?! Dubious.");
    let mut clean = game.notes[2].clone();
    (clean["mark"], clean["loss"], clean["win_after"]) = (Value::Null, json!(0.0), json!(0.6));
    browser.eval(&format!("viewer.annotate(3, {clean})"));
    browser.wait("document.querySelectorAll('.moves b').length === 2 && !document.querySelector('.words b')");
    for (number, note) in game.notes.iter().enumerate() {
        browser.eval(&format!("viewer.annotate({}, {note})", number + 1));
    }
    browser.wait(
        "document.querySelectorAll('.graph .edge').length === 1 && document.querySelectorAll('.moves b').length === 3",
    );
    // Nothing of it is markup, and nothing breaks.
    let hostile = json!({ "win": 7, "proven": null, "win_after": -3, "proven_after": "nobody", "loss": 1e300, "mark": "<b>", "facts": ["<img src=x>\u{202e}"],
        "lines": [{ "moves": ["zz99-a1/a1", "<i>", ""], "win": null }, { "moves": [], "win": 0.5 }, {}], "nodes": "x", "depth": null });
    browser.eval(&format!("viewer.annotate(4, {hostile}); viewer.annotate(99, {hostile}); viewer.go(3)"));
    browser.wait("document.querySelectorAll('.lines li').length === 1");
    browser.key("ArrowRight");
    assert_eq!(browser.eval("document.querySelectorAll('.amazons img, .lines i').length"), 0);
    assert_good(&mut browser, "a hostile analysis");
}
