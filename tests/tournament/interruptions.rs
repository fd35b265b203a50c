//! Stops: by Ctrl-C, by a command, by a full disk, by another program's file.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use amazons_testing::{output_of, status_of, wait_until};
use rustix::process::{Pid, Signal, kill_process};

use super::event::Hall;
use crate::cli::{ran, server};
use crate::support;

/// Too long to end during a test by accident.
fn long() -> Hall {
    Hall::new(&["random", "random"], &["--pairs", "5000", "--boards", "c6"])
}

/// Starts a server and waits until it has finished some games.
fn started(hall: &Hall) -> Child {
    let child = hall.command().stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the server can be run");
    wait_until("games are played", || hall.games() >= 5);
    child
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("it lives");
}

/// The journal of a stopped event matches the standings, and can be continued.
fn check_goes_on(hall: &Hall) {
    let games = hall.games();
    assert!((5..10_000).contains(&games), "{games}");
    assert_eq!(hall.read("games.csv").lines().count(), games + 1);
    assert!(hall.read("standings.json").contains("\"is_complete\": false"));
    let child = hall.command().stderr(Stdio::piped()).stdout(Stdio::null()).spawn().expect("the server can be run");
    wait_until("it goes on", || hall.games() > games);
    signal(&child, Signal::TERM);
    let ran = ran(output_of(child));
    assert_eq!(ran.status, 130);
    assert!(ran.err.contains(&format!("going on after {games} games")), "{}", ran.err);
}

#[test]
fn ctrl_c_finishes_running_games() {
    let hall = long();
    let child = started(&hall);
    signal(&child, Signal::INT);
    let ran = ran(output_of(child));
    assert_eq!(ran.status, 130, "{}", ran.err);
    assert!(ran.err.contains("stopping after the games that are running; once more drops them"), "{}", ran.err);
    assert!(ran.err.ends_with("server: stopped before the end: the same command goes on\n"), "{}", ran.err);
    assert!(ran.out.contains("not complete"), "{}", ran.out);
    check_goes_on(&hall);
}

#[test]
fn a_closed_terminal_finishes_running_games() {
    let hall = long();
    let child = started(&hall);
    signal(&child, Signal::HUP);
    let ran = ran(output_of(child));
    assert_eq!(ran.status, 130, "{}", ran.err);
    assert!(ran.err.ends_with("server: stopped before the end: the same command goes on\n"), "{}", ran.err);
    check_goes_on(&hall);
}

/// As `nohup` starts it.
#[test]
fn a_server_that_is_to_outlive_its_terminal_does() {
    let hall = long();
    let mut words =
        vec!["trap '' HUP; exec \"$@\"".to_owned(), "sh".to_owned(), support::server().display().to_string()];
    words.extend(hall.args());
    let mut command = Command::new("sh");
    let child =
        command.arg("-c").args(words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("sh is there");
    wait_until("games are played", || hall.games() >= 5);
    signal(&child, Signal::HUP);
    let games = hall.games();
    // More than were running.
    wait_until("it goes on", || hall.games() > games + 50);
    signal(&child, Signal::TERM);
    assert_eq!(ran(output_of(child)).status, 130);
}

#[test]
fn a_second_ctrl_c_drops_them() {
    // Without the second one, the server would wait for a game that does not end.
    let (_folder, library) = support::player_in_c("sleeper", "for (;;) pause();", "");
    let hall = Hall::new(&["random"], &[&library, "--boards", "c5", "--move-time", "86400"]);
    let mut child = hall.command().stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the server can be run");
    // Each player has a process of its own: before both are there, a first Ctrl-C ends everything. A single one only tries
    // out what the machine offers.
    let is_playing = || support::children(child.id()).into_iter().any(|host| support::children(host).len() > 1);
    wait_until("a game runs", is_playing);
    signal(&child, Signal::INT);
    // Two signals that come before the first one is heard are one.
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines().map(|line| line.expect("text"));
    assert!(lines.any(|line| line.ends_with("once more drops them")), "the first one is heard");
    signal(&child, Signal::INT);
    let rest: Vec<String> = lines.collect();
    let status = status_of(&mut child);
    assert_eq!(status.code(), Some(130));
    assert!(rest.iter().any(|line| line.contains("running games are dropped")), "{rest:?}");
    assert_eq!(hall.games(), 0);
}

#[test]
fn another_shell_can_stop_an_event() {
    let hall = long();
    let child = started(&hall);
    let stop = server(["tournament", "stop", &hall.dir().display().to_string()]);
    assert_eq!((stop.status, stop.err.as_str()), (0, ""));
    assert!(stop.out.ends_with(": stopped\n"), "{}", stop.out);
    let ran = ran(output_of(child));
    assert_eq!(ran.status, 130, "{}", ran.err);
    assert!(!hall.file("stop").exists(), "the request was heard");
    check_goes_on(&hall);
}

#[test]
fn two_servers_cannot_play_one_event() {
    let hall = long();
    let child = started(&hall);
    let second = hall.play();
    assert_eq!((second.status, second.out.as_str()), (2, ""));
    assert!(second.err.contains(&format!("process {} works on this event", child.id())), "{}", second.err);
    let now = server(["tournament", "stop", "--now", &hall.dir().display().to_string()]);
    assert_eq!(now.status, 0, "{}", now.err);
    let ran = ran(output_of(child));
    assert_eq!(ran.status, 130, "{}", ran.err);
}

#[test]
fn a_full_disk_stops_the_event_and_loses_nothing() {
    let options = ["--pairs", "60", "--boards", "c5", "--records", "none", "-j", "1"];
    let hall = Hall::new(&["random", "c_mobility"], &options);
    let whole = Hall::new(&["random", "c_mobility"], &options);
    whole.finish();
    // No file may grow beyond 16 KiB: writes fail then as they do without room.
    let mut words =
        vec!["ulimit -f 16; exec \"$@\"".to_owned(), "sh".to_owned(), support::server().display().to_string()];
    words.extend(hall.args());
    let full = ran(Command::new("bash").arg("-c").args(words).output().expect("bash is there"));
    assert_eq!(full.status, 70, "{}{}", full.out, full.err);
    assert!(full.err.contains("journal.jsonl: "), "{}", full.err);
    assert!(full.err.ends_with("nothing that was finished is lost, the same command goes on\n"), "{}", full.err);
    let journal = hall.read("journal.jsonl");
    assert!(journal.ends_with('\n') && journal.len() <= 16 << 10, "no torn line is left");
    let games = hall.games();
    assert!(games > 10, "{games}");
    hall.finish();
    assert!(hall.read("journal.jsonl").starts_with(&journal));
    assert_eq!(hall.stable(), whole.stable());
}

#[test]
fn a_player_that_is_replaced_meanwhile_stops_the_event() {
    let root = tempfile::tempdir().expect("a folder");
    let copy = root.path().join("copy.so");
    std::fs::copy(support::player("random"), &copy).expect("a copy");
    let hall = Hall::new(&["random"], &[&copy.display().to_string(), "--pairs", "5000", "--boards", "c6"]);
    let child = started(&hall);
    // As a compiler does: another file takes the name.
    std::fs::copy(support::player("territory"), root.path().join("new.so")).expect("a copy");
    std::fs::rename(root.path().join("new.so"), &copy).expect("a new file");
    let ran = ran(output_of(child));
    assert_eq!(ran.status, 70, "{}", ran.err);
    assert!(ran.err.contains("copy.so was changed while the event goes on: put it back"), "{}", ran.err);
}

#[test]
fn a_player_that_is_written_meanwhile_loses_nothing_by_it() {
    let root = tempfile::tempdir().expect("a folder");
    let copy = root.path().join("copy.so");
    std::fs::copy(support::player("random"), &copy).expect("a copy");
    let hall = Hall::new(&["random"], &[&copy.display().to_string(), "--pairs", "5000", "--boards", "c6"]);
    let child = started(&hall);
    // As `cp` does: the same file gets other bytes, and a process that runs it dies by SIGBUS.
    std::fs::copy(support::player("territory"), &copy).expect("other bytes");
    let ran = ran(output_of(child));
    assert_eq!(ran.status, 70, "{}", ran.err);
    assert!(ran.err.contains("copy.so was changed while the event goes on: put it back"), "{}", ran.err);
    assert!(!hall.read("journal.jsonl").contains("\"at_fault\":[1"), "no fault counts");
    assert!(!hall.read("journal.jsonl").contains("\"at_fault\":[2"), "no fault counts");
}
