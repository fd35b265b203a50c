//! The engine's analysis on the page of a game: bar, graph, marks, lines and words, hidden until switched on.

use amazons_browser::{Browser, assert_good};
use amazons_rules::{Move, MoveList, Position, Shape};
use serde_json::{Value, json};

use super::pages::{open_game, viewed};
use super::play::click;
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
                let mut after = position.clone();
                after.try_play(position.board().parse_move(&best).expect("a move")).expect("a legal move");
                let line: Vec<String> = std::iter::once(best).chain(legal(&after).first().map(name)).collect();
                let win = 0.6;
                let note = json!({
                    "win": win, "proven": null, "win_after": win - mark.map_or(0.0, |(_, _, loss)| *loss), "proven_after": null,
                    "loss": mark.map_or(0.0, |(_, _, loss)| *loss), "mark": mark.map(|(_, mark, _)| mark), "accuracy": 90.0 - mark.map_or(0.0, |(_, _, loss)| 100.0 * loss),
                    "lines": [
                        { "moves": line, "win": win, "proven": null, "visits": 900 },
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
                json!({ "win": 0.0, "proven": event["winner"].as_u64().map(|_| position.side_to_move().opposite().to_string()) })
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
    let Some((mut browser, rig)) = viewed() else { return };
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
    let Some((mut browser, rig)) = viewed() else { return };
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
    let marks = ["1 ?! dubious 1 ? mistakes 0 ?? blunders", "0 ?! dubious 0 ? mistakes 1 ?? blunders"];
    let row = |name: &str, parity: usize| {
        let own: Vec<f64> = game
            .notes
            .iter()
            .skip(parity)
            .step_by(2)
            .map(|note| note["accuracy"].as_f64().expect("a number"))
            .collect();
        format!("{name} {:.1} % accuracy {}", own.iter().sum::<f64>() / own.len() as f64, marks[parity])
    };
    let is_black_first = game.positions[0].side_to_move().to_string() == "black";
    let [ann, bob] = if is_black_first { [0, 1] } else { [1, 0] };
    assert_eq!(summary, json!([row("ann", ann), row("bob", bob)]));
}

#[test]
fn bar_and_graph_turn_with_the_board() {
    let Some((mut browser, rig)) = viewed() else { return };
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
    assert_eq!(browser.eval("document.querySelector('.verdict').textContent.includes(' wins, proven')"), true);
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
    let Some((mut browser, rig)) = viewed() else { return };
    let game = open_shown(&mut browser, &rig);
    browser.eval("viewer.go(5); document.getElementById('show-Engine').click()");
    let told = browser.eval("[...document.querySelectorAll('.lines li')].map((line) => [line.querySelector('b').textContent, line.querySelector('button').textContent])");
    let moves: Vec<Value> =
        game.notes[5]["lines"].as_array().expect("lines").iter().map(|line| line["moves"][0].clone()).collect();
    assert_eq!(told, json!([["60 %", moves[0]], ["56 %", moves[1]], ["30 %", moves[2]]]));
    assert_eq!(
        browser.eval("document.querySelector('.verdict').textContent.endsWith('amazons 1.2.3, depth 7, 1,234 nodes')"),
        true
    );
    // The best one is drawn last, above the others.
    let widths = browser.eval(
        "[...document.querySelectorAll('.line-layer .way')].map((way) => Number(way.getAttribute('stroke-width')))",
    );
    let widths: Vec<f64> = serde_json::from_value(widths).expect("numbers");
    assert!(widths.len() == 3 && widths[0] < widths[1] && widths[1] < widths[2], "{widths:?}");
    browser.eval("document.querySelectorAll('.lines li')[1].querySelector('button').focus()");
    browser.wait("document.querySelectorAll('.line-layer .pointed').length === 4");
    let ring = browser.eval("(() => { const ring = document.querySelector('.line-layer .ring'); return [Number(ring.getAttribute('cx')), Number(ring.getAttribute('cy'))].join() === viewer.center(viewer.parseMove(document.activeElement.textContent).arrow).join(); })()");
    assert_eq!(ring, true);
    browser.eval("document.activeElement.blur()");
    browser.wait("document.querySelectorAll('.line-layer .way').length === 3");
    assert_good(&mut browser, "the engine's lines");
}

/// An analysis that comes while one looks, in any order, twice, and hostile.
#[test]
fn annotations_come_late_and_in_any_order() {
    let Some((mut browser, rig)) = viewed() else { return };
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
    let hostile = json!({ "win": 7, "proven": null, "win_after": -3, "proven_after": "nobody", "loss": 1e300, "mark": "<b>", "facts": ["<img src=x>\u{202e}", { "toString": 5 }],
        "lines": [{ "moves": ["zz99-a1/a1", "<i>", ""], "win": 0.5 }, { "moves": ["a1-a2/a1"], "win": null }, { "moves": [], "win": 0.5 }, {}], "nodes": "x", "depth": null });
    browser.eval(&format!("viewer.annotate(4, {hostile}); viewer.annotate(99, {hostile}); viewer.go(3)"));
    browser.wait("document.querySelectorAll('.lines li').length === 1");
    browser.key("ArrowRight");
    assert_eq!(browser.eval("document.querySelectorAll('.amazons img, .lines i').length"), 0);
    let odd = json!({ "win": 0.5, "win_after": 0.1, "mark": "??", "lines": "x", "facts": { "a": 1 }, "accuracy": "y", "loss": "z", "ownership": [] });
    browser.eval(&format!("viewer.annotate(4, {odd}); viewer.annotate(5, 'x'); viewer.annotate(6, [1]); viewer.annotate(-1, {odd}); viewer.analysis.takeLive({odd})"));
    browser.wait("document.querySelector('.words b')?.textContent === '?? Blunder.' && !document.querySelector('.lesson button:last-child').checkVisibility()");
    browser.key("t");
    assert_good(&mut browser, "a hostile analysis");
}

#[test]
fn a_line_is_stepped_into_and_left() {
    let Some((mut browser, rig)) = viewed() else { return };
    let game = open_shown(&mut browser, &rig);
    browser.eval("viewer.go(5); document.getElementById('show-Engine').click()");
    let moves: Vec<Move> = game.notes[5]["lines"][0]["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .map(|text| game.positions[5].board().parse_move(text.as_str().expect("text")).expect("a move"))
        .collect();
    let mut position = game.positions[5].clone();
    position.try_play(moves[0]).expect("a legal move");
    // By keyboard: the focus stays on the move.
    browser.eval("document.querySelectorAll('.lines .step')[0].focus(); document.activeElement.click()");
    browser.wait(&format!("viewer.positionText() === '{position}'"));
    assert_eq!(
        browser.eval("document.querySelector('.lines [aria-current]').textContent"),
        position.board().move_text(moves[0])
    );
    assert_eq!(browser.eval("document.activeElement.getAttribute('aria-current')"), "step");
    // The bar says what the line is worth, and its next move is the arrow.
    assert_eq!(browser.eval("Number(viewer.analysis.bar.getAttribute('aria-valuenow'))"), black(&game, 5));
    assert_eq!(browser.eval("document.querySelectorAll('.line-layer .ring.pointed').length"), 1);
    position.try_play(moves[1]).expect("a legal move");
    browser.key("ArrowRight");
    browser.wait(&format!("viewer.positionText() === '{position}'"));
    assert_eq!(
        browser.eval("document.querySelector('.lines [aria-current]').textContent"),
        position.board().move_text(moves[1])
    );
    assert_good(&mut browser, "a line of the engine");
    browser.key("Escape");
    browser.wait(&format!("!viewer.branch && viewer.ply === 5 && viewer.positionText() === '{}'", game.positions[5]));
    // The move that has the focus is pointed at; without it, all lines are seen.
    assert_eq!(browser.eval("document.querySelectorAll('.line-layer .way').length"), 1);
    browser.eval("document.activeElement.blur()");
    browser.wait("document.querySelectorAll('.line-layer .way').length === 3");
    browser
        .eval("document.querySelectorAll('.lines .step')[0].click(); document.querySelector('.amazons .back').click()");
    browser.wait("!viewer.branch && viewer.ply === 5 && !document.querySelector('.amazons .back').checkVisibility()");
    // From the words of a mistake, what was better; then back to the mistake.
    browser.eval("viewer.go(6); document.querySelector('.words .step').click()");
    browser.wait("viewer.branch?.at === 1 && viewer.ply === 5");
    browser.key("Escape");
    browser.wait("!viewer.branch && viewer.ply === 6");
}

#[test]
fn a_better_move_is_found_or_shown() {
    let Some((mut browser, rig)) = viewed() else { return };
    let game = open_shown(&mut browser, &rig);
    let position = &game.positions[5];
    let line = |at: usize| game.notes[5]["lines"][at]["moves"][0].as_str().expect("a move").to_owned();
    let played = browser.eval("viewer.game.moves[5].text").as_str().expect("a move").to_owned();
    let known = [line(0), line(1), line(2), played.clone()];
    let other = legal(position)
        .iter()
        .map(|mv| position.board().move_text(*mv))
        .find(|mv| !known.contains(mv))
        .expect("another move");
    let words = "document.querySelector('.words').innerText.replace(/\\s+/g, ' ')";
    let try_it = |browser: &mut Browser, text: &str| {
        let mv = position.board().parse_move(text).expect("a move");
        for vertex in [mv.from, mv.to, mv.arrow] {
            click(browser, vertex);
        }
        browser.wait("viewer.branch?.at === 1");
    };
    let again = |browser: &mut Browser| {
        browser.eval("[...document.querySelectorAll('.words button')].find((button) => button.textContent === 'Try again').click()");
        browser.wait("viewer.branch?.at === 0");
    };
    browser.eval("viewer.go(6); document.querySelector('.lesson button:last-child').click()");
    browser.wait(&format!("viewer.positionText() === '{position}' && viewer.isAsked()"));
    assert_eq!(
        browser.eval(
            "[viewer.analysis.bar.checkVisibility(), document.querySelectorAll('.line-layer *, .lines li').length]"
        ),
        json!([false, 0])
    );
    let told = browser.eval(words);
    assert!(
        told.as_str()
            .expect("words")
            .contains(&format!("played {played} and gave away 35 points. Find a better move for ")),
        "{told}"
    );
    assert_eq!(browser.eval("document.activeElement === viewer.board"), true, "the keyboard can choose at once");
    assert_good(&mut browser, "a move to be found");
    for (text, verdict) in [
        (other.as_str(), format!("Try again. {other} is not among the engine’s 3 best moves.")),
        (line(2).as_str(), format!("Try again. {} gives away 30 points.", line(2))),
        (played.as_str(), format!("Try again. {played} is the move of the game: it gave away 35 points.")),
    ] {
        try_it(&mut browser, text);
        let told = browser.eval(words);
        assert!(told.as_str().expect("words").contains(&verdict), "{verdict}: {told}");
        let heard = browser.eval("viewer.live.textContent");
        assert!(heard.as_str().expect("words").ends_with(&verdict.replacen(". ", ": ", 1)), "{heard}");
        again(&mut browser);
    }
    try_it(&mut browser, &line(1));
    let told = browser.eval(words);
    assert!(
        told.as_str().expect("words").contains(&format!(
            "Right. {} is as good: 4 points from the engine’s {}.",
            line(1),
            line(0)
        )),
        "{told}"
    );
    browser.eval("viewer.go(6); viewer.analysis.find()");
    try_it(&mut browser, &line(0));
    let told = browser.eval(words);
    assert!(told.as_str().expect("words").contains(&format!("Right. {} is the engine’s move.", line(0))), "{told}");
    assert_good(&mut browser, "a move that was found");
    // Shown instead, and given up.
    browser.eval("viewer.go(6); viewer.analysis.find(); [...document.querySelectorAll('.words button')].find((button) => button.textContent === 'Show it').click()");
    browser.wait(&format!(
        "viewer.branch?.moves[0].text === '{}' && document.querySelectorAll('.lines li').length === 3",
        line(0)
    ));
    browser.eval("viewer.go(6); viewer.analysis.find(); [...document.querySelectorAll('.words button')].find((button) => button.textContent === 'Give up').click()");
    browser
        .wait("!viewer.branch && viewer.ply === 6 && document.querySelector('.words b').textContent === '?? Blunder.'");
}

/// Stands for the server's side of an analysis: `mock.posts`, and `mock.sources`, which `mock.send` speaks for.
const MOCK: &str = "
    const [RealSource, realFetch] = [window.EventSource, window.fetch];
    window.mock = { posts: [], sources: [], send: (address, name, data) => mock.open(address).at(-1).dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) })),
        open: (address) => mock.sources.filter((source) => source.address.includes(address) && source.readyState === 1) };
    window.EventSource = class extends EventTarget {
        static OPEN = 1;
        constructor(address) {
            super();
            if (!address.includes('/analysis')) return new RealSource(address);
            Object.assign(this, { address, readyState: 1 });
            mock.sources.push(this);
        }
        close() { this.readyState = 2; }
    };
    window.fetch = async (address, options) => {
        if (!String(address).includes('/analysis')) return realFetch(address, options);
        if (options?.method === 'POST') mock.posts.push(JSON.parse(options.body));
        return new Response(JSON.stringify({ offered: true, opponents: [] }));
    };";

fn mocked(browser: &mut Browser, is_offered: bool) {
    let source = MOCK.replace("offered: true", &format!("offered: {is_offered}"));
    browser.call("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": source }));
}

#[test]
fn an_analysis_that_is_kept_needs_no_engine() {
    let Some((mut browser, rig)) = viewed() else { return };
    let game = annotated();
    mocked(&mut browser, false);
    open_game(&mut browser, &rig, &record("ann", "bob", Shape::Square, 6, 4));
    browser.wait("mock.open('/api/games/').length === 1");
    assert_eq!(
        browser.eval(
            "[document.querySelector('.tools').textContent, document.querySelector('.switch').checkVisibility()]"
        ),
        json!(["", false])
    );
    for (number, note) in game.notes.iter().enumerate() {
        let line = json!({ "event": "move", "ply": number + 1, "analysis": note });
        browser.eval(&format!("mock.send('/api/games/', 'message', {line})"));
    }
    browser.eval("mock.send('/api/games/', 'state', { state: 'done' })");
    browser.wait("document.querySelector('.switch').checkVisibility() && mock.open('/api/games/').length === 0");
    browser.key("e");
    browser.wait("document.querySelectorAll('.moves b').length === 3");
    // Without an engine, the page does not wait for its answers.
    browser.leave("location.reload()");
    browser.wait("window.mock?.open('/api/games/').length === 1 && window.viewer?.game?.result");
    browser.eval("mock.send('/api/games/', 'state', { state: 'none', ply: 0, of: 9 })");
    browser.wait("mock.open('/api/games/').length === 0");
}

#[test]
fn a_game_is_analysed_with_progress_stopped_and_gone_on_with() {
    let Some((mut browser, rig)) = viewed() else { return };
    let game = annotated();
    mocked(&mut browser, true);
    open_game(&mut browser, &rig, &record("ann", "bob", Shape::Square, 6, 4));
    browser.eval("document.getElementById('show-Engine').click()");
    let told = "[...document.querySelectorAll('.tools .controls > *')].filter((node) => node.checkVisibility()).map((node) => node.tagName === 'SELECT' ? node.value : node.tagName === 'PROGRESS' ? `${node.value} of ${node.max}` : node.textContent)";
    let is = |shown: Value| format!("JSON.stringify({told}.filter(Boolean)) === JSON.stringify({shown})");
    browser.wait(&is(json!(["Analyse this game", "1000"])));
    assert_good(&mut browser, "an analysis that is offered");
    browser
        .eval("document.querySelector('.tools select').value = '100'; document.querySelector('.tools button').click()");
    browser.wait("mock.posts.length === 1 && viewer.analysis.isOn");
    assert_eq!(browser.eval("mock.posts[0]"), json!({ "time_ms": 100 }));
    browser.wait("mock.open('/api/games/').length === 1");
    let send = |browser: &mut Browser, name: &str, data: &Value| {
        browser.eval(&format!("mock.send('/api/games/', '{name}', {data})"))
    };
    send(&mut browser, "state", &json!({ "state": "running", "ply": 2, "of": 79 }));
    browser.wait(&is(json!(["Stop", "2 of 79", "2 of 79"])));
    for ply in [1, 2] {
        send(&mut browser, "message", &json!({ "event": "move", "ply": ply, "analysis": game.notes[ply - 1] }));
    }
    browser.wait("document.querySelectorAll('.graph .edge').length === 1 && document.querySelector('.moves button[value=\"2\"] small').textContent === '60 %'");
    assert_good(&mut browser, "an analysis that runs");
    browser.eval("document.querySelector('.tools button').click()");
    browser.wait("mock.posts.length === 2");
    send(&mut browser, "state", &json!({ "state": "stopped", "ply": 2, "of": 79 }));
    browser.wait(&is(json!(["Go on", "100", "2 of 79", "stopped at 2 of 79"])));
    browser.eval("document.querySelector('.tools button').click()");
    browser.wait("mock.posts.length === 3");
    assert_eq!(browser.eval("mock.posts"), json!([{ "time_ms": 100 }, { "stop": true }, { "time_ms": 100 }]));
    send(
        &mut browser,
        "message",
        &json!({ "event": "end", "analysis": { "win": 0.0, "proven": "black", "sides": [{ "color": "white", "accuracy": 12.34 }] } }),
    );
    send(&mut browser, "state", &json!({ "state": "done", "ply": 79, "of": 79 }));
    browser.wait("viewer.analysis.chance(viewer.game.moves.length)?.proven === 'black'");
    assert_eq!(
        browser.eval("[document.querySelector('.tools .controls').checkVisibility(), mock.open('/api/games/').length]"),
        json!([false, 0])
    );
}

#[test]
fn the_engine_thinks_about_what_is_shown() {
    let Some((mut browser, rig)) = viewed() else { return };
    let game = annotated();
    mocked(&mut browser, true);
    open_game(&mut browser, &rig, &record("ann", "bob", Shape::Square, 6, 4));
    browser.eval("viewer.go(3); document.getElementById('show-Engine').click()");
    browser.wait("document.querySelector('.tools .switch input')");
    browser.key("e");
    browser.eval("document.querySelector('.tools .switch input').click()");
    let open = "mock.open('/api/analysis/live').map((source) => Object.fromEntries(new URL(source.address, location).searchParams))";
    let is_open = |ply: usize| {
        format!("mock.open('/api/analysis/live').length === 1 && {open}[0].position === '{}'", game.positions[ply])
    };
    browser.wait(&is_open(3));
    assert_eq!(
        browser.eval(open),
        json!([{ "position": game.positions[3].to_string(), "lines": "3", "ownership": "true", "shape": "c", "size": "6" }])
    );
    let free = (0..36).find(|vertex| browser.eval(&format!("viewer.stones[{vertex}]")) == 0).expect("a free vertex");
    let own = |likely: f64| (0..36).map(|vertex| if vertex == free { likely } else { 0.0 }).collect::<Vec<f64>>();
    let best = game.notes[3]["lines"][0]["moves"][0].clone();
    let answer = json!({ "id": "a", "turn": 0, "during": true, "color": "x", "win": 0.83, "proven": null, "lines": [{ "moves": [best], "win": 0.83, "proven": null, "visits": 5 }],
        "nodes": 1_234_567, "depth": 18, "seconds": 1.0, "ownership": { "black": own(0.7), "white": own(0.2) } });
    browser.eval(&format!("mock.send('/api/analysis/live', 'message', {answer})"));
    browser.wait("document.querySelector('.verdict').textContent.includes('depth 18, 1,234,567 nodes')");
    assert_eq!(browser.eval("[document.querySelector('.verdict b').textContent, document.querySelectorAll('.lines li').length, document.querySelectorAll('.line-layer .way').length, viewer.analysis.bar.checkVisibility()]"), json!(["83 %", 1, 1, true]));
    // Territory is as deep as it is likely.
    browser.key("t");
    let shades = "[...document.querySelectorAll('.board [fill-opacity]')].map((path) => [path.getAttribute('class'), path.getAttribute('fill-opacity')])";
    assert_eq!(browser.eval(shades), json!([["black-land", "0.7"], ["white-land", "0.2"]]));
    assert_eq!(
        browser.eval("[...document.querySelectorAll('.own')].map((own) => own.textContent.trim())"),
        json!(["0.2 expected", "0.7 expected"])
    );
    assert_good(&mut browser, "a live engine");
    // Each position has its own search; none of it stays.
    browser.key("ArrowRight");
    browser.wait(&is_open(4));
    assert_eq!(
        browser.eval(
            "[document.querySelectorAll('.lines li').length, document.querySelectorAll('.board [fill-opacity]').length]"
        ),
        json!([0, 0])
    );
    browser.eval(&format!("viewer.look(['{}'], 1)", game.notes[4]["lines"][0]["moves"][0].as_str().expect("a move")));
    let mut position = game.positions[4].clone();
    position
        .try_play(
            position
                .board()
                .parse_move(game.notes[4]["lines"][0]["moves"][0].as_str().expect("a move"))
                .expect("a move"),
        )
        .expect("a legal move");
    browser.wait(&format!("mock.open('/api/analysis/live').length === 1 && {open}[0].position === '{position}'"));
    browser
        .eval("mock.send('/api/analysis/live', 'message', { id: 'a', error: 'the engine is busy: try again later' })");
    browser.wait("document.querySelector('.tools .fault').textContent === 'the engine is busy: try again later' && mock.open('/api/analysis/live').length === 0");
    browser.key("Escape");
    browser.wait(&is_open(4));
    browser.key("e");
    browser.wait("mock.open('/api/analysis/live').length === 0");
}
