use std::fs::File;

use amazons::watch::Access;
use amazons_browser::{Browser, assert_good};

use super::pages::keep;
use crate::watch::events::{Hall, table};

#[test]
fn the_page_of_a_ladder_follows_it() {
    let Some(mut browser) = Browser::start() else { return };
    let hall = Hall::new(Access::Local);
    browser.open(&format!("http://{}/", hall.address()));
    browser.wait("document.querySelectorAll('#event-links a').length === 1");
    assert_good(&mut browser, "the first page");
    browser.eval("document.querySelector('#event-links a').click()");
    browser.wait("location.pathname === '/event/0' && document.querySelectorAll('#players tr').length === 2");
    assert_eq!(browser.eval("document.querySelector('#players td:nth-child(2)').textContent"), "<b>ada</b>");
    assert_eq!(browser.eval("document.querySelectorAll('#game-rows tr').length"), 2);
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

#[test]
fn the_page_of_a_ladder_fits_small_screens_and_dark_rooms() {
    let Some(mut browser) = Browser::start() else { return };
    let hall = Hall::new(Access::Local);
    let mut pictures = Vec::new();
    for (theme, width) in [("light", 360), ("dark", 360), ("light", 1200), ("dark", 1200)] {
        browser.size(width, 800);
        browser.prefer("prefers-color-scheme", theme);
        browser.open(&format!("http://{}/event/0", hall.address()));
        browser.wait("document.querySelectorAll('#players tr').length === 2");
        let what = format!("a ladder at {width}, {theme}");
        let scroll = browser.eval("document.scrollingElement.scrollWidth - innerWidth");
        assert!(scroll.as_i64().is_some_and(|over| over <= 0), "{what}: {scroll} too wide");
        assert_good(&mut browser, &what);
        let picture = browser.picture();
        keep(&format!("ladder-{width}-{theme}.b64"), &picture);
        pictures.push(picture);
    }
    pictures.sort();
    pictures.dedup();
    assert_eq!(pictures.len(), 4, "each looks another way");
}
