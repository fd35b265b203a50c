//! Turns the kernel's information about a process into its player's fault.

use std::time::Duration;

use amazons_sandbox::confinement::name_of;
use amazons_sandbox::report::{CrashReport, FRAMES_MAX, OF_32_BITS, STACK_FULL};
use amazons_sandbox::text::printable;
use amazons_sandbox::{
    DISCONNECTED, Error, Interference, Overrun, Process, ProcessEnd, REPORTED, Refusal, WHERE, backtrace, is_foreign,
    kernel_kills, signal_name,
};

use super::error::HostError;
use super::library::FUNCTIONS;
use super::load_error::{DESCRIPTORS, Explanation, clash_advice, clashes, closed_to_others, sanitizer};
use super::time_account::TimeAccount;
use crate::referee::{Call, Clock, Fault, Termination, Usage};

/// The status with which the dynamic loader ends a process that calls an undefined function.
pub(crate) const UNDEFINED_SYMBOL: i32 = 127;

/// The code of a SIGSYS raised by the system call filter, from the kernel's headers.
const SYS_SECCOMP: i32 = 1;

/// Judges a process that ended by itself during a call.
/// Fails when the machine ran out of memory although the player kept to its limit.
pub(super) fn ended(call: Call, ending: ProcessEnd, process: &Process, printed: &[u8]) -> Result<Fault, HostError> {
    let fault = match ending {
        ProcessEnd::Killed { signal, .. } => {
            if signal == libc::SIGKILL && kernel_kills() > process.parent().kernel_kills() {
                return Err(Error::MachineMemory.into());
            }
            killed(call, signal, process)
        }
        ProcessEnd::Exited { status: DISCONNECTED, .. } => {
            Fault { exit_code: Some(DISCONNECTED), ..disconnected(call) }
        }
        ProcessEnd::Exited { status, .. } => {
            let hint = match status {
                UNDEFINED_SYMBOL => " (often an undefined function: see the log)",
                _ => "",
            };
            let detail = format!("ended its process with status {status}{hint}");
            Fault { exit_code: Some(status), ..Fault::new(Termination::Exit, call, detail) }
        }
        ProcessEnd::Unknown => {
            let detail = "ended its process while another process traced it, so the cause is unknown".to_owned();
            Fault::new(Termination::ProtocolError, call, detail)
        }
    };
    let ended_itself = matches!(fault.termination, Termination::Crash | Termination::Exit);
    let remedy = if ended_itself { remedy(&fault, process, &String::from_utf8_lossy(printed)) } else { None };
    Ok(fault.with_remedy(remedy))
}

/// Returns what to do about the end of a process: about its file, or about what was refused to it in the call.
fn remedy(fault: &Fault, process: &Process, printed: &str) -> Option<String> {
    let path = &process.spec().path;
    let may_be_built_wrong = fault.call == Call::Load || fault.exit_code == Some(UNDEFINED_SYMBOL);
    if let Some(explained) = may_be_built_wrong.then(|| sanitizer(path)).flatten() {
        return Some(explained);
    }
    let limit = "allow them with --threads N (in a plan: threads = N)";
    match process.refused() {
        Some(Refusal::Thread) => return Some(format!("starting a thread was refused: {limit}")),
        Some(Refusal::Process) => {
            return Some("starting a process was refused: a player may start no processes and no programs".to_owned());
        }
        Some(Refusal::Program) => {
            return Some("running a program was refused: a player may start no processes and no programs".to_owned());
        }
        None => {}
    }
    // Where several threads are allowed, the kernel counts them, and tells only the player that there are enough.
    if process.spec().threads > 1 && NO_MORE_THREADS.split('|').any(|words| printed.contains(words)) {
        return Some(format!("starting a thread beyond --threads {} was refused: {limit}", process.spec().threads));
    }
    let closed = closed_to_others(path.parent()?).filter(|_| printed.contains(DESCRIPTORS))?;
    let whose = "so the player cannot tell its own folder, nor read it, even with --allow-read: chmod o+rx";
    Some(format!("the players' user may not enter {}, {whose}", closed.display()))
}

/// Words that languages print when the kernel allows no more threads.
const NO_MORE_THREADS: &str = "Resource temporarily unavailable|errno=11|failed to spawn thread|\
    can't start new thread|unable to create native thread|hread creation failed|creating thread|TASKING_ERROR";

fn killed(call: Call, signal: i32, process: &Process) -> Fault {
    // The player can also write reports; one that contradicts the kernel is not shown.
    let report = process.report().filter(|report| report.signal == signal);
    let backtrace = report.map_or_else(Vec::new, |report| backtrace(process, report));
    let place = place(&backtrace);
    let name = signal_name(signal);
    let is_violation = signal == libc::SIGSYS && process.sandbox().is_some_and(|sandbox| sandbox.seccomp);
    let detail = match report {
        Some(report) if is_violation && report.code == SYS_SECCOMP => {
            let call = match report.system_call {
                number @ OF_32_BITS.. => format!("system call {} of 32-bit code", number - OF_32_BITS),
                number => name_of(number).map_or_else(|| format!("system call {number}"), str::to_owned),
            };
            format!("called {call}, which the sandbox forbids{place}")
        }
        Some(report) if has_address(signal, Some(report)) => {
            let hint = match report.system_call {
                _ if report.frames.len() >= FRAMES_MAX => " (is its stack full, by a recursion?)",
                STACK_FULL => " (its stack is full: it may grow to 64 MiB, and large arrays belong on the heap)",
                _ => "",
            };
            format!("killed by {name} at address {:#x}{place}{hint}", report.address)
        }
        None if is_violation => {
            format!("killed by {name} for a system call whose name is unknown, as the player had blocked this signal")
        }
        _ if signal == libc::SIGKILL => format!("killed by {name} that the server did not send"),
        None if REPORTED.contains(&signal) => {
            let full = if process.spec().threads > 1 { ", or a thread's stack was full" } else { "" };
            format!("killed by {name}; where is unknown, as its own handler took this signal{full}")
        }
        _ => format!("killed by {name}{place}"),
    };
    let is_in_c_library = |line: &String| ["libc.so", "libm.so"].iter().any(|library| line.starts_with(library));
    let clash = match backtrace.first() {
        Some(line) if has_address(signal, report) && is_in_c_library(line) => {
            clash_advice(&clashes(&process.spec().path))
        }
        _ => None,
    };
    let termination = if is_violation { Termination::Violation } else { Termination::Crash };
    Fault { signal: Some(signal), backtrace, ..Fault::new(termination, call, detail) }.with_remedy(clash)
}

/// Returns whether the kernel gave an address with a signal: it does not if a process sent it.
fn has_address(signal: i32, report: Option<&CrashReport>) -> bool {
    report.is_some_and(|report| report.code > 0)
        && matches!(signal, libc::SIGSEGV | libc::SIGBUS | libc::SIGFPE | libc::SIGILL)
}

/// Judges an answer that came too late.
pub(super) fn late(call: Call, account: &TimeAccount, usage: Usage) -> Fault {
    let (allowance, cost) = (account.allowance(call), account.cost(usage));
    if account.clock() == Clock::Cpu && cost <= allowance.judged {
        // It did not exceed its processor time.
        let detail = format!(
            "{call} took {:.1?} on the clock ({cost:.1?} of it processor time), of {:?}, {}",
            usage.wall,
            allowance.wall,
            all_of_limit(call, account)
        );
        return Fault::new(Termination::Timeout, call, detail);
    }
    let clock = if account.clock() == Clock::Cpu { "of processor time" } else { "on the clock" };
    let idle = match usage.idle_cpu.as_micros() {
        0 => String::new(),
        _ => format!(", {:.1?} of it in its opponent's turn", usage.idle_cpu),
    };
    let detail = format!("{call} took {cost:.1?} {clock}{idle}, of {}", limit(call, account));
    Fault::new(Termination::Timeout, call, detail)
}

/// Judges a process that was killed because it computed for too long.
pub(super) fn exhausted(call: Call, account: &TimeAccount) -> Fault {
    let detail = format!("{call} did not return within {} of processor time", limit(call, account));
    Fault::new(Termination::Timeout, call, detail)
}

/// Judges a process that was killed because the wall clock ran out.
pub(super) fn silent(call: Call, account: &TimeAccount) -> Fault {
    let detail = match account.clock() {
        Clock::Wall => format!("{call} did not return within {}", limit(call, account)),
        Clock::Cpu => {
            let (wall, all) = (account.allowance(call).wall, all_of_limit(call, account));
            format!("{call} did not return within {wall:?} on the clock, {all}")
        }
    };
    Fault::new(Termination::Timeout, call, detail)
}

/// Adds to the fault of a player that was late by so much what the machine did meanwhile, which may excuse it.
pub(crate) fn beside(fault: Fault, interference: Interference, late_by: Duration) -> Fault {
    let detail = format!("{}{interference}", fault.detail);
    Fault { detail, machine: Some(interference), is_excused: late_by <= interference.excuse(), ..fault }
}

/// Adds where the player was, if its process reported that.
pub(super) fn located(fault: Fault, process: &Process) -> Fault {
    let Some(report) = process.report().filter(|report| report.signal == WHERE) else { return fault };
    let backtrace = backtrace(process, report);
    let detail = format!("{}{}", fault.detail, place(&backtrace));
    Fault { backtrace, detail, ..fault }
}

/// Returns the innermost function of the player whose place in its own source is known.
fn place(backtrace: &[String]) -> String {
    let is_own = |line: &&String| line.split_once(" at ").is_some_and(|(function, file)| !is_foreign(function, file));
    let known = backtrace.iter().find(is_own);
    known.map_or_else(String::new, |line| format!(" in {}", line.rsplit_once(" (").unwrap_or((line, "")).0))
}

/// Returns the limit of a call, in words.
fn limit(call: Call, account: &TimeAccount) -> String {
    let of = if account.is_bank_short(call) { " left of its game's time" } else { "" };
    format!("{:?}{of}", account.allowance(call).judged)
}

/// Explains why time on the clock ends a call whose processor time is limited.
fn all_of_limit(call: Call, account: &TimeAccount) -> String {
    format!("which is all that a limit of {} allows", limit(call, account))
}

/// Judges a process that was killed for exceeding another limit.
pub(super) fn over(call: Call, overrun: Overrun) -> Fault {
    let detail = match overrun {
        Overrun::Time(used) => format!("computed for {used:.1?} while its opponent was to move"),
        overrun => overrun.to_string(),
    };
    Fault::new(of_overrun(overrun), call, detail)
}

/// Returns the broken rule.
pub(super) const fn of_overrun(overrun: Overrun) -> Termination {
    match overrun {
        Overrun::Memory(_) => Termination::OutOfMemory,
        Overrun::Time(_) => Termination::Timeout,
        Overrun::Threads { .. } | Overrun::Headless => Termination::Violation,
    }
}

/// Judges a process that lives without its pipes to the server, or ended because of that.
pub(super) fn disconnected(call: Call) -> Fault {
    Fault::new(Termination::ProtocolError, call, "the connection to the server was closed or damaged".to_owned())
}

/// Judges bytes other than the reply.
pub(super) fn broken(call: Call, what: &str) -> Fault {
    let detail = format!("something wrote to the server's pipe: {what}");
    Fault::new(Termination::ProtocolError, call, detail)
}

/// Returns the names of the functions that a library lacks.
pub(crate) fn missing_functions(fault: &Fault) -> Vec<&'static str> {
    FUNCTIONS.into_iter().enumerate().filter(|(bit, _)| fault.missing & 1 << bit != 0).map(|(_, name)| name).collect()
}

/// Judges a library that is not a player; the player's constructors may have forged the reason.
pub(super) fn not_loaded((reason, remedy): Explanation, missing: u32) -> Fault {
    let fault = Fault::new(Termination::LoadError, Call::Load, printable(reason.as_bytes()));
    Fault { missing, ..fault }.with_remedy(remedy.map(|remedy| printable(remedy.as_bytes())))
}
