//! Hostile players: each file `*.c` of this folder tries one thing, and its first lines say how the game must end.
//!
//! A game that ends as expected is not enough: no process, file or other object may be left, the rival must be
//! unaffected, and the record must be whole. See `hostile.h` for the parts of a behaviour.

mod behaviour;
mod game;
mod judge;
mod sources;
mod stage;
mod survey;
mod traces;
mod warden;

use amazons_testing::skip;
use behaviour::Behaviour;
use game::{Seating, User};

/// Games beyond the first where time decides.
const RETRIES: usize = 3;

/// Plays a behaviour and fails with everything that is wrong.
fn check(name: &str, seating: Seating) {
    let behaviour = Behaviour::named(name);
    if let Some(reason) = behaviour.skipped(seating) {
        // Some need not be played, and a machine that lacks something is noted.
        if reason.contains("root") || reason.contains("compiler") {
            skip(reason);
        } else {
            println!("{name}: {reason}");
        }
        return;
    }
    let tell = |findings: &[String]| format!("{name}: {}\n  {}", behaviour.expected, findings.join("\n  "));
    let mut findings = game::findings(&behaviour, seating, None);
    // A machine that stands still makes anyone late, and keeps a player that should be late from computing.
    for _ in 0..RETRIES {
        let told = tell(&findings);
        if findings.is_empty() || !told.contains("timeout") {
            break;
        }
        println!("once more: {told}");
        findings = game::findings(&behaviour, seating, None);
    }
    assert!(findings.is_empty(), "{}", tell(&findings));
}

macro_rules! tests {
    ($($name:ident)*) => {
        /// Names and texts: the installed tests need no sources.
        const SOURCES: &[(&str, &str)] = &[$((stringify!($name), include_str!(concat!(stringify!($name), ".c")))),*];

        seated! { present, User::Present, 1, $($name)* }
        seated! { second, User::Present, 2, $($name)* }
        seated! { unprivileged, User::Nobody, 1, $($name)* }
    };
}

macro_rules! seated {
    ($module:ident, $user:expr, $number:literal, $($name:ident)*) => {
        mod $module {
            use super::{Seating, User};

            const SEATING: Seating = Seating { user: $user, number: $number };

            $(#[test] fn $name() { super::check(stringify!($name), SEATING); })*
        }
    };
}

amazons_hostile::behaviours!(tests);
