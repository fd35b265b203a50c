//! What a player did wrong, in words for who wrote it.

use crate::referee::{Call, Fault, FaultEvent, Termination};

/// Longer last words are left out of a line that should stay readable.
const LAST_WORDS_MAX: usize = 120;

/// A fault and where it was seen.
#[derive(Clone, Debug)]
pub(super) struct Trouble {
    pub(super) termination: Termination,
    pub(super) call: Call,
    pub(super) reason: String,
    pub(super) advice: String,
}

impl Trouble {
    /// A fault in a call outside of games.
    pub(super) fn of_visit(place: &str, fault: &Fault, log_tail: &[String]) -> Self {
        Self {
            termination: fault.termination,
            call: fault.call,
            reason: format!("{place}: {}", told(fault.termination, fault.call, &fault.detail, log_tail)),
            advice: advice(fault.termination, fault.call, None),
        }
    }

    /// A fault in a game.
    pub(super) fn of_game(place: &str, fault: &FaultEvent) -> Self {
        let ply = fault.ply.map_or_else(String::new, |ply| format!(", ply {ply}"));
        let what = told(fault.termination, fault.call, &fault.detail, &fault.log_tail);
        Self {
            termination: fault.termination,
            call: fault.call,
            reason: format!("{place}{ply}: {what}"),
            advice: advice(fault.termination, fault.call, Some(&fault.position)),
        }
    }

    /// Tells whether this is likely the same mistake.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.termination, self.call) == (other.termination, other.call)
    }
}

fn told(termination: Termination, call: Call, detail: &str, log_tail: &[String]) -> String {
    let last_words = log_tail.last().filter(|line| !line.is_empty() && line.len() <= LAST_WORDS_MAX);
    match (termination, last_words) {
        (Termination::IllegalMove, _) => format!("illegal answer: {detail}"),
        // These end a process, and who ends itself often says why.
        (Termination::Crash | Termination::Exit, Some(line)) => format!("{call}: {detail}; it printed '{line}'"),
        (Termination::Timeout, _) => detail.to_owned(),
        _ => format!("{call}: {detail}"),
    }
}

fn advice(termination: Termination, call: Call, position: Option<&str>) -> String {
    match termination {
        Termination::IllegalMove => match position {
            Some(position) => {
                let board = position.split(' ').take(2).collect::<Vec<_>>().join(" ");
                format!("the legal moves are: server moves --position '{board}'")
            }
            None => "check how it finds its moves".to_owned(),
        },
        Termination::Timeout if call == Call::Play => {
            "think less: AMAZONS_MOVE_CPU_MS in its environment tells the limit; --move-time changes it".to_owned()
        }
        Termination::Timeout => "do less in this call, or look for a loop that does not end".to_owned(),
        Termination::Crash => {
            "look for it: gdb --args server --isolation none PLAYER PLAYER, with the player built with -g".to_owned()
        }
        Termination::Exit => "do not end the process: answer three times UINT_MAX to give up".to_owned(),
        Termination::Violation => "do without this system call: nothing that a player needs is forbidden".to_owned(),
        Termination::OutOfMemory => "keep less memory, or allow more with --memory".to_owned(),
        Termination::ProtocolError => "use no descriptor that it did not open itself".to_owned(),
        Termination::LoadError => {
            "build it with -shared -fPIC for this machine, and name the libraries it needs".to_owned()
        }
        Termination::NoMoves | Termination::MaxMoves | Termination::Void => String::new(),
    }
}
