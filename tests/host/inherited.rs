//! Inherited settings of the server that must not affect verdicts.

use std::ffi::c_int;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
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

/// The server under a limit that it inherits.
fn server_within(resource: libc::__rlimit_resource_t, current: u64, maximum: u64) -> Command {
    let mut server = Command::new(support::server());
    let limit = move || {
        let limit = libc::rlimit { rlim_cur: current, rlim_max: maximum };
        // SAFETY: the limit is read during the call only.
        match unsafe { libc::setrlimit(resource, &raw const limit) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    };
    // SAFETY: the closure makes system calls and nothing else.
    unsafe { server.pre_exec(limit) };
    server
}

#[test]
fn a_small_stack_is_raised_or_named() {
    let help = |maximum| server_within(libc::RLIMIT_STACK, 64 << 10, maximum).arg("--help").output();
    let raised = help(64 << 20).expect("the server can be run");
    assert_eq!(raised.status.code(), Some(0), "{raised:?}");
    let refused = help(64 << 10).expect("the server can be run");
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(said, "server: the stack is limited to 64 KiB: raise the limit with 'ulimit -s 8192'\n");
}

/// The only line that the server prints when it refuses to play.
#[track_caller]
fn refusal(server: &mut Command, args: &[&str]) -> String {
    let random = support::player("random").display().to_string();
    let output = server.args(args).args(["-m", "5", &random, &random]).output().expect("the server can be run");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), &*output.stdout, said.lines().count()), (Some(70), &[][..], 1), "{said}");
    said
}

#[track_caller]
fn assert_plays(server: &mut Command) {
    let random = support::player("random").display().to_string();
    let output = server.args(["-q", "-m", "5", &random, &random]).output().expect("the server can be run");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn too_few_open_files_are_raised_or_named() {
    for few in [8, 12, 20, 32] {
        let said = refusal(&mut server_within(libc::RLIMIT_NOFILE, few, few), &[]);
        let limit = format!("open files, and the limit is {few}: raise it (ulimit -n 256)\n");
        assert!(said.contains("a game needs ") && said.ends_with(&limit), "{said}");
        assert_plays(&mut server_within(libc::RLIMIT_NOFILE, few, 256));
    }
    assert_plays(&mut server_within(libc::RLIMIT_NOFILE, 64, 64));
    let many = &["soak", "-n", "20", "-j", "20"];
    let said = refusal(&mut server_within(libc::RLIMIT_NOFILE, 64, 64), many);
    assert!(said.contains("20 games at a time need ") && said.contains("(ulimit -n 512)"), "{said}");
}

#[test]
fn a_limit_on_processor_time_is_no_players_fault() {
    let limited = |maximum| server_within(libc::RLIMIT_CPU, 1, maximum);
    let said = refusal(&mut limited(1), &[]);
    assert!(said.contains("processor time is limited to 1 s") && said.contains("ulimit -t unlimited"), "{said}");
    if libc::RLIM_INFINITY == hard_limit(libc::RLIMIT_CPU) {
        assert_plays(&mut limited(libc::RLIM_INFINITY));
    }
}

fn hard_limit(resource: libc::__rlimit_resource_t) -> u64 {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the limit is written during the call only.
    assert_eq!(unsafe { libc::getrlimit(resource, &raw mut limit) }, 0);
    limit.rlim_max
}

// Instrumented players need more.
#[cfg(not(coverage))]
#[test]
fn too_little_address_space_is_named() {
    let said = refusal(&mut server_within(libc::RLIMIT_AS, 30 << 20, 30 << 20), &[]);
    assert!(said.contains("30 MiB of address space are not enough"), "{said}");
    let hungry = Source::new().play("if (!malloc(1 << 30)) abort(); return previous;").build();
    let mut server = server_within(libc::RLIMIT_AS, 1 << 30, 1 << 30);
    server.args(["--memory", "2G"]);
    let event = fault_in(server, &hungry);
    let detail = event["detail"].as_str().expect("text");
    assert!(event["termination"] == "crash" && detail.contains("'ulimit -v 1048576'"), "{event}");
}
