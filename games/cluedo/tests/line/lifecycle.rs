//! How a server begins and ends, signals, and clients that come back.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use amazons_testing::{let_pass, status_of, wait_for, wait_until};
use cluedo::bots::Kind;
use cluedo::bots::play::seat_bot;
use cluedo::deal::stream;
use cluedo::line::message::Line;
use rustix::process::{Signal, kill_process};

use super::server::{Client, Server};
use crate::support::{PROGRAM, TemporaryFile};

#[test]
fn ports() {
    let server = Server::start(&["1", "-n", "2", "--seed", "1"]);
    let port = server.port.to_string();
    let second: Output = Command::new(PROGRAM).args(["serve", &port, "1"]).output().expect("it runs");
    let complaint = String::from_utf8(second.stderr).expect("text");
    assert_eq!((second.status.code(), complaint.lines().count()), (Some(2), 1), "{complaint}");
    assert!(complaint.contains(&port) && complaint.contains("0 picks a free port"), "{complaint}");
    // The same command runs again at once, though the first one's connections are hardly closed.
    play_to_the_end(server);
    play_to_the_end(Server::start_on(&port, &["1", "-n", "2", "--seed", "1"]));
}

fn play_to_the_end(server: Server) {
    let mut clients: [Client; 2] = server.table();
    clients[1].line().expect("a hand");
    // A wrong accusation of each ends the game; both keep their connections until the server has closed them.
    for (client, heard) in clients.iter_mut().zip([2, 1]) {
        (0..heard).for_each(|_| drop(client.line().expect("a line")));
        client.says("A 0 3 6\n");
    }
    for client in &mut clients {
        let line = client.line().expect("a line");
        assert!(line.starts_with("E 301") || line.starts_with("F "), "{line}");
        client.hears_end();
    }
    assert_eq!(server.finish().status, Some(0));
}

#[test]
fn stopping_once_and_twice() {
    for signal in [Signal::INT, Signal::TERM] {
        for times in [1, 2] {
            let record = TemporaryFile::new();
            let args = ["100", "-n", "2", "--tables", "2", "--timeout", "0", "--json", "--record", record.name()];
            let server = Server::start(&args);
            let mut clients: [Client; 2] = server.table();
            // This one waits at the other table.
            let mut waiting = server.seat(0, 2);
            clients[0].line().expect("a hand");
            clients[0].hears("T");
            clients[1].line().expect("a hand");
            server.signal(signal);
            waiting.hears_end();
            if times == 1 {
                // The game goes on to its end; it is the last.
                clients[0].says("A 0 3 3\n");
                clients.iter_mut().for_each(|client| client.hears("E 201"));
            } else {
                server.signal(signal);
                clients.iter_mut().for_each(|client| client.hears("E 301"));
            }
            clients.iter_mut().for_each(Client::hears_end);
            let ended = server.finish();
            assert_eq!(ended.status, Some(130), "{}", ended.log);
            let gain = if times == 1 { -1 } else { 0 };
            assert_eq!(ended.gains(2), [[gain, 0], [0, 0]]);
            // However the game ended, its deal is opened.
            let code = if times == 1 { "\"code\":201" } else { "\"code\":null" };
            let text = record.text();
            assert!(text.lines().last().is_some_and(|line| line.contains("\"salt\"") && line.contains(code)), "{text}");
        }
    }
}

/// Plays as a bot, and returns every byte that it heard; does something before each answer.
fn play(mut client: Client, kind: Kind, seat: usize, players: usize, before: impl Fn()) -> String {
    let mut player = seat_bot(kind, seat, players, stream(8, 0, 0, &format!("seat {seat}")));
    let mut heard = String::new();
    while let Some(line) = client.line() {
        heard += &line;
        heard.push('\n');
        if let Some(answer) = player.answer(Line::parse(line.as_bytes()).expect("a line of the server")) {
            before();
            client.says(format!("{answer}\n"));
        }
    }
    heard
}

#[test]
fn ten_thousand_signals_change_no_byte() {
    let run = |signals: usize| {
        let server = Server::start(&["40", "-n", "3", "--seed", "7", "--quiet", "--json"]);
        let clients: [Client; 3] = server.table();
        let pid = server.pid();
        let threads: Vec<_> = clients
            .into_iter()
            .enumerate()
            .map(|(seat, client)| {
                thread::spawn(move || {
                    let before = || (0..signals).for_each(|_| kill_process(pid, Signal::USR1).expect("it runs"));
                    play(client, Kind::Bot2, seat, 3, before)
                })
            })
            .collect();
        let heard: Vec<String> = threads.into_iter().map(|thread| thread.join().expect("a client")).collect();
        (heard, server.finish())
    };
    let (undisturbed, quiet) = run(0);
    let answers: usize =
        undisturbed.iter().flat_map(|heard| heard.lines()).filter(|line| ["T", "C"].contains(line)).count();
    let (disturbed, ended) = run(10_000_usize.div_ceil(answers));
    assert_eq!(disturbed, undisturbed);
    assert_eq!((ended.status, &ended.out), (Some(0), &quiet.out));
    assert!(quiet.log.is_empty(), "{}", quiet.log);
    // The state names seats and turns, and no cards: only these words.
    let states: Vec<&str> = ended.log.lines().filter(|line| line.starts_with("table 0: game ")).collect();
    assert!(states.len() > 100, "{}", ended.log.len());
    for line in states {
        let (_, rest) = line.split_once(", turn ").expect("a turn");
        let (turn, rest) = rest.split_once(", ").expect("what it waits for");
        assert!(turn.parse::<usize>().is_ok_and(|turn| turn <= 27), "{line}");
        let (waits, seats) = rest.split_once("; ").expect("seats");
        let waits: String = waits.chars().filter(|letter| !letter.is_ascii_digit()).collect();
        let known = ["waits for a card of seat , . s", "waits for the turn of seat , . s", "waits for players"];
        assert!(known.contains(&waits.as_str()) && seats == "p0, p1, p2", "{line}");
    }
}

/// Connections that say nothing keep nobody from coming back, and no log tells the secret part of a login.
#[test]
fn silent_connections_take_no_seat_from_its_owner() {
    let server = Server::start(&["1", "-n", "2", "--rejoin", "60s", "--timeout", "60s", "--json"]);
    let mut clients: [Client; 2] = std::array::from_fn(|seat| server.seat(seat, 2));
    clients[0].says("B ada#hidden\n");
    clients[1].says("B bob#hidden\n");
    clients[1].line().expect("a hand");
    let [ada, mut bob] = clients;
    let silent: Vec<Client> = (0..200).map(|_| server.connect()).collect();
    ada.reset();
    server.await_log("ada: left, may come back", 1);
    let mut ada = server.connect();
    ada.says("B ada#hidden\n");
    ada.hears("B 0 2");
    ada.line().expect("a hand");
    ada.hears("T");
    drop(silent);
    ada.says("B ada#hidden\n");
    ada.hears("E 201");
    bob.hears("E 201");
    let ended = server.finish();
    assert!(
        ended.log.contains("seat 0 ada: fault 201: \"B ada#...\"") && !ended.log.contains("hidden"),
        "{}",
        ended.log
    );
}

/// A bot goes on while nobody reads what it says of itself.
#[test]
fn signals_to_a_bot_disturb_nothing() {
    let server = Server::start(&["20", "-n", "2", "--seed", "5", "--json"]);
    let bots = [server.bot_alone(&["4", "--seed", "1"]), server.bot_alone(&["4", "--seed", "2"])];
    // They are there, and signals have a handler.
    server.await_log("hello", 2);
    for _ in 0..2_000 {
        // Their pipes hold 64 KiB.
        if bots.iter().any(|bot| kill_process(rustix::process::Pid::from_child(bot), Signal::USR1).is_err()) {
            break;
        }
    }
    let ended = server.finish();
    assert_eq!(ended.status, Some(0), "{}", ended.log);
    for mut bot in bots {
        assert_eq!(status_of(&mut bot).code(), Some(0));
    }
}

/// A game that ada has left, and may come back to; what bob and cleo say is heard next.
///
/// With another table, newcomers find free seats there all the while.
fn ada_has_left(tables: &str) -> (Server, Client, Client) {
    let server = Server::of_session(&["--rejoin", "60s", "--tables", tables, "--json"]);
    let mut clients: [Client; 3] = std::array::from_fn(|seat| server.seat(seat, 3));
    for (client, hello) in clients.iter_mut().zip(["B ada#secret\n", "B bob#x\n", "B cleo#y\n"]) {
        client.says(hello);
    }
    let [mut ada, mut bob, mut cleo] = clients;
    ada.hears("C 0 4 8;T");
    ada.says("H 1 4 8\n");
    bob.hears("C 1 6 9;H 1 4 8;C");
    bob.says("M 1\n");
    ada.hears("M 1 1");
    bob.hears("M 1;T");
    ada.reset();
    server.await_log("seat 0 ada: left, may come back", 1);
    bob.says("H 0 6 9\n");
    cleo.hears("C 3 7 11;H 1 4 8;M 1;H 0 6 9;P 2");
    (server, bob, cleo)
}

/// Ada is back and hears all that she has missed; they play to the end.
fn go_on(server: Server, [mut ada, mut bob, mut cleo]: [Client; 3], is_last_table: bool) {
    ada.hears("C 0 4 8;H 1 4 8;M 1 1;H 0 6 9;P 2;C");
    ada.says("M 0\n");
    cleo.hears("M 0;T");
    cleo.says("A 2 5 10\n");
    ada.hears("M 0;F 2;C 2 6 10;T");
    ada.says("A 3 7 11\n");
    [&mut ada, &mut bob, &mut cleo].into_iter().for_each(|client| while client.line().is_some() {});
    if !is_last_table {
        server.signal(Signal::INT);
    }
    let ended = server.finish();
    assert_eq!(ended.gains(3)[0], [1, 0, 1], "{}", ended.log);
}

const GUESSES: [&str; 6] = ["ada", "ada#", "ada#Secret", "ada#secret2", "#secret", "bob#x"];

#[test]
fn who_guesses_a_login_hears_nothing_of_a_full_server() {
    let (server, bob, cleo) = ada_has_left("1");
    for guess in GUESSES {
        let mut client = server.connect();
        client.says(format!("B {guess}\n"));
        client.hears_end();
    }
    let mut ada = server.connect();
    ada.says("B ada#secret\n");
    ada.hears("B 0 3");
    go_on(server, [ada, bob, cleo], true);
}

#[test]
fn who_guesses_a_login_is_a_newcomer() {
    let (server, bob, cleo) = ada_has_left("2");
    for guess in GUESSES {
        let mut client = server.seat(0, 3);
        client.says(format!("B {guess}\n"));
        server.await_log("hello", 1);
        drop(client);
        server.await_log("gone", 1);
    }
    let mut ada = server.seat(0, 3);
    ada.says("B ada#secret\n");
    ada.hears("B 0 3");
    go_on(server, [ada, bob, cleo], false);
}

/// Two clients who say hello before the server has read either.
fn two_at_once(server: &Server) -> [Client; 2] {
    server.signal(Signal::STOP);
    let mut both = [server.connect(), server.connect()];
    both.iter_mut().for_each(|client| client.says("B ada#secret\n"));
    server.signal(Signal::CONT);
    both
}

#[test]
fn of_two_at_once_one_comes_back_to_a_full_server() {
    let (server, bob, cleo) = ada_has_left("1");
    let [mut ada, mut other] = two_at_once(&server);
    // Which of them is the first to be read is the kernel's choice.
    match ada.line() {
        Some(greeting) => {
            assert_eq!(greeting, "B 0 3");
            other.hears_end();
        }
        None => {
            ada = other;
            ada.hears("B 0 3");
        }
    }
    go_on(server, [ada, bob, cleo], true);
}

#[test]
fn of_two_at_once_one_comes_back_past_free_seats() {
    let (server, bob, cleo) = ada_has_left("2");
    let [mut ada, mut other] = two_at_once(&server);
    // Both are seated first, and who comes back leaves that seat.
    let is_second = server.await_log("gone", 1).contains("seat 1");
    server.await_log("seat 0 ada: is back", 1);
    ada.hears("B 0 3");
    other.hears("B 1 3");
    if is_second {
        std::mem::swap(&mut ada, &mut other);
    }
    ada.hears("B 0 3");
    go_on(server, [ada, bob, cleo], false);
}

/// Over the network, too: a client that is asked, leaves, comes back and leaves again loses its turn in the end.
#[test]
fn coming_back_again_and_again() {
    let server = Server::start(&["1", "-n", "2", "--rejoin", "60m", "--timeout", "1s", "--json"]);
    let mut clients: [Client; 2] = std::array::from_fn(|seat| server.seat(seat, 2));
    clients[0].says("B ada#secret\n");
    clients[1].says("B bob\n");
    let [ada, mut bob] = clients;
    let mut ada = Some(ada.into_stream());
    wait_until("it loses its turn", || {
        // The server may end at any moment, so nothing that fails here is an error.
        if let Some(ada) = ada.take() {
            let lines = BufReader::new(&ada).lines().map_while(Result::ok);
            let _ = { lines }.find(|line| line == "T");
        }
        let mut said = String::new();
        while !said.contains("left") && !said.contains("fault 202") {
            said = server.await_log("seat 0 ada: ", 1);
        }
        if said.contains("left") {
            ada = TcpStream::connect(("127.0.0.1", server.port)).ok();
            let _ = ada.as_ref().map(|mut ada| ada.write_all(b"B ada#secret\n"));
        }
        said.contains("fault 202")
    });
    while bob.line().is_some_and(|line| line != "E 202") {}
    bob.hears_end();
    assert_eq!(server.finish().gains(2)[0], [-1, 0]);
}

/// `serve PORT GAMES & bot 2 PORT` in one line must work, although the server may be the last to start.
#[test]
fn a_bot_may_start_before_its_server() {
    let port = |listener: &TcpListener| listener.local_addr().expect("an address").port();
    // A busy machine may keep this test waiting for longer than the bot waits.
    let is_met = (0..5).any(|_| {
        let free = port(&TcpListener::bind("127.0.0.1:0").expect("a port"));
        let mut bot = Command::new(PROGRAM)
            .args(["bot", "2", &free.to_string()])
            .stderr(Stdio::null())
            .spawn()
            .expect("it can be run");
        let_pass(Duration::from_millis(100));
        let Ok(listener) = TcpListener::bind(("127.0.0.1", free)) else {
            status_of(&mut bot);
            return false;
        };
        listener.set_nonblocking(true).expect("a socket");
        // A connection closes at once.
        let has_come = wait_for("a connection or the bot's end", || {
            let has_come = listener.accept().is_ok();
            (has_come || bot.try_wait().expect("a child").is_some()).then_some(has_come)
        });
        status_of(&mut bot);
        has_come
    });
    assert!(is_met, "it comes once the server listens");
}
