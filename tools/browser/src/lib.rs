//! A real browser for the tests of pages.
//!
//! [`Browser`] drives Chromium through pipes by its DevTools protocol, and reports if it is missing. [`assert_good`]
//! checks the open page by our own rules and by those of axe-core. [`Served`] is a program with pages, asked without one.

#![forbid(unsafe_code)]

mod axe;
mod chromium;
mod served;

use serde_json::{Value, json};

pub use axe::findings;
pub use chromium::Browser;
pub use served::Served;

const CHECKS: &str = include_str!("checks.js");

/// Checks that the open page is readable and usable for everyone, in light and dark mode, and that nothing on it went
/// wrong.
///
/// # Panics
/// When it is not.
pub fn assert_good(browser: &mut Browser, page: &str) {
    let is_dark = browser.eval("matchMedia('(prefers-color-scheme: dark)').matches") == true;
    let schemes = if is_dark { ["light", "dark"] } else { ["dark", "light"] };
    // The last one is what the page had.
    for scheme in schemes {
        browser.prefer("prefers-color-scheme", scheme);
        assert_eq!(browser.eval(CHECKS), json!([]), "{page}, {scheme}");
        assert_eq!(findings(browser), [Value::Null; 0], "{page}, {scheme}");
    }
    assert_eq!(browser.complaints, [""; 0], "{page}");
}

/// Checks the open page on a phone and on a large screen, in light and dark mode.
///
/// # Panics
/// When it is not good, or wider than the screen.
pub fn assert_good_everywhere(browser: &mut Browser, page: &str) {
    for (width, height) in [(360, 740), (1200, 900)] {
        browser.size(width, height);
        assert_good(browser, &format!("{page}, {width}"));
        let wide = browser.eval("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert_eq!(wide, 0, "{page} is wider than {width}");
    }
}
