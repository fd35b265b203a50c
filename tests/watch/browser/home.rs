//! The first page: boards, results, the list and its search.

use std::fs;

use amazons_browser::{Browser, assert_good};
use amazons_rules::Shape;
use serde_json::json;

use crate::watch::{Rig, record};

/// Types into the search, as a person does.
fn search(browser: &mut Browser, text: &str) {
    browser.eval(&format!(
        "(() => {{ const {{ search }} = byId('search').elements; search.value = '{text}'; search.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
    ));
}

#[test]
fn results_are_cards_with_boards_and_words() {
    let Some(mut browser) = Browser::start() else { return };
    let rig = Rig::new();
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
    let Some(mut browser) = Browser::start() else { return };
    let rig = Rig::new();
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
    let Some(mut browser) = Browser::start() else { return };
    let rig = Rig::new();
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
    let Some(mut browser) = Browser::start() else { return };
    let rig = Rig::new();
    browser.open(&format!("http://{}/", rig.address));
    browser.wait("byId('empty').checkVisibility() && byId('empty').textContent.startsWith('No games yet')");
    assert_good(&mut browser, "an empty folder");
}

/// The figures for docs/performance.md, which `--nocapture` shows; a busy machine takes several times as long.
#[test]
fn many_games_are_listed_and_followed_at_once() {
    let Some(mut browser) = Browser::start() else { return };
    let rig = Rig::new();
    let text = record("ann", "bob", Shape::Square, 6, 4);
    for number in 0..10_000 {
        rig.write(&format!("{number:05}.jsonl"), &text.replacen("\"ann\"", &format!("\"team{}\"", number % 97), 1));
    }
    let lines: Vec<&str> = text.lines().collect();
    for number in 0..100 {
        fs::write(rig.path(&format!("live-{number:02}.jsonl")), lines[..8].join("\n") + "\n").expect("a file");
    }
    rig.listed("", 10_100);
    let watched = "window.longest = 0; window.first = null; \
        new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => (longest = Math.max(longest, duration)))).observe({ type: 'longtask', buffered: true }); \
        new MutationObserver(() => document.querySelector('#cards svg') && (first ??= performance.now())).observe(document, { childList: true, subtree: true });";
    browser.call("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": watched }));
    browser.open(&format!("http://{}/", rig.address));
    browser.wait("document.querySelectorAll('#cards svg').length === 100");
    let (first, longest) = (browser.eval("first"), browser.eval("longest"));
    println!("100 live games: the first board after {first} ms, the longest task took {longest} ms");
    let took = browser.eval(
        "(async () => {
            const begun = performance.now();
            const { search } = byId('search').elements;
            search.value = 'team12 bob';
            search.dispatchEvent(new Event('input', { bubbles: true }));
            while (byId('count').textContent !== '103 games' && performance.now() < begun + 10000) await new Promise(requestAnimationFrame);
            return performance.now() - begun;
        })()",
    );
    println!("a search among 10,100 games: {took} ms");
    for (what, ms, max) in
        [("the first board", &first, 5000.0), ("a task", &longest, 1000.0), ("a search", &took, 5000.0)]
    {
        assert!(ms.as_f64().is_some_and(|ms| ms < max), "{what}: {ms} ms");
    }
}
