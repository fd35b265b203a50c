//! Inherited settings of the server that must not affect verdicts.

use std::ffi::c_int;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::{env, fs, io};

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
    // SAFETY: the functions below make system calls and nothing else.
    unsafe { server.pre_exec(prepare) };
    fault_in(server, rig)
}

/// Plays a game in this server and returns the fault.
fn fault_in(mut server: Command, rig: &Rig) -> Value {
    server.args(["-m", "5", "--first", "1", "--json"]).args([rig.library(), rig.library()]);
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

/// Leaves many open files to the process, as launchers of MPI jobs do, and room for few others.
fn leak_files() -> io::Result<()> {
    for _ in 0..40 {
        // SAFETY: the new number has no owner.
        if unsafe { libc::fcntl(0, libc::F_DUPFD, 3) } < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the limit is written during the call only.
    unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) };
    limit.rlim_cur = 64;
    // SAFETY: the limit is read during the call only.
    match unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// A player that counts its descriptors up to 1,024: the standard streams and the two pipes.
fn counter() -> Rig {
    Source::new()
        .play("unsigned int n = 0; for (int fd = 0; fd < 1024; fd++) n += fcntl(fd, F_GETFD) >= 0; exit(n);")
        .build()
}

#[test]
fn open_files_of_a_parent_are_in_no_players_way() {
    let event = fault_of(&counter(), leak_files);
    assert_eq!((&event["termination"], &event["exit_code"]), (&"exit".into(), &5.into()), "{event}");
}

#[test]
fn more_readable_folders_than_a_player_may_open_are_in_no_players_way() {
    let root = tempfile::tempdir().expect("a folder");
    let folders: Vec<PathBuf> = (0..100).map(|number| root.path().join(number.to_string())).collect();
    folders.iter().for_each(|folder| fs::create_dir(folder).expect("a folder"));
    let mut server = Command::new(support::server());
    server.env("LD_LIBRARY_PATH", env::join_paths(&folders).expect("paths without colons"));
    let event = fault_in(server, &counter());
    assert_eq!((&event["termination"], &event["exit_code"]), (&"exit".into(), &5.into()), "{event}");
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

/// The server under limits on its main thread's stack.
fn version_with_stack(current: u64, maximum: u64) -> Output {
    let mut server = Command::new(support::server());
    server.arg("--version");
    let limit_stack = move || {
        let limit = libc::rlimit { rlim_cur: current, rlim_max: maximum };
        // SAFETY: the limit is read during the call only.
        match unsafe { libc::setrlimit(libc::RLIMIT_STACK, &raw const limit) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    };
    // SAFETY: the closure makes system calls and nothing else.
    unsafe { server.pre_exec(limit_stack) };
    server.output().expect("the server can be run")
}

#[test]
fn a_small_stack_is_raised_or_named() {
    let raised = version_with_stack(64 << 10, 64 << 20);
    assert_eq!(raised.status.code(), Some(0), "{raised:?}");
    let refused = version_with_stack(64 << 10, 64 << 10);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(said, "server: the stack is limited to 64 KiB: raise the limit with 'ulimit -s 8192'\n");
}
