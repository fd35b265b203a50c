//! `server doctor` and `server soak`.

use std::ffi::{c_int, c_long};

use libc::{
    E2BIG, EACCES, ENOSYS, EOPNOTSUPP, EPERM, SYS_kill, SYS_landlock_add_rule, SYS_landlock_create_ruleset,
    SYS_landlock_restrict_self, SYS_memfd_create, SYS_perf_event_open, SYS_pidfd_open, SYS_pidfd_send_signal,
    SYS_prctl, SYS_prlimit64, SYS_seccomp, SYS_setgroups, SYS_setresuid, SYS_setsid,
};
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

const NO_LANDLOCK: (c_long, c_int) = (SYS_landlock_create_ruleset, ENOSYS);

/// System calls that fail, what the doctor must name, and whether players can be run in the modes auto and off.
type Refusal = (&'static [(c_long, c_int)], &'static str, [bool; 2]);

const REFUSALS: [Refusal; 18] = [
    (&[], "full: players of strangers can be run", [true, true]),
    (&[NO_LANDLOCK], "the kernel does not offer it", [true, true]),
    (&[(SYS_landlock_create_ruleset, EPERM)], "landlock_create_ruleset is refused", [true, true]),
    (&[(SYS_landlock_create_ruleset, EOPNOTSUPP)], "switched off", [true, true]),
    (&[(SYS_landlock_add_rule, EPERM)], "landlock_add_rule is refused", [true, true]),
    (&[(SYS_landlock_restrict_self, EPERM)], "landlock_restrict_self is refused", [true, true]),
    (&[(SYS_landlock_restrict_self, E2BIG)], "16 layers", [true, true]),
    (&[(SYS_seccomp, EPERM)], "system calls cannot be filtered", [true, true]),
    (&[NO_LANDLOCK, (SYS_seccomp, EPERM)], "offers neither", [false, true]),
    (&[(SYS_landlock_restrict_self, EPERM), (SYS_seccomp, EPERM)], "landlock_restrict_self is refused", [false, true]),
    (&[(SYS_setresuid, EPERM)], "user", [true, true]),
    (&[(SYS_setgroups, EPERM)], "user", [true, true]),
    (&[(SYS_perf_event_open, EACCES)], "children of programs", [true, true]),
    (&[(SYS_setsid, EPERM)], "setsid", [false, false]),
    (&[(SYS_prlimit64, EPERM)], "setrlimit", [false, false]),
    (&[(SYS_prctl, EPERM)], "prctl(PR_SET_", [false, false]),
    (&[(SYS_memfd_create, ENOSYS)], "cannot make a log", [false, false]),
    (&[(SYS_kill, EPERM), (SYS_pidfd_send_signal, EPERM)], "not allowed to end", [false, false]),
];

/// What the doctor says is what a game does, whatever is refused.
#[test]
fn the_doctor_never_contradicts_a_game() {
    let random = player("random");
    for (refused, named, [plays, plays_without]) in REFUSALS {
        let doctor = ran(without(refused).args(["doctor", "--json"]).output().expect("the server can be run"));
        assert!(doctor.out.contains(named), "{refused:?}: {}", doctor.out);
        let examination: Value = serde_json::from_str(&doctor.out).expect("JSON");
        let play = |mode: &str| {
            let mut server = without(refused);
            let args = ["-m", "5", "--json", "--max-moves", "2", "--sandbox", mode, &random, &random];
            let game = ran(server.args(args).output().expect("the server can be run"));
            let event = |line: Option<&str>| line.map_or(Value::Null, |line| serde_json::from_str(line).expect("JSON"));
            let (first, last) = (event(game.out.lines().next()), event(game.out.lines().last()));
            assert!(
                !game.err.contains("playing it again") && game.err.lines().count() <= 1,
                "{refused:?}: {}",
                game.err
            );
            let reason = last["detail"].as_str().unwrap_or(&game.err).to_owned();
            (game.status == 0, first["sandbox"].clone(), reason)
        };
        let (auto, strict, off) = (play("auto"), play("strict"), play("off"));
        assert_eq!([auto.0, off.0], [plays, plays_without], "{refused:?}: {} {}", auto.2, off.2);
        assert_eq!(examination["can_play"], off.0, "{refused:?}");
        let reached = if auto.0 { auto.1 } else { Value::Null };
        assert_eq!(examination["sandbox"], reached, "{refused:?}");
        let findings = examination["findings"].as_array().expect("a list");
        let finding = |subject: &str| findings.iter().find(|finding| finding["subject"] == subject);
        let is_good = |subject: &str| finding(subject).is_some_and(|finding| finding["state"] == "good");
        // Strict refuses exactly what the doctor calls poor.
        let is_poor = |subject: &str| finding(subject).is_some_and(|finding| finding["state"] == "poor");
        let is_whole = !["sandbox", "landlock", "seccomp", "user"].into_iter().any(is_poor);
        assert_eq!((is_whole, doctor.status == 0), (strict.0, strict.0), "{refused:?}: {}", doctor.out);
        assert_eq!(is_good("sandbox"), is_whole, "{refused:?}: the first line sums up: {}", doctor.out);
        if !off.0 {
            // The first line says what a game says.
            let found = finding("sandbox").and_then(|finding| finding["found"].as_str()).expect("text");
            let reason = found.trim_start_matches("no player can be run: ");
            assert!(auto.2.contains(reason) && strict.2.contains(reason), "{found}, {}", auto.2);
        } else if rustix::process::geteuid().is_root() {
            let is_said = finding("user").is_some_and(|user| user["found"].to_string().contains("runs as root"));
            assert!(is_said, "{refused:?}: {}", doctor.out);
            assert!(is_good("clock"), "{refused:?}: the clock works with --sandbox off, too: {}", doctor.out);
        }
    }
}

#[test]
fn players_of_root_are_in_the_heading() {
    if !rustix::process::geteuid().is_root() {
        return amazons_testing::skip("only root can have players of root");
    }
    let random = player("random");
    let mut server = without(&[(SYS_setresuid, EPERM)]);
    let game = ran(server.args(["-m", "5", "--max-moves", "2", &random, &random]).output().expect("it runs"));
    assert!(game.out.contains("sandbox full, players run as root\n"), "{}", game.out);
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
