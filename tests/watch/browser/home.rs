//! The first page: boards, results, the list and its search.

use amazons_browser::{Browser, assert_good};
use amazons_rules::Shape;
use serde_json::json;

use super::pages::viewed;
use crate::watch::{as_if_played, record};

/// Types into the search, as a person does.
fn search(browser: &mut Browser, text: &str) {
    browser.eval(&format!(
        "(() => {{ const {{ search }} = byId('search').elements; search.value = '{text}'; search.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
    ));
}

#[test]
fn results_are_cards_with_boards_and_words() {
    let Some((mut browser, rig)) = viewed() else { return };
    let text = record("<b>ann</b>", "bob", Shape::Donut, 8, 4);
    rig.write("a.jsonl", &text);
    let end: serde_json::Value = serde_json::from_str(text.lines().last().expect("an end")).expect("JSON");
    let (winner, loser) = if end["winner"] == 1 { ("<b>ann</b>", "bob") } else { ("bob", "<b>ann</b>") };
    rig.listed("", 1);
    browser.open(&format!("http://{}/", rig.address));
    browser.wait("document.querySelectorAll('#newest-cards svg').length === 1");
    let told =
        browser.eval("[...document.querySelectorAll('#newest-cards .card > div')].map((part) => part.textContent)");
    let moves = end["moves"].as_u64().expect("moves");
    let how = format!("{loser} cannot move after {moves} moves");
    assert_eq!(told, json!([format!("{winner} beat {loser}"), how, "donut 8 x 8"]));
    // As many stones as the last position has.
    let count = |class: &str| {
        format!("document.querySelector('#newest-cards .{class}').getAttribute('d').split('M').length - 1")
    };
    let position = end["position"].as_str().expect("a position").split(' ').next().expect("ranks");
    let holes = 64 - browser.eval(&format!("{} + {}", count("light"), count("dark"))).as_u64().expect("squares");
    let queens = position.matches('q').count();
    assert_eq!(browser.eval(&count("black-queens")), queens);
    assert!(holes > 0 && browser.eval(&count("arrow")) == moves, "{holes}");
    assert_good(&mut browser, "a first page with results");
    browser.eval("byId('views').lastElementChild.click()");
    browser.wait(
        "document.querySelectorAll('#as-cards svg').length === 1 && byId('newest').hidden && byId('as-rows').hidden",
    );
    browser.open(&format!("http://{}/", rig.address));
    browser.wait("document.querySelectorAll('#as-cards svg').length === 1");
    assert_good(&mut browser, "a list of cards");
}

#[test]
fn the_search_answers_while_one_types_and_from_other_pages() {
    let Some((mut browser, rig)) = viewed() else { return };
    for (name, black) in [("one", "Ann"), ("two", "Anneke"), ("three", "bob")] {
        rig.write(&format!("{name}.jsonl"), &record(black, "cid", Shape::Square, 5, 1));
    }
    rig.listed("", 3);
    browser.open(&format!("http://{}/", rig.address));
    browser.wait("byId('count').textContent === '3 games'");
    for (text, count) in [("ann", "2 games"), ("ann cid one", "1 game"), ("", "3 games"), ("nobody", "0 games")] {
        search(&mut browser, text);
        browser.wait(&format!("byId('count').textContent === '{count}'"));
    }
    let empty = "byId('empty').checkVisibility() && byId('empty').textContent";
    assert_eq!(browser.eval(empty), "No game is like that: change the search or the filters.");
    assert_good(&mut browser, "a search without results");
    browser.open(&format!("http://{}/game/{}", rig.address, rig.id("one.jsonl")));
    browser.eval("(() => { byId('search').elements.search.value = 'anneke'; byId('search').requestSubmit(); })()");
    browser.wait("location.search === '?search=anneke' && byId('count').textContent === '1 game'");
}

#[test]
fn an_engine_that_is_offered_has_a_link() {
    let Some((mut browser, rig)) = viewed() else { return };
    let links = "[...document.querySelectorAll('.top nav a')].map((link) => link.textContent).join()";
    for (offered, expected) in [(false, "Amazons,Games,Editor"), (true, "Amazons,Games,Editor,Analyse,Play")] {
        let opponents = if offered { "[\"random\"]" } else { "[]" };
        let answer = format!(
            "{{ const fetched = window.fetch; window.asked = 0; window.fetch = async (address, ...rest) => {{ if (address !== '/api/analysis') return fetched(address, ...rest); \
             setTimeout(() => (window.asked = 1)); return new Response('{{\"offered\":{offered},\"opponents\":{opponents}}}'); }}; }}"
        );
        browser.call("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": answer }));
        browser.open(&format!("http://{}/", rig.address));
        browser.wait(&format!("window.asked && {links} === '{expected}'"));
    }
    assert_good(&mut browser, "a first page with an engine");
}

#[test]
fn an_empty_folder_says_what_to_do() {
    let Some((mut browser, rig)) = viewed() else { return };
    browser.open(&format!("http://{}/", rig.address));
    browser.wait("byId('empty').checkVisibility() && byId('empty').textContent.startsWith('No games yet')");
    assert_good(&mut browser, "an empty folder");
}

/// A hundred games are drawn a few at a time, so that the page is never held up.
#[test]
fn many_games_are_listed_and_followed_at_once() {
    let Some((mut browser, rig)) = viewed() else { return };
    let text = record("ann", "bob", Shape::Square, 6, 4);
    for number in 0..1000 {
        rig.write(&format!("{number:05}.jsonl"), &text.replacen("\"ann\"", &format!("\"team{}\"", number % 97), 1));
    }
    // However long the pages take, the games are not cut off meanwhile.
    let live = as_if_played(&text, [None, None]).replace("\"move_ms\":1000", "\"move_ms\":3600000");
    let lines: Vec<&str> = live.lines().collect();
    for number in 0..100 {
        rig.write(&format!("live-{number:02}.jsonl"), &(lines[..8].join("\n") + "\n"));
    }
    rig.listed("", 1100);
    // Each look at the clock is a millisecond later, and a frame has eight of them for boards.
    let watched = "{ let now = 0; performance.now = () => (now += 1); } window.drawn = window.most = 0; new MutationObserver(() => { \
        const all = document.querySelectorAll('#cards svg').length; [most, drawn] = [Math.max(most, all - drawn), all]; }).observe(document, { childList: true, subtree: true });";
    browser.call("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": watched }));
    browser.open(&format!("http://{}/", rig.address));
    browser.wait("document.querySelectorAll('#cards svg').length === 100");
    let most = browser.eval("most").as_u64().expect("a number");
    assert!((1..=8).contains(&most), "{most} boards in a frame");
    search(&mut browser, "team12 bob");
    browser.wait("byId('count').textContent === '11 games'");
}
