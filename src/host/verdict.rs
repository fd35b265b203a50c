//! From what the kernel tells about a process to what its player is charged with.

use std::time::Duration;

use super::child::DISCONNECTED;
use super::process::Ending;
use crate::referee::{Call, Fault, Termination};
use crate::text::printable;

/// How the dynamic loader ends a process that calls a function nobody defines.
const UNDEFINED_SYMBOL: i32 = 127;

fn fault(termination: Termination, call: Call, detail: String) -> Fault {
    Fault { termination, call, detail, signal: None, exit_code: None }
}

/// The process ended by itself during a call.
pub(super) fn ended(call: Call, ending: Ending) -> Fault {
    match ending {
        Ending::Killed(signal) => {
            let hint = match signal {
                libc::SIGKILL => " that the server did not send (out of memory?)",
                _ => "",
            };
            let detail = format!("killed by {}{hint}", signal_name(signal));
            Fault { signal: Some(signal), ..fault(Termination::Crash, call, detail) }
        }
        Ending::Exited(DISCONNECTED) => Fault { exit_code: Some(DISCONNECTED), ..disconnected(call) },
        Ending::Exited(code) => {
            let hint = match code {
                UNDEFINED_SYMBOL => " (often a function that is defined nowhere: see the log)",
                _ => "",
            };
            let detail = format!("ended its process with status {code}{hint}");
            Fault { exit_code: Some(code), ..fault(Termination::Exit, call, detail) }
        }
        Ending::Untold => {
            let detail = "ended its process while another process traced it, so that nobody knows how".to_owned();
            fault(Termination::ProtocolError, call, detail)
        }
    }
}

/// The process was killed because a call took too long.
pub(super) fn late(call: Call, limit: Duration) -> Fault {
    let detail = format!("{call} did not return within {limit:?}");
    fault(Termination::Timeout, call, detail)
}

/// The process lives without the pipes to the server, or ended because of that.
pub(super) fn disconnected(call: Call) -> Fault {
    fault(Termination::ProtocolError, call, "the connection to the server was closed or damaged".to_owned())
}

/// Something else than a reply came.
pub(super) fn broken(call: Call, what: &dyn std::error::Error) -> Fault {
    let detail = format!("something wrote to the server's pipe: {what}");
    fault(Termination::ProtocolError, call, detail)
}

/// The library is no player; `reason` was said next to the player's constructors and is not to be trusted.
pub(super) fn not_loaded(reason: &[u8]) -> Fault {
    fault(Termination::LoadError, Call::Load, printable(reason))
}

/// The name of a signal as C spells it.
pub(super) fn signal_name(signal: i32) -> String {
    let name = match signal {
        libc::SIGHUP => "SIGHUP",
        libc::SIGINT => "SIGINT",
        libc::SIGQUIT => "SIGQUIT",
        libc::SIGILL => "SIGILL",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGKILL => "SIGKILL",
        libc::SIGUSR1 => "SIGUSR1",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGUSR2 => "SIGUSR2",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGALRM => "SIGALRM",
        libc::SIGTERM => "SIGTERM",
        libc::SIGXCPU => "SIGXCPU",
        libc::SIGSYS => "SIGSYS",
        _ => return format!("signal {signal}"),
    };
    name.to_owned()
}
