//! Published pages, which need no server.

use std::fs;
use std::path::{Path, PathBuf};

use amazons::record::Record;
use amazons_browser::{Browser, assert_good_everywhere};
use serde_json::json;
use tempfile::TempDir;

use crate::cli::{player, server};
use crate::support::player_in_c;

/// An event of three players, of whom one prints a secret and fails, and its pages.
fn published() -> (TempDir, PathBuf) {
    let root = tempfile::tempdir().expect("a folder");
    let (event, out) = (root.path().join("spring"), root.path().join("pages"));
    let (_folder, wrong) = player_in_c("wrong", "fprintf(stderr, \"my secret\\n\"); abort();", "");
    let dir = event.display().to_string();
    let players = [player("territory"), player("random"), wrong];
    let options = ["tournament", "-q", "-j1", "--dir", &dir, "--boards", "c5,c6", "--pairs", "2"];
    let played = server(options.into_iter().chain(players.iter().map(String::as_str)));
    assert_eq!(played.status, 0, "{played:?}");
    let told = server(["report", &dir, "--html", &out.display().to_string()]);
    assert_eq!((told.status, told.err.as_str()), (0, ""), "{told:?}");
    assert!(told.out.ends_with("index.html shows 12 games\n"), "{}", told.out);
    (root, out)
}

/// Returns the text of all files.
fn texts(folder: &Path) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let of = |path: PathBuf| match path.is_dir() {
        true => texts(&path),
        false => vec![(path.clone(), fs::read_to_string(&path).expect("text"))],
    };
    entries.flat_map(of).collect()
}

#[test]
fn nothing_private_is_published_and_nothing_is_overwritten() {
    let (root, out) = published();
    let journal = fs::read_to_string(root.path().join("spring/journal.jsonl")).expect("a journal");
    let line: serde_json::Value = serde_json::from_str(journal.lines().last().expect("a line")).expect("JSON");
    let host = line["game"]["host"].as_str().expect("a name");
    for (path, text) in texts(&out) {
        let page = path.display();
        for private in [root.path().to_str().expect("text"), "my secret", &format!("\"{host}\""), "sha256", ".so\""] {
            assert!(!text.contains(private), "{page} has {private}");
        }
        if path.extension().is_some_and(|extension| extension == "html") {
            assert!(text.contains("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'"), "{page}");
            assert!(!text.contains("<script>") && !text.contains("style="), "{page}");
        }
    }
    let rules = fs::read_to_string(out.join("rules.html")).expect("a page");
    assert!(rules.contains("<dt>boards</dt><dd>c5, c6</dd>") && !rules.contains("Handing in"), "{rules}");
    let report = |html: &Path| {
        let event = root.path().join("spring").display().to_string();
        server(["report", &event, "--html", &html.display().to_string()])
    };
    assert_eq!(report(&out).status, 0, "once more");
    let refused = report(root.path());
    assert_eq!(refused.status, 2);
    assert!(refused.err.ends_with("holds something else: name a new folder\n"), "{}", refused.err);
    let nothing = server(["report", &out.display().to_string(), "--html", &out.display().to_string()]);
    assert_eq!(nothing.status, 2);
    assert!(nothing.err.contains("holds no event and no ladder"), "{}", nothing.err);
}

#[test]
fn published_pages_are_looked_at_from_a_disk() {
    let Some(mut browser) = Browser::start() else { return };
    let (root, out) = published();
    let page = |name: &str| format!("file://{}/{name}", out.display());
    browser.open(&page("index.html"));
    browser.wait("document.querySelectorAll('#players tr').length === 3");
    let titles = browser.eval("[...document.querySelectorAll('#more h2')].map((title) => title.textContent)");
    assert_eq!(titles, json!(["Ratings while games were played", "Points by board", "Moving first", "Faults"]));
    assert_eq!(browser.eval("document.querySelector('#more section:last-child tbody').textContent"), "library8");
    assert_eq!(browser.eval("document.querySelectorAll('.curve .line').length"), 3);
    assert_good_everywhere(&mut browser, "published standings");
    browser.eval("document.querySelector('#game-rows a').click()");
    browser.wait("window.viewer?.game");
    let record = fs::read(root.path().join("spring/records/000/000006-2.jsonl")).expect("a record");
    let end = Record::read(&*record).expect("a record").end;
    browser.eval("viewer.go(Infinity)");
    assert_eq!(browser.eval("viewer.positionText()"), end.position);
    assert_good_everywhere(&mut browser, "a published game");
    browser.eval("document.querySelector('#before').click()");
    browser.wait("location.search === '?6-1' && window.viewer?.game");
    browser.eval("document.querySelector('#around a:last-child').click()");
    browser.wait("document.querySelectorAll('#rows tr').length === 12");
    browser
        .eval("byId('filters').elements.player.value = 'library'; byId('filters').dispatchEvent(new Event('change'))");
    browser.wait("byId('count').textContent === '8 games'");
    browser.eval("byId('views').lastElementChild.click()");
    browser.wait("document.querySelectorAll('#as-cards svg').length === 8");
    assert_good_everywhere(&mut browser, "published games");
    browser.open(&page("rules.html"));
    assert_good_everywhere(&mut browser, "published rules");
}
