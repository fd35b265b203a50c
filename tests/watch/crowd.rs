//! More connections than there is room for.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpStream};

use amazons::referee::{PlayerNumber, Termination};
use amazons::watch::{Access, ServerLimits};
use amazons_rules::Shape;
use amazons_testing::wait_until;
use rustix::net::{AddressFamily, SocketType, bind, connect, socket};
use serde_json::json;

use super::play::{START, WebSession};
use super::{PATIENCE, Reply, Rig, get, raw, record, reply};

/// Each of four addresses may have two of these.
pub(crate) const BOUNDS: fn() -> ServerLimits = || ServerLimits { connections: 8, ..ServerLimits::default() };

/// Connects from 127.0.0.`host`.
fn connect_from(host: u8, to: SocketAddr) -> TcpStream {
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None).expect("a socket");
    bind(&socket, &SocketAddrV4::new(Ipv4Addr::new(127, 0, 0, host), 0)).expect("an address of this machine");
    connect(&socket, &to).expect("a connection");
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
    stream
}

/// Requests the stream of running games; returns the connection with the start of the answer, which may be empty.
fn stream_from(host: u8, to: SocketAddr) -> (TcpStream, Vec<u8>) {
    let mut stream = connect_from(host, to);
    write!(stream, "GET /api/live HTTP/1.1\r\nhost: {to}\r\naccept: text/event-stream\r\n\r\n").expect("a connection");
    let mut start = vec![0; 12];
    // Closed, or reset.
    let read = stream.read(&mut start).unwrap_or(0);
    start.truncate(read);
    (stream, start)
}

/// Requests the first page; without a header that says so, the connection may stay for some seconds.
fn get_from(host: u8, to: SocketAddr, headers: &str) -> Reply {
    let mut stream = connect_from(host, to);
    write!(stream, "GET / HTTP/1.1\r\nhost: {to}\r\n{headers}\r\n").expect("a connection");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    reply(&answer)
}

/// Takes every place of `BOUNDS`, from 127.0.0.2 to 127.0.0.5.
pub(crate) fn fill(to: SocketAddr) -> Vec<TcpStream> {
    let taken = (2..6).flat_map(|host| [host; 2]).map(|host| {
        let (stream, start) = stream_from(host, to);
        assert_eq!(start, b"HTTP/1.1 200");
        stream
    });
    taken.collect()
}

#[test]
fn each_address_has_a_share_of_the_places() {
    let rig = Rig::with(Access::Local, BOUNDS(), &[]);
    let mut taken = fill(rig.address);
    let full = get_from(6, rig.address, "");
    assert_eq!((full.status, full.header("connection")), (503, Some("close")), "{full:?}");
    assert_eq!(full.text(), "all 8 connections for spectators are taken: try again later\n");
    assert!(full.header("content-security-policy").is_some(), "{full:?}");
    assert_eq!(stream_from(6, rig.address).1, b"", "browsers come again for events only without an answer");
    drop(taken.split_off(6));
    wait_until("places are given back", || get(rig.address, "/").status == 200);
    let greedy = get_from(2, rig.address, "");
    assert_eq!(greedy.status, 503, "{greedy:?}");
    assert_eq!(greedy.text(), "your address already has 2 connections: close some or try again later\n");
}

#[test]
fn who_asks_for_nothing_takes_no_place() {
    let rig = Rig::with(Access::Local, BOUNDS(), &[]);
    rig.write("game.jsonl", &record("a", "b", Shape::Square, 6, 1));
    let words = ["", "GET / HT", "GET / HTTP/1.1\r\nhost: "];
    let idle: Vec<TcpStream> = (0..200)
        .map(|number: usize| {
            let mut stream = connect_from(2 + (number % 3) as u8, rig.address);
            // It may be closed by now.
            let _ = stream.write_all(words[number % 3].as_bytes());
            stream
        })
        .collect();
    assert_eq!(rig.get("/").status, 200);
    assert_eq!(
        get_from(2, rig.address, "connection: close\r\n").status,
        200,
        "nor at that of an address that has many"
    );
    assert_eq!(rig.listed("", 1)["total"], 1);
    drop(idle);
}

/// Whatever spectators do, the page of a person who plays loads, and moves arrive.
#[test]
fn a_full_house_stops_nobody_who_plays() {
    let table = WebSession::with(BOUNDS(), &["--position", START, "web", "web"]);
    let (address, token) = (table.address, table.tokens[0].clone());
    let _taken = fill(address);
    let _idle: Vec<TcpStream> = (0..200).map(|number| connect_from(2 + number % 4, address)).collect();
    assert_eq!(get(address, "/").status, 503);
    assert_eq!(get(address, "/game/live").status, 503);
    assert_eq!(get(address, "/assets/game.js").status, 503);
    let near = format!("{}{}", &token[..31], if token.ends_with('0') { "1" } else { "0" });
    assert_eq!(get(address, &format!("/play/{near}")).status, 503, "only the token counts");
    let page = get(address, &format!("/play/{token}"));
    assert_eq!(page.status, 200);
    let used: Vec<&str> = page.text().split('"').filter(|word| word.starts_with('/')).collect();
    assert!(used.len() > 5 && used.iter().all(|path| get(address, path).status == 200), "{used:?}");
    let mut turns = [table.turns(0), table.turns(1)];
    for (ply, text) in ["a1-a2/a1", "e4-e5/e4", "a2-b2/a2"].into_iter().enumerate() {
        turns[ply % 2].at(ply as u64);
        assert_eq!(table.wish(ply % 2, "move", &json!({ "ply": ply, "move": text })).status, 200, "{text}");
    }
    let game = format!("/play/{token}/api/games/live");
    let mut seen = super::Events::open(address, &format!("{game}/events"), "");
    for event in ["start", "move", "move", "move"] {
        assert_eq!(seen.line().expect("a line").json()["event"], event);
    }
    // What is not for everyone stays where it is, and nothing else is found there.
    for path in [format!("/play/{token}/game/live"), format!("/play/{token}//api/games"), format!("{game}/../live")] {
        assert_eq!(get(address, &path).status, 404, "{path}");
    }
    let origin = format!("origin: http://{address}\r\ncontent-type: application/json\r\n");
    assert_eq!(super::play::post(address, &game, &origin, "{}").status, 405);
    turns[1].at(3);
    assert_eq!(table.wish(1, "resign", &json!({ "ply": 3 })).status, 200);
    let outcome = table.end();
    assert_eq!((outcome.termination, outcome.winner), (Termination::Resign, Some(PlayerNumber::One)));
}

/// One player's connections cannot keep the other one out.
#[test]
fn each_player_has_places_of_their_own() {
    let table = WebSession::with(BOUNDS(), &["--position", START, "web", "web"]);
    let _taken = fill(table.address);
    let mut one: Vec<_> = (0..16).map(|_| table.turns(0)).collect();
    let path = format!("/play/{}", table.tokens[0]);
    assert_eq!(get(table.address, &path).status, 503);
    assert_eq!(get(table.address, &format!("/play/{}", table.tokens[1])).status, 200);
    one[0].at(0);
    one.truncate(1);
    wait_until("places are given back", || get(table.address, &path).status == 200);
    assert_eq!(table.wish(0, "resign", &json!({ "ply": 0 })).status, 200);
    table.end();
}

#[test]
fn requests_without_a_place_are_still_judged() {
    let rig = Rig::with(Access::Local, BOUNDS(), &[]);
    let _taken = fill(rig.address);
    assert_eq!(raw(rig.address, "GET / HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n").status, 421);
}
