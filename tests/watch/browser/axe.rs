use std::env;

use amazons_browser::{Browser, findings};
use amazons_testing::skip;

#[test]
fn axe_finds_what_is_wrong() {
    if env::var_os("AMAZONS_AXE").is_none() {
        return skip("axe-core was not tried: AMAZONS_AXE does not name its axe.min.js");
    }
    let Some(mut browser) = Browser::start() else { return };
    browser.open("data:text/html,<html lang=en><title>t</title><main><h1>t</h1><button></button></main></html>");
    let found = findings(&mut browser);
    assert!(found.len() == 1 && found[0].as_str().is_some_and(|text| text.starts_with("button-name: ")), "{found:?}");
}
