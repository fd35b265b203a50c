//! The program over TCP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Command, Output};

use amazons_testing::output_of;

use super::server::{Ended, Server};
use crate::support::{PROGRAM, command, run};

fn finish(child: Child) -> Output {
    output_of(child)
}

fn file(name: &str, text: &str) -> String {
    let path = std::env::temp_dir().join(format!("cluedo-{}-{name}", std::process::id()));
    std::fs::write(&path, text).expect("a temporary file");
    path.to_str().expect("text").to_owned()
}

#[test]
fn bad_clients_and_good_ones() {
    let server = Server::start(&["3", "-n", "2", "--tables", "2", "--on-error", "forfeit", "--timeout", "20s"]);
    // A hello that is wrong, one that never comes, half-open connections: their seats go to others.
    let mut wrong = server.connect().into_stream();
    wrong.write_all(b"HELLO\n").expect("it reads");
    let mut heard = String::new();
    wrong.read_to_string(&mut heard).expect("the end");
    assert_eq!(heard, "B 0 2\nE 101\n");
    let half: Vec<TcpStream> = (0..2).map(|_| server.connect().into_stream()).collect();
    half.iter().for_each(|stream| stream.shutdown(Shutdown::Both).expect("it closes"));
    drop(half);
    server.await_log(": gone", 3);
    let bots: Vec<Child> = (0..3).map(|_| server.bot(&["2"])).collect();
    server.await_log(": hello", 3);
    // The last seat says nonsense, and reads nothing more.
    let mut nonsense = server.connect().into_stream();
    nonsense.write_all(b"B liar\n").expect("it reads");
    server.await_log(": hello", 1);
    // A surplus connection is closed without a word.
    let mut surplus = String::new();
    server.connect().into_stream().read_to_string(&mut surplus).expect("the end");
    assert_eq!(surplus, "");
    let mut lines = BufReader::new(nonsense.try_clone().expect("a copy")).lines();
    let request = lines.find(|line| matches!(line.as_deref(), Ok("T" | "C")));
    assert!(request.is_some_and(|line| line.is_ok()), "the liar is asked");
    nonsense.write_all(b"X 0\nM 0\nM 0\n").expect("it reads");
    let Ended { status, out, log } = server.finish();
    assert_eq!(status, Some(0), "{out} {log}");
    for bot in bots {
        assert!(finish(bot).status.code().is_some_and(|code| code < 2));
    }
    let row = out.lines().find(|line| line.contains("liar")).expect("a row");
    assert!(row.trim_end().ends_with("-1"), "{out}");
}

#[test]
fn the_lobby_ends_and_usage_is_told() {
    // On a busy machine the client may come after the first of these times.
    let is_told = ["300ms", "3s", "30s"].into_iter().any(|wait| {
        let server = Server::start(&["1", "--wait", wait]);
        let mut heard = String::new();
        if let Some(client) = server.try_connect() {
            // Whoever comes too late meets an error.
            let _ = client.into_stream().read_to_string(&mut heard);
        }
        assert_eq!(server.finish().status, Some(1));
        assert!(heard.is_empty() || heard.ends_with("E 101\n"), "{heard}");
        !heard.is_empty()
    });
    assert!(is_told, "a client that waits hears of the end");
    let complaint = |args: &[&str]| {
        let output = Command::new(PROGRAM).args(args).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        String::from_utf8(output.stderr).expect("text")
    };
    let bad = file("bad-deals", "2 5 10 | 0 4 8 | 1 6 9 | 3 7 10\n");
    let cases: [(&[&str], &str); 11] = [
        (&["serve", "0", "3", "--deals", "/dev/null"], "/dev/null: 3 games need as many deals, not 0"),
        (&["serve", "0", "1", "-n", "11"], "2 to 10 players"),
        (&["serve", "0", "1", "--host", "0.0.0.0"], "--public"),
        (&["serve", "0", "1", "--timeout", "x"], "500ms"),
        (&["serve", "0", "1", "-n", "3", "--deals", &bad], "deals:1: card 10 is there twice"),
        (&["bot", "2", "1", "--login", "a b"], "32"),
        (&["bot", "2", "99999"], "is not a port"),
        (&["bot", "3", "1", "--literal"], "--literal: only bots 0 and 1 have it"),
        (&["bot", "1", "1", "--extended"], "--extended: only bot 2 has it"),
        (&["bot", "2", "1", "--extended", "--literal"], "cannot be used with"),
        (&["join", "1"], "is the server running?"),
    ];
    for (args, expected) in cases {
        let text = complaint(args);
        assert!(text.contains(expected), "{args:?}: {text}");
    }
    drop(std::fs::remove_file(bad));
}

/// By the words of the subject, bot 0 accuses of two cards of a type, and bot 1 only after a hypothesis of its own that
/// nobody answered.
#[test]
fn bots_by_the_words_of_the_subject() {
    let said = |args: &[&str], lines: &str| {
        let output = run(command(args), lines.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let game = "B 0 2\nC 0 3 6\nT\nE 201\n";
    assert_eq!(said(&["bot", "0", "-"], game), "B bot0\nA 0 3 6\n");
    assert_eq!(said(&["bot", "0", "-", "--literal"], game), "B bot0-literal\nA 0 2 4\n");
    // Each time it is shown the first card that seat 1 has and that it named, until it has seen all three.
    let lines = format!("B 0 2\nC 0 3 6\n{}E 201\n", "T\nM 1 1\nM 1 4\nM 1 7\n".repeat(12));
    let accuses = |text: String| text.lines().any(|line| line.starts_with('A'));
    assert!(accuses(said(&["bot", "1", "-", "--seed", "3"], &lines)));
    assert!(!accuses(said(&["bot", "1", "-", "--seed", "3", "--literal"], &lines)));
}

#[test]
fn the_log_says_that_nobody_has_won() {
    let server = Server::start(&["1", "-n", "2", "--limit", "0", "--seed", "1"]);
    let [mut one, mut two] = server.table();
    one.line().expect("a hand");
    one.hears("T");
    one.says("A 0 3 6\n");
    one.hears("E 301");
    two.line().expect("a hand");
    two.hears("E 301");
    let log = server.finish().log;
    assert!(log.contains("table 0: game 0 is over, nobody has won"), "{log}");
}
