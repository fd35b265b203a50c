//! The pages in a browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use amazons_browser::{Browser, assert_good_everywhere};

use crate::support::PROGRAM;

fn made(name: &str, args: &[&str]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    let output = Command::new(PROGRAM).args(args).arg(&path).output().expect("the program runs");
    assert!(output.status.success(), "{args:?}: {output:?}");
    path
}

#[test]
fn a_finished_game_can_be_read() {
    let small = made("page.html", &["auto", "--secret", "1455", "--html"]);
    let wide = made("wide.html", &["auto", "--game", "5x9r", "--strategy", "first", "--secret", "98765", "--html"]);
    let Some(mut browser) = Browser::start() else { return };
    for (page, guesses) in [(small, 4..=7), (wide, 5..=20)] {
        browser.open(&format!("file://{}", page.display()));
        assert_good_everywhere(&mut browser, "a game");
        let rows = browser.eval("document.querySelectorAll('tbody tr').length").as_u64().expect("rows");
        assert!(guesses.contains(&rows), "{rows}");
        assert_eq!(browser.eval("document.querySelectorAll('svg circle').length"), rows + 1);
    }
}

#[test]
fn the_helper_helps_at_a_real_board() {
    let page = made("board.html", &["helper", "--game", "4x10n"]);
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&format!("file://{}", page.display()));
    browser.wait("document.querySelector('#next').textContent === '0123'");
    assert_good_everywhere(&mut browser, "an empty helper");
    let add = |browser: &mut Browser, code: &str, black: u32, white: u32| {
        browser.eval(&format!(
            "(() => {{ document.querySelector('#code').value = '{code}'; document.querySelector('#black').value = \
             {black}; document.querySelector('#white').value = {white}; \
             document.querySelector('#form button').click(); }})()"
        ));
    };
    add(&mut browser, "0123", 1, 1);
    add(&mut browser, "4056", 0, 2);
    browser.wait("document.querySelector('#next').textContent === '0571'");
    browser.wait("document.querySelector('#left').textContent.includes('180')");
    assert_good_everywhere(&mut browser, "a helper with two guesses");
    // A slip is explained and changes nothing; contradictions say so.
    add(&mut browser, "00x2", 1, 1);
    browser.wait("document.querySelector('#wrong').textContent !== ''");
    assert_eq!(browser.eval("document.querySelectorAll('#turns li').length"), 2);
    add(&mut browser, "0123", 3, 0);
    assert_good_everywhere(&mut browser, "answers that contradict each other");
    let left = "document.querySelector('#left').textContent";
    let why = "No code fits: the answer to guess 3 (0123: 3 black, 0 white) contradicts guess 1. Change the wrong one.";
    assert_eq!(browser.eval(left), why);
    // A reload keeps the guesses, and what is half typed.
    browser.eval("(() => { document.querySelector('#code').value = '45'; document.querySelector('#code').dispatchEvent(new Event('input', { bubbles: true })); })()");
    browser.eval("window.isOld = true; location.reload()");
    browser.wait("!window.isOld && document.querySelectorAll('#turns li').length === 3");
    assert_eq!(browser.eval(left), why);
    assert_eq!(browser.eval("document.querySelector('#code').value"), "45");
    // Any guess can be corrected or deleted, and everything can be taken back.
    let press = |browser: &mut Browser, guess: usize, button: usize| {
        browser.eval(&format!(
            "document.querySelectorAll('#turns li')[{guess}].querySelectorAll('button')[{button}].click()"
        ));
    };
    press(&mut browser, 0, 0);
    assert_eq!(browser.eval("document.querySelector('#add').textContent"), "Change guess 1");
    add(&mut browser, "0123", 3, 0);
    browser.wait(&format!("{left}.endsWith('codes fit.') || {left}.startsWith('No code fits: the answer to guess 2')"));
    let undo = "document.querySelector('#undo').click()";
    browser.eval(undo);
    assert_eq!(browser.eval(left), why);
    press(&mut browser, 2, 1);
    browser.wait(&format!("{left}.includes('180')"));
    // A guess that cannot be the secret.
    add(&mut browser, "1111", 0, 0);
    browser.wait("document.querySelectorAll('#turns li').length === 3");
    browser.eval(undo);
    browser.eval("document.querySelector('#again').click()");
    browser.wait("document.querySelector('#next').textContent === '0123'");
    assert_eq!(browser.eval("document.querySelectorAll('#turns li').length"), 0);
    browser.eval(undo);
    browser.wait(&format!("{left}.includes('180')"));
}
