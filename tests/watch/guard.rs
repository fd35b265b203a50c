//! Access control: allowed clients and allowed requests.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use amazons::watch::{Access, ServerLimits, Site, Viewer, listen};

use super::{Reply, Rig, connect, raw, reply};

fn asked(address: SocketAddr, line: &str, headers: &str) -> u16 {
    raw(address, &format!("{line} HTTP/1.1\r\n{headers}connection: close\r\n\r\n")).status
}

#[test]
fn only_our_own_address_is_answered() {
    let rig = Rig::new();
    let port = rig.address.port();
    let with = |host: &str| asked(rig.address, "GET /", &format!("host: {host}\r\n"));
    assert_eq!(with(&format!("127.0.0.1:{port}")), 200);
    assert_eq!(with(&format!("LocalHost:{port}")), 200);
    let others = [
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{}", port ^ 1),
        format!("evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        format!("127.0.0.2:{port}"),
        format!("[::1]:{port}"),
        format!("user@127.0.0.1:{port}"),
        format!("127.0.0.1:{port}/x"),
        String::new(),
        "\u{e9}".to_owned(),
    ];
    for host in others {
        assert!([400, 421].contains(&with(&host)), "{host}");
    }
    let refused = raw(rig.address, &format!("GET / HTTP/1.1\r\nhost: my.lan:{port}\r\nconnection: close\r\n\r\n"));
    assert_eq!(
        refused.text(),
        format!("ask for this server by its address, not by a name: http://127.0.0.1:{port}/\n")
    );
    assert_eq!(asked(rig.address, "GET /", ""), 421, "no Host");
    let twice = format!("host: 127.0.0.1:{port}\r\nhost: 127.0.0.1:{port}\r\n");
    assert_eq!(asked(rig.address, "GET /", &twice), 421);
}

#[test]
fn every_answer_says_what_browsers_may_do_with_it() {
    let rig = Rig::new();
    for path in ["/", "/assets/viewer.js", "/api/games", "/nothing"] {
        let reply = rig.get(path);
        let policy = reply.header("content-security-policy").expect("a policy");
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"),
            "{policy}"
        );
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(reply.header("cross-origin-resource-policy"), Some("same-origin"));
        assert!(!reply.head.contains("access-control"), "{}", reply.head);
        assert_eq!(reply.header("cross-origin-opener-policy"), Some("same-origin"));
    }
    // Browsers ignore the opener policy of a plain address in the network, with a complaint.
    let listener = listen([0, 0, 0, 0].into(), 0, Access::Public).expect("a free port");
    let site = Site::of_folders(Access::Public, Vec::new(), Vec::new());
    let viewer = Viewer::start(listener, Arc::new(site), ServerLimits::default()).expect("a thread");
    let (address, port) = (([127, 0, 0, 1], viewer.address().port()).into(), viewer.address().port());
    let from =
        |host: &str| raw(address, &format!("GET / HTTP/1.1\r\nhost: {host}:{port}\r\nconnection: close\r\n\r\n"));
    assert_eq!(from("192.0.2.7").header("cross-origin-opener-policy"), None);
    assert_eq!(from("127.0.0.1").header("cross-origin-opener-policy"), Some("same-origin"));
    let words = "ask for this server by its machine's address, such as http://192.0.2.1:";
    let named = from("laptop.local");
    assert!(
        named.status == 421 && named.text().starts_with(words) && named.text().contains("not by a name"),
        "{named:?}"
    );
    viewer.stop().expect("it had not failed");
}

/// nginx passes events on at once when it is told to.
#[test]
fn proxies_are_told_not_to_keep_events() {
    let rig = Rig::new();
    let mut stream = connect(rig.address);
    write!(stream, "GET /api/live HTTP/1.0\r\nhost: {}\r\n\r\n", rig.address).expect("a connection");
    let mut head = [0; 600];
    let read = stream.read(&mut head).expect("an answer");
    assert!(String::from_utf8_lossy(&head[..read]).contains("x-accel-buffering: no\r\n"));
}

#[test]
fn there_are_questions_only() {
    let rig = Rig::new();
    let host = format!("host: {}\r\n", rig.address);
    // Requests to act must come from our own pages.
    assert_eq!(asked(rig.address, "POST /api/games", &host), 403);
    assert_eq!(asked(rig.address, "POST /assets/page.js", &host), 405);
    for method in ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "FOO"] {
        assert_eq!(asked(rig.address, &format!("{method} /api/games"), &host), 405, "{method}");
    }
    assert_eq!(asked(rig.address, "HEAD /", &host), 200);
    assert!(raw(rig.address, &format!("HEAD / HTTP/1.1\r\n{host}connection: close\r\n\r\n")).body.is_empty());
    assert_eq!(asked(rig.address, "GET /", &format!("{host}content-length: 3\r\n")), 413);
    assert_eq!(asked(rig.address, "GET /", &format!("{host}transfer-encoding: chunked\r\n")), 413);
}

#[test]
fn no_path_leads_anywhere_else() {
    let rig = Rig::new();
    rig.write("secret.txt", "secret");
    let paths = [
        "/secret.txt",
        "/../secret.txt",
        "/assets/../../Cargo.toml",
        "/assets/..%2fCargo.toml",
        "/%2e%2e/etc/passwd",
        "/assets/%76iewer.js",
        "//etc/passwd",
        "/assets//viewer.js",
        "/game/..",
        "/game/secret.txt",
        "/game/x/y",
        "/assets/",
        "/api/games/secret.txt",
        "/api/games/../record",
        "/api/games/0123456789abcdef/record",
        "/api/games/0123456789abcdef/log/1",
        "/api/games/%00/events",
        "/assets/viewer.js%00",
        "/assets/viewer.js/",
        "/.git/config",
        "/\\",
        "/api/games/x/as/../sgf",
    ];
    for path in paths {
        let reply = rig.get(path);
        assert!(reply.status == 404 || reply.status == 400, "{path}: {reply:?}");
        assert!(!reply.text().contains("secret") && !reply.text().contains("root"), "{path}");
    }
    for asset in ["viewer.js", "viewer.css", "watch.css", "index.js", "game.js", "small_board.js"] {
        let reply = rig.get(&format!("/assets/{asset}"));
        assert_eq!(reply.status, 200, "{asset}");
        assert!(!reply.text().contains("innerHTML") && !reply.text().contains("eval("), "{asset}: text stays text");
    }
}

#[test]
fn large_requests_are_refused() {
    let rig = Rig::new();
    let host = format!("host: {}\r\n", rig.address);
    let long = |bytes: usize| "x".repeat(bytes);
    for (line, headers) in [
        (format!("GET /{}", long(100_000)), host.clone()),
        ("GET /".to_owned(), format!("{host}x: {}\r\n", long(100_000))),
        ("GET /".to_owned(), format!("{host}{}", "a: b\r\n".repeat(1000))),
    ] {
        let status = asked(rig.address, &line, &headers);
        assert!([0, 400, 414, 431].contains(&status), "{status}");
    }
    assert_eq!(rig.get("/").status, 200, "others are served as before");
}

#[test]
fn half_requests_and_idle_connections_are_given_up() {
    let bounds = ServerLimits { request: Duration::from_millis(300), ..ServerLimits::default() };
    let rig = Rig::with(Access::Local, bounds, &[]);
    for words in ["", "GET / HT", "GET / HTTP/1.1\r\nhost: "] {
        let mut stream = connect(rig.address);
        stream.write_all(words.as_bytes()).expect("a connection");
        assert!([0, 408].contains(&rest(stream).status), "{words}");
    }
    // A connection that could continue after its first answer is also closed.
    let mut stream = connect(rig.address);
    write!(stream, "GET /nothing HTTP/1.1\r\nhost: {}\r\n\r\n", rig.address).expect("a connection");
    assert_eq!(rest(stream).status, 404);
}

/// Reads until the server closes the connection, or resets it.
fn rest(mut stream: TcpStream) -> Reply {
    let mut rest = Vec::new();
    if let Err(error) = stream.read_to_end(&mut rest) {
        assert_eq!(error.kind(), ErrorKind::ConnectionReset);
    }
    reply(&rest)
}

#[test]
fn other_machines_are_let_in_only_when_that_is_spelt_out() {
    let refused = listen([0, 0, 0, 0].into(), 0, Access::Local).expect_err("nobody asked for that");
    assert!(refused.to_string().contains("--public"), "{refused}");
    assert!(listen([0, 0, 0, 0].into(), 0, Access::Public).is_ok());
    assert!(listen([127, 0, 0, 2].into(), 0, Access::Local).is_ok());
}
