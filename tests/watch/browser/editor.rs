//! Positions are set up, judged by the server, and looked at.

use amazons_browser::{Browser, assert_good};
use amazons_rules::{Position, Shape};
use serde_json::json;

use super::pages::viewed;
use super::play::{click, point_of};
use crate::formats::start;

const TEXT: &str = "document.querySelector('textarea').value";
const JUDGED: &str = "document.querySelector('#judged').textContent";

fn type_text(browser: &mut Browser, text: &str) {
    browser.eval(&format!("{{ const text = document.querySelector('textarea'); text.focus(); text.value = '{text}'; text.dispatchEvent(new Event('input')); }}"));
}

#[test]
fn a_position_is_set_up_and_analysed() {
    let Some((mut browser, rig)) = viewed() else { return };
    browser.open(&format!("http://{}/", rig.address));
    browser.eval("[...document.querySelectorAll('nav a')].find((link) => link.textContent === 'Editor').click()");
    browser.wait(&format!(
        "location.pathname === '/editor' && window.viewer?.stones && {TEXT} === '{}'",
        start(Shape::Square, 10)
    ));
    assert_good(&mut browser, "the editor");
    // Each shape at the smallest and the largest size, with its holes.
    for shape in Shape::ALL {
        for size in [5, 40] {
            browser.eval(&format!(
                "{{ const [shape, size] = document.querySelectorAll('.panel select, .panel input'); shape.value = '{}'; size.value = {size}; size.dispatchEvent(new Event('change')); }}",
                shape.code()
            ));
            let position = start(shape, size);
            browser.wait(&format!("{TEXT} === '{position}'"));
            assert_eq!(browser.eval("viewer.holes.size"), position.board().holes().count(), "{shape} {size}");
            assert_eq!(
                browser.eval("viewer.writePosition(viewer.start.first, viewer.start.number)"),
                position.to_string()
            );
        }
    }
    // Pieces are placed and taken away, by mouse and keys; the text follows.
    browser.eval("[...document.querySelectorAll('button')].find((button) => button.textContent === 'Clear').click()");
    type_text(&mut browser, "5/5/5/5/5 b");
    browser.eval("document.querySelector('.panel select').value = 'c'");
    type_text(&mut browser, "5/5/5/5/5 b");
    browser.wait("viewer.columns === 5 && viewer.stones.every((stone) => !stone)");
    click(&mut browser, 0);
    browser.wait(&format!("{TEXT} === 'q4/5/5/5/5 b - - 0 1'"));
    browser.eval("document.querySelectorAll('.pieces button')[2].click()");
    click(&mut browser, 1);
    click(&mut browser, 2);
    click(&mut browser, 2);
    browser.eval("viewer.board.focus(); viewer.point(24)");
    browser.key("w");
    browser.wait(&format!("{TEXT} === 'q*3/5/5/5/4Q b - - 0 1'"));
    // A queen is dragged.
    let points = [point_of(&mut browser, 24), point_of(&mut browser, 20)];
    for (kind, [x, y], buttons) in
        [("mousePressed", &points[0], 1), ("mouseMoved", &points[1], 1), ("mouseReleased", &points[1], 0)]
    {
        browser.call(
            "Input.dispatchMouseEvent",
            &json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 }),
        );
    }
    browser.wait(&format!("{TEXT} === 'q*3/5/5/5/Q4 b - - 0 1'"));
    browser.eval("viewer.side.value = 1; viewer.side.dispatchEvent(new Event('change'))");
    let text = "q*3/5/5/5/Q4 w - - 0 1";
    browser.wait(&format!("{TEXT} === '{text}' && new URLSearchParams(location.search).get('position') === '{text}'"));
    assert_good(&mut browser, "a position that was set up");
    // Where the server has opponents, a game begins here.
    assert_eq!(browser.eval("document.querySelector('.panel form').hidden"), true);
    browser.eval(
        "{ const real = window.fetch; window.fetch = async (address, options) => { \
           if (address === '/api/analysis') return new Response(JSON.stringify({ offered: true, opponents: ['champion', 'mcts'] })); \
           if (address !== '/api/play') return real(address, options); \
           window.wanted = JSON.parse(options.body); return new Response('the engine is busy\\n', { status: 429 }); }; \
         offerPlay(document.querySelector('.panel form'), AmazonsParts.prototype, viewer, () => ({ position: document.querySelector('textarea').value, shape: 'c', size: 5 })); }",
    );
    browser.wait("!document.querySelector('.panel form').hidden");
    browser.eval("document.querySelector('.panel form select').value = 'mcts'; document.querySelector('.panel form').requestSubmit()");
    browser.wait(&format!("{JUDGED} === 'the engine is busy\\n' || {JUDGED} === 'the engine is busy'"));
    assert_eq!(
        browser.eval("window.wanted"),
        json!({ "position": text, "shape": "c", "size": 5, "opponent": "mcts", "color": "white" })
    );
    browser.leave("location.reload()");
    browser
        .wait(&format!("window.viewer?.stones && {TEXT} === '{text}' && document.querySelector('.button.main[href]')"));
    browser.eval("document.querySelector('.button.main').click()");
    browser.wait("location.pathname === '/analysis' && window.viewer?.branch");
    assert_eq!(browser.eval("viewer.positionText()"), text);
    browser.eval("viewer.look(['a1-a4/b4'])");
    let mut position = Position::parse(text).expect("a position");
    position.try_play(position.parse_move("a1-a4/b4").expect("a move")).expect("a legal move");
    assert_eq!(browser.eval("viewer.positionText()"), position.to_string());
    browser.wait("location.hash === '#ply=0&try=a1-a4/b4'");
    browser.leave("location.reload()");
    browser.wait("window.viewer?.branch?.at === 1");
    assert_eq!(browser.eval("viewer.positionText()"), position.to_string());
    assert_good(&mut browser, "the analysis of a position");
}

/// The server's own sentences, in the page and over the wire.
#[test]
fn a_position_text_is_judged_by_the_server() {
    let Some((mut browser, rig)) = viewed() else { return };
    browser.open(&format!("http://{}/editor?shape=d&size=8", rig.address));
    browser.wait("window.viewer?.holes.size > 0");
    let holed = start(Shape::Donut, 8);
    for text in ["8/8/8/8/8/8/8/8 w", "x", "8/8 w", "8/8/8/9/8/8/8/8 w", "8/8/8/8/8/8/8/8 x", "<b>"] {
        let reason =
            Position::parse_on(std::sync::Arc::clone(holed.board()), text).map(|_| ()).expect_err(text).to_string();
        type_text(&mut browser, text);
        browser.wait(&format!("{JUDGED} === {}", json!(reason)));
        let query = text.replace(' ', "%20").replace('<', "%3C").replace('>', "%3E");
        let reply = rig.get(&format!("/api/position?position={query}&shape=d&size=8"));
        assert_eq!((reply.status, reply.text()), (422, &*format!("{reason}\n")));
    }
    assert_eq!(
        browser.eval("document.querySelector('.button.main').hasAttribute('href')"),
        false,
        "nothing to analyse"
    );
    assert_eq!(
        browser.eval("[document.querySelector('textarea').getAttribute('aria-invalid'), viewer.holes.size]"),
        json!(["true", holed.board().holes().count()])
    );
    // What was the error is asked for here.
    browser.complaints.retain(|complaint| !complaint.contains("422"));
    assert_good(&mut browser, "a text that is wrong");
    for (query, reason) in [
        ("shape=x&size=8", "unknown board shape 'x': use c (square), d (donut), t (clover) or 8 (figure-eight)"),
        ("size=101", "size: expected a number up to 100"),
    ] {
        let reply = rig.get(&format!("/api/position?{query}"));
        assert_eq!((reply.status, reply.text()), (422, &*format!("{reason}\n")));
    }
    assert_eq!(rig.get("/api/position?shape=c&size=4").status, 422);
}
