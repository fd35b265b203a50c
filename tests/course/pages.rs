use std::path::Path;

use amazons_browser::{Browser, assert_good_everywhere};

use super::house::House;
use crate::cli::player;
use crate::support::player_in_c;

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
    browser.wait("document.querySelector('#curl').textContent.includes('/api/submit')");
    assert_good_everywhere(&mut browser, "the page for handing in");
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
