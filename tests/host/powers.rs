//! Root without some of its rights: every player ends with its game, or does not start.

use std::ffi::c_int;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

use amazons_testing::wait_or_tell;
use rustix::process::{Signal, kill_process};
use serde_json::Value;

use super::rig::{Rig, Source};
use crate::support::{self, player_in_c, process_with, without};

/// Rights of root, as `linux/capability.h` numbers them.
const RIGHTS: [(&str, c_int); 13] = [
    ("CAP_CHOWN", 0),
    ("CAP_DAC_OVERRIDE", 1),
    ("CAP_DAC_READ_SEARCH", 2),
    ("CAP_FOWNER", 3),
    ("CAP_KILL", KILL),
    ("CAP_SETGID", SETGID),
    ("CAP_SETUID", SETUID),
    ("CAP_SETPCAP", 8),
    ("CAP_SYS_PTRACE", 19),
    ("CAP_SYS_ADMIN", 21),
    ("CAP_SYS_NICE", 23),
    ("CAP_SYS_RESOURCE", 24),
    ("CAP_PERFMON", 38),
];
const KILL: c_int = 5;
const SETGID: c_int = 6;
const SETUID: c_int = 7;
/// Setting this right aside makes the others impossible to drop.
const SETPCAP: c_int = 8;
const LAST: c_int = 40;

const HANGS: &str = "for (;;);";
const HOARDS: &str = "for (;;) { char *block = malloc(1 << 20); if (block) memset(block, 1, 1 << 20); usleep(500); }";

/// The server without these rights of root, and a variable by which its processes are known.
fn server_without(rights: &[c_int]) -> (Command, String) {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    // The processes of players inherit this variable and few others.
    let folder = format!("/nowhere/{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let mut server = Command::new(support::server());
    server.env("LD_LIBRARY_PATH", &folder);
    let mut rights = rights.to_vec();
    rights.sort_by_key(|&right| right == SETPCAP);
    let drop_rights = move || {
        for &right in &rights {
            // SAFETY: the call takes numbers only.
            if unsafe { libc::prctl(libc::PR_CAPBSET_DROP, right) } != 0 {
                let error = io::Error::last_os_error();
                // A kernel that does not know a right does not give it.
                if error.raw_os_error() != Some(libc::EINVAL) {
                    return Err(error);
                }
            }
        }
        Ok(())
    };
    // SAFETY: the function makes system calls and nothing else.
    unsafe { server.pre_exec(drop_rights) };
    (server, format!("LD_LIBRARY_PATH={folder}"))
}

/// Waits for the processes of a server that has ended; ends one that goes on.
#[track_caller]
fn assert_nothing_is_left(what: &str, variable: &str) {
    let left = || process_with(&[], Some(variable));
    let is_nothing_left = || left().is_none().then_some(());
    let end = || {
        let left = left();
        let _ = left.map(|pid| kill_process(pid, Signal::KILL));
        format!("{what}: {left:?} goes on")
    };
    wait_or_tell(is_nothing_left, end);
}

/// Runs a command of the server without these rights, and sees that nothing is left.
#[track_caller]
fn run(rights: &[c_int], args: &[&str]) -> Output {
    let (mut server, variable) = server_without(rights);
    let output = server.args(args).output().expect("the server can be run");
    assert_nothing_is_left(&format!("{args:?} without {rights:?}"), &variable);
    output
}

fn is_root() -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        amazons_testing::skip("only root has rights to give up");
    }
    is_root
}

fn all_but(kept: &[c_int]) -> Vec<c_int> {
    (0..=LAST).filter(|right| !kept.contains(right)).collect()
}

/// What a game of this player printed, as events; it was played to its end.
fn events(rights: &[c_int], player: &str) -> Vec<Value> {
    let limits = ["-m", "5", "--json", "--first", "1", "--move-time", "100ms", "--memory", "200M"];
    let random = support::player("random").display().to_string();
    let output = run(rights, &[&limits[..], &[player, &random]].concat());
    assert_eq!(output.status.code(), Some(0), "{rights:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("JSON is text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn whatever_root_may_not_do_a_hanging_player_ends_with_its_game() {
    if !is_root() {
        return;
    }
    let (_folder, hanging) = player_in_c("hanging", HANGS, "");
    for (name, right) in RIGHTS {
        let user = events(&[right], &hanging)[0]["sandbox"]["user"].clone();
        let is_lost = [KILL, SETGID, SETUID].contains(&right);
        assert_eq!(user, if is_lost { "root" } else { "stranger" }, "without {name}");
    }
    for kept in [&[SETUID, SETGID][..], &[SETUID, SETGID, SETPCAP], &[KILL], &[]] {
        assert_eq!(events(&all_but(kept), &hanging)[0]["sandbox"]["user"], "root", "with {kept:?} alone");
    }
    assert_eq!(events(&all_but(&[SETUID, SETGID, KILL]), &hanging)[0]["sandbox"]["user"], "stranger");
}

#[test]
fn whatever_root_may_not_do_a_hoarding_player_ends_with_its_game() {
    if !is_root() {
        return;
    }
    let (_folder, hoarding) = player_in_c("hoarding", HOARDS, "");
    for rights in [vec![KILL], all_but(&[SETUID, SETGID]), vec![19, 23, 24]] {
        let events = events(&rights, &hoarding);
        let fault = events.iter().find(|event| event["event"] == "fault").expect("a fault");
        assert!(["out_of_memory", "timeout"].contains(&fault["termination"].as_str().expect("text")), "{fault}");
    }
}

#[test]
fn no_command_leaves_a_player_that_hangs_to_root_without_the_right_to_kill() {
    if !is_root() {
        return;
    }
    let (_folder, hanging) = player_in_c("hanging", HANGS, "");
    let limits = ["--move-time", "100ms", "-m", "5"];
    for rights in [vec![KILL], all_but(&[SETUID, SETGID])] {
        let soak = run(&rights, &[&["soak", "-n", "3"], &limits[..], &[&hanging, &hanging]].concat());
        let said = String::from_utf8_lossy(&soak.stdout);
        assert!(soak.status.code() == Some(0) && said.contains("\ntimeout: 3 "), "{said}");
        let check = run(&rights, &[&["check", "--move-time", "100ms", "-m", "5"][..], &[&hanging]].concat());
        assert_eq!(check.status.code(), Some(1), "{}", String::from_utf8_lossy(&check.stderr));
        let strict = run(&rights, &["--sandbox", "strict", &hanging, &hanging]);
        assert_eq!(strict.status.code(), Some(70));
        // Players of another user are what cannot be ended: with the same user it can.
        let off = run(&rights, &[&["--sandbox", "off"], &limits[..], &[&hanging, &hanging]].concat());
        assert_eq!(off.status.code(), Some(0));
    }
}

/// A player that takes a user by itself, where no sandbox keeps it from that.
#[test]
fn what_cannot_be_ended_makes_a_game_void_and_is_named() {
    if !is_root() {
        return;
    }
    let play = "if (setgid(12345) || setuid(12345)) abort(); for (;;);";
    let (_folder, escaping) = player_in_c("escaping", play, "");
    let random = support::player("random").display().to_string();
    let args = ["--sandbox", "off", "--json", "--first", "1", "-m", "5", "--move-time", "100ms", &escaping, &random];
    let (mut server, variable) = server_without(&[KILL]);
    let output = server.args(args).output().expect("the server can be run");
    let left = process_with(&[], Some(&variable)).expect("it goes on");
    kill_process(left, Signal::KILL).expect("the tests may end it");
    assert_nothing_is_left("after that", &variable);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(70), "{said}");
    let end: Value = serde_json::from_str(said.lines().last().expect("an end")).expect("JSON");
    let named = format!("process {} cannot be ended", left.as_raw_nonzero());
    assert!(end["termination"] == "void" && end["detail"].as_str().is_some_and(|text| text.contains(&named)), "{end}");
    // And a soak sees it, too.
    let (mut server, variable) = server_without(&[KILL]);
    let args = ["soak", "-n", "1", "--sandbox", "off", "-m", "5", "--first", "1", "--move-time", "100ms"];
    let soak = server.args(args).args([&escaping, &random]).output().expect("the server can be run");
    assert_eq!(soak.status.code(), Some(1), "{}", String::from_utf8_lossy(&soak.stdout));
    kill_process(process_with(&[], Some(&variable)).expect("it goes on"), Signal::KILL).expect("the tests may end it");
    assert_nothing_is_left("after that", &variable);
}

/// Without the right to send signals nothing starts that would have to be ended.
#[test]
fn a_server_that_may_not_send_signals_starts_no_player() {
    let player: Rig = Source::new().build();
    for mode in ["auto", "off"] {
        let mut server = without(&[(libc::SYS_kill, libc::EPERM), (libc::SYS_pidfd_send_signal, libc::EPERM)]);
        server.args(["--sandbox", mode]).args([player.library(), player.library()]);
        let output = server.output().expect("the server can be run");
        let said = String::from_utf8_lossy(&output.stderr);
        let why = "the server is not allowed to end the players' processes: kill: Operation not permitted";
        assert!(output.status.code() == Some(70) && said.contains(why) && said.lines().count() == 1, "{said}");
    }
}
