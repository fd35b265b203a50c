//! The first lines of a behaviour.

use std::ffi::CStr;
use std::fmt;

use super::game::{Seating, User, is_root};
use super::{SOURCES, stage};
use crate::support;

/// The required end of a behaviour's game.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// The game reaches its normal end.
    PlaysOn,
    /// The player's one fault.
    Fault(Charge),
}

/// A fault, with its known details.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Charge {
    pub(super) termination: String,
    pub(super) call: String,
    pub(super) signal: Option<i32>,
    pub(super) status: Option<i32>,
}

/// A behaviour with the content of its first lines.
#[derive(Debug)]
pub(super) struct Behaviour {
    pub(super) name: &'static str,
    pub(super) source: &'static str,
    pub(super) expected: Expected,
    /// Options of the server, replacing the suite's.
    pub(super) options: Vec<(String, String)>,
    /// Further arguments of the compiler.
    pub(super) build: Vec<String>,
    /// The damage without a sandbox.
    pub(super) harm: Option<String>,
    /// Whether the rival takes its time.
    pub(super) slow_rival: bool,
    needs_root: bool,
    /// Too slow to play again as player 2.
    once: bool,
    /// It does something that a coverage build must allow.
    coverage: bool,
}

impl Behaviour {
    /// Every behaviour.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        SOURCES.iter().map(|&(name, source)| Self::read(name, source))
    }

    /// The behaviour of this name.
    pub(super) fn named(name: &str) -> Self {
        let &(name, source) = SOURCES.iter().find(|(known, _)| *known == name).expect("the list has it");
        Self::read(name, source)
    }

    fn read(name: &'static str, source: &'static str) -> Self {
        let of = |key: &str| {
            let mut comments = source.lines().map_while(|line| line.strip_prefix("// "));
            comments.find_map(|line| line.strip_prefix(key)?.strip_prefix(": "))
        };
        let words = |key| of(key).unwrap_or_default().split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let expected = of("expect").unwrap_or_else(|| panic!("{name}.c does not say what to expect"));
        // The C library gave up executable stacks that were not there from the start.
        let expected = of("since glibc 2.41").filter(|_| glibc_minor() >= 41).unwrap_or(expected);
        let options = words("options");
        assert!(options.len() % 2 == 0, "{name}.c: an option without a value");
        Self {
            name,
            source,
            expected: Expected::read(expected).unwrap_or_else(|| panic!("{name}.c: what is {expected:?}?")),
            options: options.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect(),
            build: words("build"),
            harm: of("harm").map(str::to_owned),
            slow_rival: of("rival") == Some("slow"),
            needs_root: of("needs") == Some("root"),
            once: of("once").is_some(),
            coverage: of("coverage").is_some(),
        }
    }

    /// Returns why this behaviour cannot or need not be played that way.
    pub(super) fn skipped(&self, seating: Seating) -> Option<&'static str> {
        let as_root = is_root() && seating.user == User::Present;
        if !stage::has_compiler() {
            Some("no C compiler")
        } else if seating.user == User::Nobody && !is_root() {
            Some("only root can run the server as another user")
        } else if self.needs_root && !as_root {
            Some("only root can try this attack")
        } else if seating.number == 2 && self.is_slow() {
            Some("too slow to be played twice")
        } else if self.coverage && support::server_counts() {
            Some("allowed where coverage is measured")
        } else {
            None
        }
    }

    fn is_slow(&self) -> bool {
        let waits = |charge: &Charge| ["timeout", "out_of_memory"].contains(&&*charge.termination);
        self.once || matches!(&self.expected, Expected::Fault(charge) if waits(charge))
    }
}

impl Expected {
    /// Reads `plays on`, `fault in finalize: TERMINATION...` or `TERMINATION in CALL[, signal NAME][, status N]`.
    fn read(text: &str) -> Option<Self> {
        if text == "plays on" {
            return Some(Self::PlaysOn);
        }
        let mut parts = text.split(", ");
        let head = parts.next()?;
        let (termination, call) = match head.strip_prefix("fault in finalize: ") {
            Some(termination) => (termination, "finalize"),
            None => head.split_once(" in ")?,
        };
        let mut charge =
            Charge { termination: termination.replace(' ', "_"), call: call.to_owned(), signal: None, status: None };
        for part in parts {
            match part.split_once(' ')? {
                ("signal", name) => charge.signal = Some(signal(name)?),
                ("status", number) => charge.status = Some(number.parse().ok()?),
                _ => return None,
            }
        }
        let calls = ["load", "initialize", "name", "play", "finalize"];
        calls.contains(&&*charge.call).then_some(Self::Fault(charge))
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PlaysOn => f.write_str("plays on"),
            Self::Fault(charge) => charge.fmt(f),
        }
    }
}

impl fmt::Display for Charge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", self.termination, self.call)?;
        if let Some(signal) = self.signal {
            write!(f, ", signal {signal}")?;
        }
        match self.status {
            Some(status) => write!(f, ", status {status}"),
            None => Ok(()),
        }
    }
}

/// The 41 of glibc 2.41.
fn glibc_minor() -> u32 {
    // SAFETY: the call has no preconditions.
    let version = unsafe { libc::gnu_get_libc_version() };
    // SAFETY: it is a string of C that lives for ever.
    let version = unsafe { CStr::from_ptr(version) };
    let minor = version.to_str().ok().and_then(|version| version.strip_prefix("2.")?.parse().ok());
    minor.expect("a version of glibc 2")
}

fn signal(name: &str) -> Option<i32> {
    macro_rules! signals {
        ($($name:ident)*) => { [$((stringify!($name), libc::$name)),*] };
    }
    let known = signals! {
        SIGABRT SIGALRM SIGBUS SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGKILL SIGPIPE SIGPROF SIGQUIT SIGSEGV SIGSYS SIGTERM
        SIGTRAP SIGUSR1 SIGUSR2 SIGVTALRM SIGXCPU
    };
    known.into_iter().find_map(|(known, signal)| (known == name).then_some(signal))
}
