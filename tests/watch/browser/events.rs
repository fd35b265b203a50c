use std::fs::{self, File};

use amazons::watch::Access;
use amazons_browser::{Browser, assert_good};

use serde_json::json;

use super::pages::fits;
use crate::watch::events::{Hall, table};

#[test]
fn the_page_of_a_ladder_follows_it() {
    let Some(mut browser) = Browser::start() else { return };
    let hall = Hall::new(Access::Local);
    browser.open(&format!("http://{}/", hall.address()));
    browser.wait("document.querySelectorAll('#event-links a').length === 1");
    let card = browser.eval("document.querySelector('#event-links a').textContent");
    assert!(
        card.as_str().is_some_and(|text| text.contains("<b>ada</b> leads the ladder with an Elo of +13")),
        "{card}"
    );
    assert_good(&mut browser, "the first page");
    browser.eval("document.querySelector('#event-links a').click()");
    browser.wait("location.pathname === '/event/0' && document.querySelectorAll('#players tr').length === 2");
    assert_eq!(browser.eval("document.querySelector('#players td:nth-child(2)').textContent"), "<b>ada</b>");
    assert_eq!(browser.eval("document.querySelectorAll('#game-rows tr').length"), 2);
    assert_eq!(
        browser.eval("document.querySelector('#result').textContent"),
        "<b>ada</b> leads the ladder with an Elo of +13"
    );
    // One point on one scale for both: their ratings are the same.
    assert_eq!(
        browser
            .eval("new Set([...document.querySelectorAll('.interval .dot')].map((dot) => dot.getAttribute('d'))).size"),
        1
    );
    assert_eq!(browser.eval("document.querySelectorAll('#game-cards svg').length"), 2);
    assert_eq!(browser.eval("document.querySelector('#refused-list').textContent"), "eve: cannot read /home/eve/x");
    assert_good(&mut browser, "the page of a ladder");
    hall.write("ladder.json", &table(77).to_string());
    browser.wait("document.querySelector('#progress').textContent.startsWith('77 games')");
    browser.wait("document.querySelector('#progress').textContent.endsWith(', no server is at work on it')");
    let lock = File::create(hall.file("lock")).expect("a file");
    lock.lock().expect("nobody else has it");
    browser.wait("!document.querySelector('#progress').textContent.includes('no server')");
    browser.eval("document.querySelector('#game-rows a').click()");
    browser.wait("location.pathname === '/game/0-12-2' && window.viewer?.game");
    browser.eval("document.querySelector('nav a[href=\"/event/0\"]').click()");
    browser.wait("location.pathname === '/event/0' && document.querySelector('#progress').textContent");
}

/// The table of a round robin: its result in words, points crossed, and how far it is.
#[test]
fn the_page_of_a_tournament_tells_the_result_first() {
    let Some(mut browser) = Browser::start() else { return };
    let hall = Hall::new(Access::Local);
    fs::remove_file(hall.file("ladder.json")).expect("a file");
    let row = |rank: u64, name: &str, points: u64| {
        json!({"rank": rank, "name": name, "elo": 200.0 * points as f64 - 200.0, "error": 20.0, "points": points, "games": 2,
               "won": points, "lost": 2 - points, "at_fault": 0, "sha256": "00"})
    };
    let meeting = json!({"players": ["ada", "bob"], "games": 2, "points": 2, "points_against": 0});
    let table = json!({
        "is_complete": true, "pairs": 1, "sentence": "ada is stronger than bob", "players": [row(1, "ada", 2), row(2, "bob", 0)], "meetings": [meeting],
    });
    hall.write("standings.json", &table.to_string());
    browser.open(&format!("http://{}/event/0", hall.address()));
    browser.wait("document.querySelectorAll('#players tr').length === 2");
    assert_eq!(browser.eval("document.querySelector('#result').textContent"), "ada is stronger than bob");
    let cells = "[...document.querySelectorAll('#players .cross, #players .self')].map((cell) => cell.className.split(' ').at(-1) + cell.textContent)";
    assert_eq!(browser.eval(cells), json!(["self", "share52", "share00", "self"]));
    assert_good(&mut browser, "the page of a tournament");
}

#[test]
fn the_page_of_a_ladder_fits_small_screens_and_dark_rooms() {
    let Some(mut browser) = Browser::start() else { return };
    let hall = Hall::new(Access::Local);
    fits(&mut browser, "ladder", |browser| {
        browser.open(&format!("http://{}/event/0", hall.address()));
        browser.wait("document.querySelectorAll('#players tr').length === 2");
    });
}
