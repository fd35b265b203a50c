//! Hostile players: each file `*.c` of this folder tries one thing, and its first lines say how the game must end.
//!
//! A game that ends as expected is not enough: no process, file or other object may be left, the rival must be
//! unaffected, and the record must be whole. See `hostile.h` for the parts of a behaviour.

#[macro_use]
mod list;
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

/// Games beyond the first, for a player that was late.
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
    let mut findings = game::findings(&behaviour, seating, None);
    // A machine that stands still makes anyone late: only for that it is played again.
    for _ in 0..RETRIES {
        if findings.is_empty() || !findings.iter().all(|finding| finding.contains("timeout")) {
            break;
        }
        println!("{name}, once more: {}", findings.join("\n  "));
        findings = game::findings(&behaviour, seating, None);
    }
    assert!(findings.is_empty(), "{name}: {}\n  {}", behaviour.expected, findings.join("\n  "));
}

macro_rules! tests {
    ($($name:ident)*) => {
        $(#[test] fn $name() { super::check(stringify!($name), SEATING); })*
    };
}

mod present {
    use super::{Seating, User};

    const SEATING: Seating = Seating { user: User::Present, number: 1 };

    behaviours!(tests);
}

mod second {
    use super::{Seating, User};

    const SEATING: Seating = Seating { user: User::Present, number: 2 };

    behaviours!(tests);
}

mod unprivileged {
    use super::{Seating, User};

    const SEATING: Seating = Seating { user: User::Nobody, number: 1 };

    behaviours!(tests);
}
