//! The page of docs/puzzles, tried with mouse and keys.

use amazons_browser::{Browser, assert_good, assert_good_everywhere};
use serde_json::json;

use super::{puzzles, shipped, text};

fn open(browser: &mut Browser, number: usize) {
    browser.open(&format!("file://{}#{}", shipped("puzzles.html").display(), number + 1));
    browser.wait(&format!("puzzles.number === {number}"));
}

/// Chooses the squares of a move by the mouse.
fn play(browser: &mut Browser, mv: &str) {
    for square in mv.split(['-', '/']) {
        let point = browser.eval(&format!(
            "(() => {{ const [x, y] = puzzles.center(puzzles.vertexOf('{square}')); \
             const at = new DOMPoint(x, y).matrixTransform(puzzles.board.getScreenCTM()); return [at.x, at.y]; }})()"
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": point[0], "y": point[1], "button": "left", "clickCount": 1 });
            browser.call("Input.dispatchMouseEvent", &event);
        }
    }
}

fn words(browser: &mut Browser) -> String {
    browser.eval("document.querySelector('.words').textContent").as_str().expect("words").to_owned()
}

/// The stone on a square: 0 for none, 1 and 2 for queens, 3 for an arrow.
fn stone(browser: &mut Browser, square: &str) -> serde_json::Value {
    browser.eval(&format!("puzzles.stones[puzzles.vertexOf('{square}')]"))
}

#[test]
fn a_wrong_move_is_answered_and_the_right_one_is_not() {
    let Some(mut browser) = Browser::start() else { return };
    // A few of them: who wins is tried for all without a browser.
    for (number, puzzle) in puzzles().iter().enumerate().step_by(5) {
        open(&mut browser, number);
        let (answer, lure) = (text(puzzle, "move"), text(puzzle, "lure"));
        let [mover, rival] = if puzzle["color"] == "black" { ["Black", "White"] } else { ["White", "Black"] };
        let status = browser.eval("document.querySelector('.status').textContent");
        assert_eq!(status, format!("{mover} to move: one move wins"));
        play(&mut browser, lure);
        let reply = browser.eval(&format!("puzzles.game.wrong['{lure}'][0]"));
        let reply = reply.as_str().expect("a move");
        let told = words(&mut browser);
        assert!(told.starts_with(&format!("Wrong. {lure} loses: {rival} wins with {reply}, ")), "{told}");
        let places: Vec<&str> = reply.split(['-', '/']).collect();
        browser.wait(&format!("puzzles.stones[puzzles.vertexOf('{}')] === 3", places[2]));
        assert_eq!(stone(&mut browser, places[1]), if rival == "Black" { 1 } else { 2 });
        browser.key("r");
        assert_eq!(words(&mut browser), "");
        play(&mut browser, answer);
        let told = words(&mut browser);
        assert!(told.starts_with(&format!("Right. {answer} wins, ")), "{told}");
        assert!(
            told.ends_with(&format!(" All other {} moves lose.", puzzle["legal_moves"].as_u64().expect("moves") - 1))
        );
        assert_eq!(browser.eval("puzzles.results[puzzles.number]"), "wrong", "the first try counts");
    }
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn the_page_works_with_keys_and_on_a_phone() {
    let Some(mut browser) = Browser::start() else { return };
    let puzzles = puzzles();
    open(&mut browser, 0);
    assert_good_everywhere(&mut browser, "puzzles");
    for (width, height) in [(1280, 800), (390, 740)] {
        browser.size(width, height);
        let board = browser.eval(
            "(() => { const { width, bottom } = puzzles.board.getBoundingClientRect(); return [width, bottom] })()",
        );
        let [wide, bottom] = [0, 1].map(|at| board[at].as_f64().expect("a number"));
        assert!(wide > if width == 390 { 360.0 } else { 500.0 } && bottom < f64::from(height), "{width}: {board}");
    }
    browser.key("ArrowRight");
    browser.wait("puzzles.number === 1 && location.hash === '#2'");
    browser.eval("puzzles.board.focus()");
    let answer: Vec<&str> = text(&puzzles[1], "move").split(['-', '/']).collect();
    for square in answer {
        while browser.eval(&format!("puzzles.cursor === puzzles.vertexOf('{square}')")) == false {
            browser.key("n");
        }
        browser.key("Enter");
    }
    assert!(words(&mut browser).starts_with("Right. "));
    assert_good(&mut browser, "a solved puzzle");
    browser.eval("history.back()");
    browser.wait("puzzles.number === 0");
    browser.eval("[...document.querySelectorAll('button')].find((one) => one.textContent === 'Show the move').click()");
    assert!(words(&mut browser).starts_with(&format!("The answer. {} wins, ", text(&puzzles[0], "move"))));
    assert_eq!(browser.eval("[puzzles.results[0], puzzles.results[1]]"), json!(["shown", "right"]));
    // On a board that is done, the page says what to do.
    play(&mut browser, text(&puzzles[0], "move"));
    browser.wait("document.querySelector('.panel .soft').textContent === 'Try again, or go on to another puzzle.'");
}
