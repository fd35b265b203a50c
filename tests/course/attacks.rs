use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::thread;

use super::house::{House, asked, post};
use crate::cli::player;
use crate::watch::connect;

#[test]
fn uploads_that_are_too_large() {
    let house = House::new();
    house.edit("upload-max = \"16M\"", "upload-max = \"64K\"");
    let at = house.start();
    let ada = house.authorization("ada");
    let huge = asked(at.address, "POST /api/submit", &format!("{ada}content-length: 1073741824\r\n"), b"");
    assert_eq!((huge.status, huge.text()), (413, "an upload may have at most 64 KiB\n"));
    let mut chunk = b"10000\r\n".to_vec();
    chunk.extend([b'x'; 0x10000]);
    chunk.extend(b"\r\n");
    let chunked =
        asked(at.address, "POST /api/submit", &format!("{ada}transfer-encoding: chunked\r\n"), &chunk.repeat(4));
    assert_eq!(chunked.status, 413, "counted while it arrives");
    assert_eq!(post(at.address, &ada, b"").status, 400);
    assert!(house.team("ada").versions.is_empty());
    let left = fs::read_dir(house.dir().join("incoming")).map_or(0, Iterator::count);
    assert_eq!(left, 0);
}

#[test]
fn tokens_of_nobody() {
    let house = House::new();
    let at = house.start();
    let with = |headers: &str| post(at.address, headers, b"x").status;
    assert_eq!(with(""), 401);
    assert_eq!(with("authorization: Bearer\r\n"), 401);
    assert_eq!(with(&format!("authorization: Basic {}\r\n", house.tokens["ada"])), 401);
    assert_eq!(with(&house.authorization("ada").repeat(2)), 401);
    assert_eq!(with(&format!("cookie: token={}\r\n", house.tokens["ada"])), 401);
    let guess = |number: u32| with(&format!("authorization: Bearer {number:032x}\r\n"));
    let answers: Vec<u16> = (0..30).map(guess).collect();
    assert!(answers.contains(&401) && answers[25..].contains(&429), "{answers:?}");
    // Nobody locks a team out by guessing.
    assert_eq!(house.get(&at, "ada", "/api/team").status, 200);
    assert!(["ada", "bob", "cid"].iter().all(|team| house.team(team).versions.is_empty()));
    let renewed = house.run(&["token", "ada"]);
    assert_eq!(renewed.status, 0);
    assert_ne!(house.get(&at, "ada", "/api/team").status, 200, "the old token");
}

#[test]
fn requests_of_foreign_pages() {
    let house = House::new();
    let at = house.start();
    let ada = house.authorization("ada");
    let with = |more: &str| post(at.address, &format!("{ada}{more}"), b"x").status;
    assert_eq!(with("origin: http://evil.example\r\n"), 403);
    assert_eq!(with("origin: null\r\n"), 403);
    assert_eq!(with("sec-fetch-site: cross-site\r\n"), 403);
    assert_eq!(with("sec-fetch-site: same-site\r\n"), 403);
    assert_eq!(with("content-type: multipart/form-data; boundary=x\r\n"), 415);
    assert_eq!(asked(at.address, "OPTIONS /api/submit", "origin: http://evil.example\r\n", b"").status, 405);
    assert!(house.team("ada").versions.is_empty());
    assert_eq!(with(&format!("origin: http://{}\r\nsec-fetch-site: same-origin\r\n", at.address)), 201);
    // A name is answered once the settings have it.
    let named = || {
        let mut stream = connect(at.address);
        write!(stream, "GET /submit HTTP/1.1\r\nhost: amazons.example\r\nconnection: close\r\n\r\n")
            .expect("a connection");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    };
    assert!(named().starts_with("HTTP/1.1 421"));
    house.edit("names = []", "names = [\"amazons.example\"]");
    assert!(named().starts_with("HTTP/1.1 200"));
}

#[test]
fn the_same_request_many_times_at_once() {
    let house = House::new();
    let at = house.start();
    let file = player("random");
    let statuses: Vec<u16> = thread::scope(|scope| {
        let sent: Vec<_> = (0..8).map(|_| scope.spawn(|| house.submit(&at, "ada", Path::new(&file)).status)).collect();
        sent.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| [200, 201, 409].contains(status)), "{statuses:?}");
    assert_eq!(house.team("ada").versions.len(), 1);
    // An upload that stops half-way blocks nobody else, and leaves nothing.
    let mut stalled = connect(at.address);
    let head = format!("POST /api/submit HTTP/1.1\r\nhost: {}\r\n{}", at.address, house.authorization("bob"));
    write!(stalled, "{head}content-length: 1000\r\n\r\nhalf").expect("a connection");
    assert_eq!(house.submit(&at, "cid", Path::new(&file)).status, 201);
    assert_eq!(house.decided("ada", 1), "admitted");
    drop(stalled);
    assert!(house.team("bob").versions.is_empty());
}
