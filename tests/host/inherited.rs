//! Inherited settings of the server that must not affect verdicts.

use std::ffi::c_int;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

use serde_json::Value;

use super::rig::{Rig, Source};
use crate::support;

/// Needed to raise a hard limit; its number in the kernel's interface.
const CAP_SYS_RESOURCE: c_int = 24;

/// Plays a game in the installed server, whose process `prepare` has tampered with, and returns the fault.
///
/// `prepare` runs between fork and exec: it may only make system calls.
fn fault_of(rig: &Rig, prepare: fn() -> io::Result<()>) -> Value {
    let mut server = Command::new(support::server());
    server.args(["-m", "5", "--first", "1", "--json"]).args([rig.library(), rig.library()]);
    // SAFETY: the functions below make system calls and nothing else.
    unsafe { server.pre_exec(prepare) };
    let output = server.output().expect("the server can be run");
    let text = String::from_utf8(output.stdout).expect("JSON is text");
    let mut events = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line is an event"));
    let fault = events.find(|event| event["event"] == "fault");
    fault.unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)))
}

fn ignore_children() -> io::Result<()> {
    // SAFETY: ignoring a signal runs no code.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
    Ok(())
}

/// Allows files of 100 KiB, as `ulimit -f` does, to a user who cannot undo that.
fn limit_files() -> io::Result<()> {
    // SAFETY: the call takes numbers only. Without the privilege it fails, and there is nothing to lose.
    unsafe { libc::prctl(libc::PR_CAPBSET_DROP, CAP_SYS_RESOURCE) };
    let limit = libc::rlimit { rlim_cur: 100 << 10, rlim_max: 100 << 10 };
    // SAFETY: the limit is read during the call only.
    match unsafe { libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[test]
fn a_parent_that_ignores_its_children_changes_no_verdict() {
    let event = fault_of(&Source::new().play("exit(3);").build(), ignore_children);
    assert_eq!((&event["termination"], &event["exit_code"]), (&"exit".into(), &3.into()), "{event}");
}

#[test]
fn a_limit_on_files_leaves_less_for_the_log_and_the_game_as_it_is() {
    let body = "struct rlimit size; getrlimit(RLIMIT_FSIZE, &size); exit(size.rlim_max == 100 << 10 ? 3 : 4);";
    let event = fault_of(&Source::new().top("#include <sys/resource.h>").play(body).build(), limit_files);
    assert_eq!((&event["termination"], &event["exit_code"]), (&"exit".into(), &3.into()), "{event}");
}
