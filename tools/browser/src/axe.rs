//! The rules of axe-core, the usual accessibility checker, if a copy is available.
//!
//! It is not part of the project: `AMAZONS_AXE` names the file `axe.min.js`, which comes with the Python package
//! `axe-core-python`.

use std::env;
use std::fs;
use std::sync::OnceLock;

use amazons_testing::skip;
use serde_json::Value;

use crate::chromium::Browser;

/// Runs all rules, best practices included, and one that is off by default. Style sheets are not requested again, as
/// pages allow no such requests.
const RUN: &str =
    "axe.run(document, { preload: false, resultTypes: ['violations'], rules: { 'label-content-name-mismatch': { enabled: true } } })
    .then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' ')}`))";

/// Returns the findings on the open page; none without axe-core, which is noted once.
pub fn findings(browser: &mut Browser) -> Vec<Value> {
    static AXE: OnceLock<Option<String>> = OnceLock::new();
    let read = || {
        let Some(path) = env::var_os("AMAZONS_AXE") else {
            skip(
                "pages were not checked by axe-core (pip install axe-core-python, and set AMAZONS_AXE to its axe.min.js)",
            );
            return None;
        };
        Some(fs::read_to_string(&path).unwrap_or_else(|error| panic!("AMAZONS_AXE={}: {error}", path.display())))
    };
    let Some(axe) = AXE.get_or_init(read) else { return Vec::new() };
    browser.eval(&format!("{axe}; axe.version"));
    browser.eval(RUN).as_array().expect("a list").clone()
}
