//! The command line.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, ChildStderr, Command, Stdio};

use amazons_rules::Shape;
use amazons_testing::status_of;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use super::play::post;
use super::{Events, get, record};
use crate::check::build;
use crate::cli;
use crate::support::{player, server};

/// Reads an address of the form http://127.0.0.1:1234/path from a line.
pub(super) fn address_in(line: &str) -> (SocketAddr, String) {
    let (_, rest) = line.split_once("http://").expect("an address");
    let (address, path) = rest.split_once('/').expect("a path");
    let path = path.split_whitespace().next().filter(|_| !path.starts_with([' ', '\n'])).unwrap_or_default();
    (address.parse().expect("an address"), format!("/{path}"))
}

pub(super) fn interrupt(child: &Child) {
    kill_process(Pid::from_child(child), Signal::INT).expect("it runs");
}

/// Starts a game that is watched; returns also its errors, and the first line of them.
fn started(command: &mut Command) -> (Child, BufReader<ChildStderr>, String) {
    let command = command.args(["--seed", "1", "--quiet"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the server runs");
    let mut err = BufReader::new(child.stderr.take().expect("its errors"));
    let mut line = String::new();
    err.read_line(&mut line).expect("a line");
    (child, err, line)
}

#[test]
fn a_folder_is_watched_until_ctrl_c() {
    let folder = TempDir::new().expect("a folder");
    std::fs::write(folder.path().join("a.jsonl"), record("a", "b", Shape::Square, 5, 1)).expect("a file");
    let mut child =
        Command::new(server()).arg("watch").arg(folder.path()).stdout(Stdio::piped()).spawn().expect("the server runs");
    let mut out = BufReader::new(child.stdout.take().expect("its output"));
    let mut line = String::new();
    out.read_line(&mut line).expect("a line");
    assert!(line.starts_with("watch at http://127.0.0.1:") && line.ends_with("/ (Ctrl-C ends)\n"), "{line}");
    let (address, path) = address_in(&line);
    assert_eq!(path, "/");
    assert_eq!(get(address, "/").status, 200);
    assert_eq!(get(address, "/api/games").json()["list"]["total"], 1);
    interrupt(&child);
    assert!(status_of(&mut child).success());
}

#[test]
fn a_game_is_watched_while_it_is_played() {
    // Time to come before the game is over.
    let (_folder, late) = build("#define ON_INITIALIZE nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL)");
    for stay in [false, true] {
        let watch = if stay { "--watch=stay" } else { "--watch" };
        let (mut child, mut err, mut line) =
            started(Command::new(server()).args(["-m", "10", watch]).args([player("territory"), late.clone()]));
        assert!(line.starts_with("server: watch at http://127.0.0.1:"), "{line}");
        let (address, path) = address_in(&line);
        let mut events = Events::open(address, &format!("/api{}/events", path.replace("/game/", "/games/")), "");
        let lines: Vec<_> = std::iter::from_fn(|| events.line()).map(|sent| sent.json()).collect();
        assert_eq!(lines[0]["event"], "start");
        assert_eq!(lines.last().expect("an end")["event"], "end");
        assert!(lines.len() > 20);
        if stay {
            let file = format!("/api{}/as/sgf", path.replace("/game/", "/games/"));
            assert_eq!(get(address, &file).status, 200, "a game needs no record to be downloaded");
            line.clear();
            err.read_line(&mut line).expect("a line");
            assert_eq!(line, format!("server: the game is over; watch at http://{address}{path} until Ctrl-C\n"));
            assert_eq!(get(address, &path).status, 200, "still there");
            let first = get(address, "/");
            assert_eq!((first.status, first.header("location")), (303, Some(&*path)), "no list of no games");
            interrupt(&child);
        }
        let mut out = String::new();
        child.stdout.take().expect("its output").read_to_string(&mut out).expect("text");
        assert!(out.contains(" wins after "), "{out}");
        assert!(status_of(&mut child).success());
    }
}

/// A person at a browser plays against a bundled player, and the record of it holds.
#[test]
fn a_person_plays_at_an_address_that_is_told() {
    let folder = TempDir::new().expect("a folder");
    let record = folder.path().join("game.jsonl");
    let mut command = Command::new(server());
    command.args(["-m", "5", "-t", "8", "--first", "2", "--strict", "--record"]).arg(&record);
    let (mut child, mut err, watch) = started(command.arg("web:600").arg(player("random")));
    let mut play = String::new();
    err.read_line(&mut play).expect("a line");
    assert!(watch.starts_with("server: watch at http://127.0.0.1:"), "{watch}");
    assert!(play.starts_with("server: player 1 plays at http://127.0.0.1:"), "{play}");
    let (address, path) = address_in(&play);
    assert_eq!(path.len(), "/play/".len() + 32);
    assert_eq!(get(address, &path).status, 200);
    let mut turns = Events::open(address, &format!("{path}/events"), "");
    turns.find(|sent| sent.name == "turn" && sent.json()["ply"] == 1).expect("it has moved");
    let headers = format!("origin: http://{address}\r\ncontent-type: application/json\r\n");
    assert_eq!(post(address, &format!("{path}/resign"), &headers, "{\"ply\":1}").status, 200);
    // The server gives a page that is open a minute, and one that does not know of the end some seconds.
    turns.find(|sent| sent.name == "turn" && sent.json()["over"] == true).expect("an end");
    drop(turns);
    let mut out = String::new();
    child.stdout.take().expect("its output").read_to_string(&mut out).expect("text");
    assert!(status_of(&mut child).success(), "{out}");
    assert!(out.contains("player 1 (human) resigned"), "{out}");
    let record = record.display().to_string();
    let replayed = cli::server(["replay", &record]);
    assert_eq!((replayed.status, replayed.err.as_str()), (0, ""), "{}", replayed.out);
    assert_eq!(cli::server(["soak", "-n", "2", "web", "web"]).status, 2);
    assert_eq!(cli::server(["check", "web"]).status, 2);
}

#[test]
fn what_the_players_print_is_shown_while_they_play() {
    let (_folder, talks) = build(
        "#include <stdio.h>\n#define ON_PLAY printf(\"turn %d \\033[1m\\n\", turn); fflush(stdout); \
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL)",
    );
    let (mut child, _err, line) =
        started(Command::new(server()).args(["-m", "6", "--watch"]).args([&talks, &player("random")]));
    let (address, path) = address_in(&line);
    let game = format!("/api{}", path.replace("/game/", "/games/"));
    let mut events = Events::open(address, &format!("{game}/events"), "");
    events.find(|sent| sent.name.is_empty() && sent.json()["ply"] == 5).expect("a game");
    let log = |player: u8| get(address, &format!("{game}/log/{player}"));
    let told = log(1);
    assert_eq!((told.status, log(2).status, log(3).status), (200, 200, 404));
    assert!(told.text().contains("\\u{1b}[1m\n"), "{}", told.text());
    assert_eq!(log(2).text(), "", "it is silent");
    assert!(status_of(&mut child).success());
}

#[test]
fn what_cannot_be_watched_is_said_in_one_line() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let (random, folder) = (cli::player("random"), "/nonexistent");
    let cases: [(&[&str], &str); 6] = [
        (&["watch", folder], "server: cannot read /nonexistent: No such file or directory (os error 2)"),
        (&["watch", "/dev/null"], "server: cannot read /dev/null: it is neither a file nor a folder"),
        (
            &["watch", "/tmp", "--port", &port],
            &format!("server: cannot listen on 127.0.0.1, port {port}: Address already in use (os error 98)"),
        ),
        (
            &["watch", "/tmp", "--host", "0.0.0.0"],
            "server: cannot listen on 0.0.0.0: this address can be reached from other machines: add --public to allow that",
        ),
        (&["--port", "1", &random, &random], "server: --port says where to watch: add --watch"),
        (&["--public", &random, &random], "server: --public says where to watch: add --watch"),
    ];
    for (args, expected) in cases {
        let ran = cli::server(args);
        assert_eq!((ran.status, ran.err.trim_end(), ran.out.as_str()), (2, expected, ""), "{args:?}");
    }
    for args in [["watch", "--port", "70000"], ["watch", "--host", "example.org"], ["watch", "--what", "x"]] {
        let ran = cli::server(args);
        assert_eq!((ran.status, ran.err.lines().count()), (2, 1), "{}", ran.err);
    }
}
