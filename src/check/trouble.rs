//! Explains a player's mistakes to its author.

use std::env;
use std::path::Path;

use super::leaks::LeakSearch;
use crate::host::UNDEFINED_SYMBOL;
use crate::referee::{Call, Fault, FaultEvent, Termination, divided};
use crate::text::gist;

/// The number of the player's lines to show: a panic takes a few.
const LAST_LINES: usize = 4;

/// The move by which a player resigns.
const GIVES_UP: [u32; 3] = [u32::MAX; 3];

/// A fault and its place.
#[derive(Clone, Debug)]
pub(super) struct Trouble {
    pub(super) termination: Termination,
    pub(super) call: Call,
    pub(super) reason: String,
    exit_code: Option<i32>,
    /// The remedy, if the fault includes one.
    remedy: Option<String>,
    /// The position in a game.
    position: Option<String>,
    gave_up: bool,
}

impl Trouble {
    /// A fault in a call outside of games.
    pub(super) fn of_visit(place: &str, fault: &Fault, log_tail: &[String]) -> Self {
        let (detail, remedy) = divided(&fault.detail, fault.remedy_at);
        Self {
            termination: fault.termination,
            call: fault.call,
            reason: format!("{place}: {}", told(fault.termination, fault.call, detail, log_tail)),
            exit_code: fault.exit_code,
            remedy: remedy.map(str::to_owned),
            position: None,
            gave_up: false,
        }
    }

    pub(super) fn of_game(place: &str, fault: &FaultEvent) -> Self {
        let ply = fault.ply.map_or_else(String::new, |ply| format!(", ply {ply}"));
        let (detail, remedy) = divided(&fault.detail, fault.remedy_at);
        let what = told(fault.termination, fault.call, detail, &fault.log_tail);
        Self {
            termination: fault.termination,
            call: fault.call,
            reason: format!("{place}{ply}: {what}"),
            exit_code: fault.exit_code,
            remedy: remedy.map(str::to_owned),
            position: Some(fault.position.clone()),
            gave_up: fault.answer == Some(GIVES_UP),
        }
    }

    /// Returns whether this is likely the same mistake.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.termination, self.call) == (other.termination, other.call)
    }

    /// Returns advice; `player` is the player's file.
    pub(super) fn advice(&self, player: &str, search: LeakSearch) -> String {
        if let Some(remedy) = &self.remedy {
            return remedy.clone();
        }
        match self.termination {
            Termination::IllegalMove if self.gave_up => {
                "it could still move: find out why it answers three times UINT_MAX; in Rust, a panic also does that"
                    .to_owned()
            }
            Termination::IllegalMove => match &self.position {
                Some(position) => {
                    let board = position.split(' ').take(2).collect::<Vec<_>>().join(" ");
                    format!("the legal moves are: server moves --position '{board}'")
                }
                None => "check how it finds its moves".to_owned(),
            },
            Termination::Timeout if self.call == Call::Play => {
                "think less: AMAZONS_MOVE_CPU_MS in its environment gives the limit; --move-time changes it".to_owned()
            }
            Termination::Timeout => "do less in this call, or look for an endless loop".to_owned(),
            Termination::Crash => {
                // Two copies of a C++ player would share variables; who has the server alone has nothing else.
                let exe = env::current_exe().unwrap_or_default();
                let random = exe.with_file_name("random.so");
                let opponent = if random.is_file() { &random } else { Path::new(player) }.display();
                let gdb = format!(
                    "debug it: gdb --args {} --isolation none {player} {opponent}, built with -g; the sandbox is off \
                     there, so files, threads and sockets work",
                    exe.display()
                );
                if self.position.is_some() && search == LeakSearch::Counting {
                    return format!("{gdb}; memory may have been overwritten before: server check --valgrind {player}");
                }
                gdb
            }
            Termination::Exit if self.exit_code == Some(UNDEFINED_SYMBOL) => {
                "define each function that it calls, or link the library that has it (-l)".to_owned()
            }
            Termination::Exit => "do not end the process: answer three times UINT_MAX to give up".to_owned(),
            Termination::Violation => {
                "do without this system call: nothing that a player needs is forbidden".to_owned()
            }
            Termination::OutOfMemory => "keep less memory, or allow more with --memory".to_owned(),
            Termination::ProtocolError => "use no descriptor that it did not open itself".to_owned(),
            Termination::LoadError => {
                "build it with -shared -fPIC for this machine, and name the libraries it needs".to_owned()
            }
            Termination::NoMoves
            | Termination::Resign
            | Termination::MaxMoves
            | Termination::Counted
            | Termination::Void => String::new(),
        }
    }
}

fn told(termination: Termination, call: Call, detail: &str, log_tail: &[String]) -> String {
    let what = match termination {
        Termination::IllegalMove => format!("illegal answer: {detail}"),
        Termination::Timeout => detail.to_owned(),
        // Its place says so already.
        _ if call == Call::Load => detail.to_owned(),
        _ => format!("{call}: {detail}"),
    };
    // Text that Rust adds to every panic does not help.
    let says_something =
        |line: &&String| !line.trim().is_empty() && !line.starts_with("note: run with `RUST_BACKTRACE");
    let last: Vec<&str> = log_tail.iter().filter(says_something).map(|line| line.trim()).collect();
    // A backtrace may follow the line that matters.
    match gist(&last, LAST_LINES) {
        [] => what,
        last => format!("{what}; it printed '{}'", last.join(" | ")),
    }
}
