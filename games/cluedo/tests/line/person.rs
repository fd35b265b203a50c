//! A person at a server's table.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use amazons_testing::output_of;

use super::server::{Client, Server};
use crate::support::PROGRAM;

fn join(port: u16) -> Child {
    Command::new(PROGRAM)
        .args(["join", &port.to_string(), "--login", "person"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs")
}

fn rest(child: Child) -> (Option<i32>, String) {
    let output = output_of(child);
    (output.status.code(), String::from_utf8(output.stdout).expect("text"))
}

/// Says lines and closes; returns what the person at the other end sees who types this.
fn alone_with(lines: &str, typed: &str) -> (Option<i32>, String) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let mut child = join(listener.local_addr().expect("an address").port());
    let mut stream = listener.accept().expect("it connects").0;
    stream.write_all(lines.as_bytes()).expect("it reads");
    // The input stays open: nobody waits for it when the server has gone.
    let mut input = child.stdin.take().expect("piped");
    input.write_all(typed.as_bytes()).expect("it reads");
    let mut heard = vec![0; "B person\n".len()];
    stream.read_exact(&mut heard).expect("a hello");
    stream.shutdown(std::net::Shutdown::Write).expect("a connection");
    let seen = rest(child);
    drop(input);
    seen
}

#[test]
fn strange_servers() {
    let (status, out) = alone_with("B 0 3\nC 0 4 8\nH 1 5 9\nC\nF 1\n", "");
    assert!(status == Some(0) && out.contains("you have none of those: the answer is 1."), "{out}");
    let (status, out) = alone_with("B 0 3\nC 0 4 8\nT\n", "");
    assert!(status == Some(1) && out.ends_with("The server left in the middle of the game.\n"), "{out}");
    let (status, out) = alone_with("", "");
    assert!(status == Some(1) && out.contains("are all seats taken?"), "{out}");
    let (status, _) = alone_with("B 3 3\n", "");
    assert_eq!(status, Some(2));
}

/// Whoever takes too long hears of it at once, and plays the next game.
#[test]
fn too_late() {
    let server = Server::of_session(&["--timeout", "3s", "--json"]);
    let mut child = join(server.port);
    server.await_log("person: hello", 1);
    let mut others: [Client; 2] = [server.seat(1, 3), server.seat(2, 3)];
    others.iter_mut().for_each(|client| client.says("B other\n"));
    // The person types nothing until the game is void.
    others[0].hears("C 1 6 9;E 202;C 0 4 8");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(b"nonsense\n\xff\xfe\na 3 3 3\nback\nA 3 weapon\n7 11 hint\n").expect("it reads");
    others[0].hears("F 0");
    let (status, out) = rest(child);
    assert_eq!(status, Some(0), "{out}");
    assert!(out.contains("Error 202: the game is void."), "{out}");
    assert!(out.ends_with("Game 2: you have won.\nThe match is over. Of 2 games, you have won 1.\n"), "{out}");
    for said in [
        "\"nonsense\" is not a choice",
        "place 3 is a place, not a weapon: choose 4 to 7 (\"3\" is not taken, either)",
        "\"weapon\" may be weapon 4 or weapon 5: type more of it, or the number",
        "\"hint\" is not taken: it answers no question",
    ] {
        assert!(out.contains(said), "{said}: {out}");
    }
    assert_eq!(server.finish().gains(3), [[0, 0, 0]]);
}
