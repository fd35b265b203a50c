use amazons_rules::Shape;
use serde_json::json;

use crate::watch::browser::pages::viewed;
use crate::watch::{as_if_played, record};

/// The figures for docs/performance.md, which `--nocapture` shows.
#[test]
fn many_games_are_listed_and_followed_at_once() {
    let Some((mut browser, rig)) = viewed() else { return };
    let text = record("ann", "bob", Shape::Square, 6, 4);
    for number in 0..10_000 {
        rig.write(&format!("{number:05}.jsonl"), &text.replacen("\"ann\"", &format!("\"team{}\"", number % 97), 1));
    }
    // However long the pages take, the games are not cut off meanwhile.
    let live = as_if_played(&text, [None, None]).replace("\"move_ms\":1000", "\"move_ms\":3600000");
    let lines: Vec<&str> = live.lines().collect();
    for number in 0..100 {
        rig.write(&format!("live-{number:02}.jsonl"), &(lines[..8].join("\n") + "\n"));
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
