use std::fs;
use std::path::Path;

use amazons_browser::{Browser, assert_good_everywhere};

use super::house::{House, post};
use crate::cli::player;
use crate::support::{self, player_in_c};
use crate::watch::get;

#[test]
fn a_team_looks_at_its_page() {
    let Some(mut browser) = Browser::start() else { return };
    let house = House::new();
    let at = house.start();
    let (_folder, wrong) = player_in_c("wrong", "fprintf(stderr, \"<script>alert(1)</script>\\n\");", "");
    assert_eq!(house.submit(&at, "ada", Path::new(&player("random"))).status, 201);
    assert_eq!(house.submit(&at, "ada", Path::new(&wrong)).status, 201);
    assert_eq!(house.decided("ada", 2), "refused");
    browser.open(&format!("http://{}/submit", at.address));
    browser.wait("document.querySelector('.origin').textContent === location.origin");
    assert_good_everywhere(&mut browser, "the page for handing in");
    let hand_in = "const chosen = new DataTransfer(); chosen.items.add(new File(['no player'], 'player.so')); byId('file').files = chosen.files";
    let token = &house.tokens["ada"];
    browser.eval(&format!("(() => {{ {hand_in}; byId('token').value = '{token}'; byId('submit').requestSubmit(document.querySelector('#submit button')); }})()"));
    browser.wait("document.querySelector('#answer.wrong')?.textContent.startsWith('this is not a .so')");
    browser.eval("sessionStorage.clear()");
    browser.complaints.clear();
    browser.open(&format!("http://{}/team", at.address));
    let show = |token: &str| {
        format!("document.querySelector('#token').value = '{token}'; document.querySelector('#enter button').click()")
    };
    browser.eval(&show("wrong"));
    browser.wait("document.querySelector('#answer').textContent === 'no team has this token'");
    // Browsers note each answer that refuses.
    assert!(browser.complaints.iter().all(|it| it.contains("401")), "{:?}", browser.complaints);
    browser.complaints.clear();
    browser.eval(&show(&house.tokens["ada"]));
    browser.wait("document.querySelectorAll('#versions tr').length === 2");
    assert_eq!(browser.eval("document.querySelector('#title').textContent"), "Lovelace, <b>Ada</b>");
    assert_eq!(browser.eval("document.querySelectorAll('#title b, #told script').length"), 0);
    browser.eval(
        "[...document.querySelectorAll('#versions button')].find((it) => it.textContent === 'check.txt').click()",
    );
    browser.wait("document.querySelector('#content').textContent.includes('Failed')");
    assert_good_everywhere(&mut browser, "the page of a team");
    browser.eval("document.querySelector('#leave').click()");
    browser.wait("!document.querySelector('#enter').hidden && document.querySelector('#told').hidden");
}

/// The page has all that it takes, without scripts: the rules, and a player to begin with that is admitted as it is.
#[test]
fn a_team_begins_with_nothing_but_the_page() {
    let house = House::new();
    let folder = house.dir().join("crates/smallvec");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("Cargo.toml"), "[package]\nname = \"smallvec\"\nversion = \"1.2.3\"\n").expect("a file");
    let at = house.start();
    let page = get(at.address, "/submit");
    let origin = format!("<span class=\"origin\">http://{}</span>/api/submit\n", at.address);
    for words in [
        "<li>Boards: c5 (square, 5 x 5, 4 queens a side).",
        "./server check --this-server --size=5 --init-time=2000ms --memory=1024M --move-time=50ms ./player.so",
        "which need not be packed: smallvec 1.2.3.",
        "at most 20 versions",
        &origin,
    ] {
        assert!(page.text().contains(words), "{words}: {}", page.text());
    }
    assert!(get(at.address, "/start/player.h").text().contains("initialize"));
    assert_eq!(get(at.address, "/start/c.tar").status, 404);
    for language in ["c-gsl", "cpp", "rust"] {
        assert_eq!(get(at.address, &format!("/start/{language}.tar.gz")).status, 200);
    }
    assert!(get(at.address, "/start/server").body == fs::read(support::server()).expect("a program"));
    let packed = get(at.address, "/start/c.tar.gz");
    assert_eq!(post(at.address, &house.authorization("ada").replace("Bearer", "bearer"), &packed.body).status, 201);
    assert_eq!(house.decided("ada", 1), "admitted", "{:?}", house.team("ada").versions);
}
