//! `server doctor` and `server soak`.

use libc::{ENOSYS, EOPNOTSUPP, EPERM, SYS_landlock_create_ruleset, SYS_pidfd_open, SYS_seccomp};
use serde_json::Value;

use super::{player, ran, server};
use crate::support::{self, without};

/// The doctor's finding about one thing on a kernel without these calls: its state and its remedy.
fn finding(missing: &[(libc::c_long, libc::c_int)], subject: &str) -> (String, String) {
    let ran = ran(without(missing).args(["doctor", "--json"]).output().expect("the server can be run"));
    let examination: Value = serde_json::from_str(&ran.out).expect("JSON");
    let findings = examination["findings"].as_array().expect("a list");
    let found = findings.iter().find(|finding| finding["subject"] == subject).expect("it looks at this");
    let is_poor = findings.iter().any(|finding| finding["state"] == "poor");
    assert_eq!(ran.status, i32::from(is_poor), "{}", ran.out);
    (found["state"].as_str().expect("text").to_owned(), found["remedy"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn a_kernel_with_everything_gets_no_advice() {
    let (state, remedy) = finding(&[], "sandbox");
    assert_eq!((&*state, &*remedy), ("good", ""), "the tests need Landlock and seccomp");
}

#[test]
fn what_is_missing_is_named_with_its_remedy() {
    for (missing, subject, state, remedy) in [
        (&[(SYS_landlock_create_ruleset, ENOSYS)][..], "landlock", "poor", "Linux 5.13"),
        (&[(SYS_landlock_create_ruleset, EOPNOTSUPP)], "landlock", "poor", "lsm=landlock"),
        (&[(SYS_seccomp, ENOSYS)], "seccomp", "poor", "CONFIG_SECCOMP_FILTER"),
        (&[(SYS_pidfd_open, EPERM)], "pidfd", "fair", "Linux 5.3"),
        (&[(SYS_landlock_create_ruleset, ENOSYS), (SYS_seccomp, EPERM)], "sandbox", "poor", "--sandbox off"),
    ] {
        let (found, advice) = finding(missing, subject);
        assert_eq!(found, state, "{subject}");
        assert!(advice.contains(remedy), "{subject}: {advice}");
    }
}

#[test]
fn the_doctor_speaks_in_lines_too() {
    let told = ran(without(&[(SYS_landlock_create_ruleset, ENOSYS)]).arg("doctor").output().expect("it runs"));
    assert_eq!(told.status, 1);
    assert!(told.out.contains("POOR  landlock  the kernel does not offer it\n"), "{}", told.out);
    assert!(told.out.contains("remedy: Linux 5.13 or newer"), "{}", told.out);
    assert_eq!(told.err, "server: players are less confined here than they could be\n");
}

#[test]
fn a_soak_plays_its_games_and_leaves_nothing() {
    let player = player("random");
    let ran = server(["soak", "-n", "60", "-j", "2", "-m", "5", "--seed", "1", &player, &player]);
    assert_eq!((ran.status, &*ran.err), (0, ""), "{}", ran.out);
    assert!(ran.out.starts_with("games: 60, "), "{}", ran.out);
    assert!(ran.out.contains("\nno moves left: 60\n"), "{}", ran.out);
    let wins = ran.out.lines().find_map(|line| line.strip_prefix("player 1 won ")).expect("a line with the wins");
    let wins: u32 = wins.split(", player 2 won ").map(|count| count.parse::<u32>().expect("a number")).sum();
    assert_eq!(wins, 60);
    assert!(ran.out.starts_with("games: 60, ") && ran.out.contains("; seeds 1 to 60\n"), "{}", ran.out);
    assert!(ran.last_line().starts_with("passed: nothing grew"), "{}", ran.out);
}

#[test]
fn a_soak_says_who_was_at_fault_and_how_to_see_it_again() {
    let (_folder, quitter) = support::player_in_c("quitter", "exit(7);", "");
    let random = player("random");
    let ran = server(["soak", "-n", "4", "-j", "1", "-m", "5", "--seed", "8", "--first", "2", &random, &quitter]);
    assert_eq!((ran.status, &*ran.err), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("\nexit: 4 (player 1 at fault in 0, player 2 at fault in 4)\n"), "{}", ran.out);
    let line = format!("first fault: game 1: player 2 ({quitter}): exit in play, ply 1: ");
    let first = ran.out.lines().find(|told| told.starts_with(&line)).unwrap_or_else(|| panic!("{}", ran.out));
    assert!(first.ends_with("(again: server --seed 8 --first 2 and the rest as here)"), "{first}");
}

#[test]
fn a_soak_of_what_is_no_player_fails() {
    let (_folder, library) = support::compile_c("int nothing;\n", &[]);
    let ran = server(["soak", "-n", "3", "-m", "5", &library.display().to_string(), &player("random")]);
    assert_eq!((ran.status, &*ran.err), (1, ""), "{}", ran.out);
    assert_eq!(ran.last_line(), "failed: no game could be played: see the first fault");
}

#[test]
fn a_soak_counts_every_ending() {
    let player = player("random");
    let ran = server(["soak", "-n", "10", "-m", "5", "--max-moves", "3", &player, &player]);
    assert!(ran.out.contains("\nplayer 1 won 0, player 2 won 0\nmove limit: 10\n"), "{}", ran.out);
}

#[test]
fn a_soak_needs_processes() {
    let player = player("random");
    let ran = server(["soak", "--isolation", "none", &player, &player]);
    assert_eq!(ran.status, 2);
    assert_eq!(ran.err, "server: --isolation none plays one game at a time: leave it out\n");
}
