//! The value of isolation: the behaviours without the sandbox, as a table.
//!
//! `AMAZONS_HOSTILE_SURVEY=off cargo test -- hostile::survey --nocapture` plays them in turn with `--sandbox off`. Run
//! it on a machine that may be damaged.

use std::env;

use super::behaviour::Behaviour;
use super::game::{self, Seating, User};

const MODE: &str = "AMAZONS_HOSTILE_SURVEY";

#[test]
fn survey() {
    let Ok(mode) = env::var(MODE) else {
        return;
    };
    // A server that has no such option yet takes none.
    let sandbox = Some(&*mode).filter(|mode| *mode != "none");
    let seating = Seating { user: User::Present, number: 1 };
    println!("| behaviour | without sandbox |\n|---|---|");
    for behaviour in Behaviour::all() {
        let told = match behaviour.skipped(seating) {
            Some(reason) => format!("(skipped: {reason})"),
            None => told(&behaviour, &game::findings(&behaviour, seating, sandbox)),
        };
        println!("| {} | {} |", behaviour.name, told.replace('|', "\\|").replace('\n', " "));
    }
}

/// The behaviour's own description if the game confirms it, otherwise the findings.
fn told(behaviour: &Behaviour, findings: &[String]) -> String {
    match (&behaviour.harm, findings) {
        (None, []) => "as with it".to_owned(),
        (Some(harm), []) => format!("as with it (not: {harm})"),
        (Some(harm), _) => harm.clone(),
        (None, _) => findings.join("; "),
    }
}
