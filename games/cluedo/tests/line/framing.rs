//! How clients cut their lines, over TCP, and how the server writes its own.

use std::thread;

use rustix::process::Signal;

use super::driver::SESSION;
use super::server::{Client, Server};

/// The pieces in which a client sends a line, each in a packet of its own.
type Cut = fn(&str) -> Vec<Vec<u8>>;

const CUTS: [(&str, Cut); 6] = [
    ("LF", |line| vec![format!("{line}\n").into_bytes()]),
    ("CR LF, blanks before and after", |line| vec![format!("  \t{line} \r\n").into_bytes()]),
    ("empty lines before", |line| vec![format!("\r\n\n \t\n{line}\n").into_bytes()]),
    ("bytes", |line| format!("{line}\n").bytes().map(|byte| vec![byte]).collect()),
    ("lines in a packet", |line| vec![format!("{line}\nM 0\nA 0 4 8\n").into_bytes()]),
    ("no LF", |line| vec![line.as_bytes().to_vec()]),
];

#[test]
fn the_session_in_all_cuts() {
    let servers: Vec<Server> = CUTS.iter().map(|_| Server::of_session(&["--json"])).collect();
    thread::scope(|scope| {
        for (server, (name, cut)) in servers.iter().zip(CUTS) {
            let clients: [Client; 3] = std::array::from_fn(|_| {
                let client = server.connect();
                // Seats go by the order of connection: the greeting says that this one is taken.
                client.stream().peek(&mut [0]).expect("a greeting");
                client
            });
            for (mut client, script) in clients.into_iter().zip(SESSION) {
                scope.spawn(move || {
                    for line in script.split(';').map(str::trim) {
                        match line.strip_prefix('<') {
                            Some(answer) => cut(answer).iter().for_each(|piece| client.says(piece)),
                            None => client.hears(line),
                        }
                    }
                    client.hears_end();
                    println!("{name}: done");
                });
            }
        }
    });
    for (server, (name, _)) in servers.into_iter().zip(CUTS) {
        let ended = server.finish();
        assert_eq!((ended.status, ended.gains(3)), (Some(0), vec![vec![-1, 1, 0]]), "{name}: {}", ended.log);
    }
}

#[test]
fn a_line_end_makes_strict() {
    let server = Server::of_session(&["--json", "--timeout", "3s"]);
    let mut clients: [Client; 3] = server.table();
    clients[0].hears("C 0 4 8;T");
    // It has ended its hello, so this is no line yet; the deadline passes.
    clients[0].says("H 1 4 8");
    clients[0].hears("E 202;C 2 6 10;T");
    clients[0].says("\nA 3 7 11\n");
    clients[0].hears("F 0");
    assert_eq!(server.finish().gains(3), [[0, 0, 0]]);
}

#[test]
fn what_arrives_before_the_request_is_sent_is_no_answer() {
    let server = Server::of_session(&["--json", "--timeout", "20s"]);
    let mut clients: [Client; 3] = server.table();
    clients[1].hears("C 1 6 9");
    clients[0].hears("C 0 4 8;T");
    // While the server sleeps, both lines arrive: the second one before its request can have been sent.
    server.signal(Signal::STOP);
    clients[0].says("H 1 4 8\n");
    clients[1].says("M 9\nM 1");
    server.signal(Signal::CONT);
    clients[1].hears("H 1 4 8;C");
    // The rest of a line that began too early is no answer either.
    clients[1].says("1\nM 1\n");
    clients[1].hears("M 1;T");
    clients[0].hears("M 1 1");
    clients[1].says("A 2 5 10\n");
    clients[1].hears("F 1");
    clients[0].hears("F 1;C 2 6 10;T");
    clients[0].says("A 3 7 11\n");
    let ended = server.finish();
    assert_eq!(ended.gains(3), [[1, 1, 0]], "{}", ended.log);
    assert!(ended.out.contains("\"dropped\":7"), "{}", ended.out);
    assert!(ended.log.contains("seat 1 p1: dropped 7 bytes that came before the request"), "{}", ended.log);
}

#[test]
fn blanks_echoes_and_old_codes() {
    let more = ["--trailing-blank", "--echo", "all", "--codes", "0.2"];
    let server = Server::of_session(&more);
    let mut clients: [Client; 3] = server.table();
    clients[0].hears("C 0 4 8;T ");
    clients[0].says("H 5 2 10\n");
    clients[0].hears("H 5 2 10;P 1;P 2;M ");
    clients[1].hears("C 1 6 9;H 5 2 10;P 1;P 2;M ;T ");
    clients[1].says("H 10 3 6\n");
    clients[1].hears("H 10 3 6");
    clients[2].hears("C 3 7 11;H 5 2 10;P 1;P 2;M ;H 10 3 6;C ");
    clients[2].says("M 7\n");
    for client in &mut clients {
        while client.line().expect("a line") != "E 121" {}
    }
    // An unknown letter has a code of its own there.
    clients[0].hears("C 2 6 10;T ");
    clients[0].says("X 3 7 11\n");
    clients[0].hears("E 111");
    clients.iter_mut().skip(1).for_each(|client| assert!(client.line().is_some_and(|line| line.starts_with("C "))));
    clients.iter_mut().skip(1).for_each(|client| client.hears("E 111"));
    clients.iter_mut().for_each(Client::hears_end);
    let ended = server.finish();
    assert_eq!((ended.status, ended.out.as_str()), (Some(0), "[-1, 0, -1]\n"), "{}", ended.log);
}
