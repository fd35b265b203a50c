//! Many tabs of one browser, which opens six connections for all of them, and what stands between it and the server.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use amazons::watch::{Access, Folder, ServerLimits, Site};
use amazons_browser::Browser;
use amazons_rules::Shape;
use amazons_testing::wait_until;
use tempfile::TempDir;

use super::pages::viewed;
use super::play::Played;
use crate::watch::{record, serve};

/// nginx with its defaults in front of a server; none where it is not installed.
struct Nginx {
    child: Child,
    address: SocketAddr,
    _folder: TempDir,
}

impl Nginx {
    fn before(server: SocketAddr) -> Option<Self> {
        let folder = TempDir::new().expect("a folder");
        let address = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port");
        let path = folder.path().display();
        let temporary =
            ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(|what| format!("{what}_temp_path {path}/{what};"));
        let settings = format!(
            "daemon off; master_process off; pid {path}/pid; error_log stderr;\nevents {{}}\nhttp {{ access_log off; {}\n\
             server {{ listen {address}; location / {{ proxy_pass http://{server}; }} }} }}\n",
            temporary.concat()
        );
        let file = folder.path().join("nginx.conf");
        fs::write(&file, settings).expect("a file");
        let child = Command::new("nginx").arg("-c").arg(&file).stderr(Stdio::null()).spawn();
        let Ok(child) = child else {
            eprintln!(
                "SKIPPED: no nginx here, so pages were not looked at behind one (Debian: apt-get install nginx-light)"
            );
            return None;
        };
        wait_until("nginx answers", || TcpStream::connect(address).is_ok());
        Some(Self { child, address, _folder: folder })
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A game by a person with three tabs of the seat, and four tabs of spectators.
fn a_game_in_seven_tabs(is_proxied: bool) {
    let Some(mut browser) = Browser::start() else { return };
    let game = Played::new(&["-m", "5", "--first", "2"], "web:60");
    let address: SocketAddr = game.page.split('/').nth(2).expect("a host").parse().expect("an address");
    let nginx = if is_proxied { Nginx::before(address) } else { None };
    if is_proxied && nginx.is_none() {
        return;
    }
    let front = nginx.as_ref().map_or(address, |nginx| nginx.address);
    let page = game.page.replace(&address.to_string(), &front.to_string());
    browser.open(&page);
    browser.wait("viewer.isAsked()");
    let watched = format!("http://{front}/game/{}", browser.eval("game").as_str().expect("an id"));
    let seats = [0, browser.tab(false), browser.tab(false)];
    for seat in &seats[1..] {
        browser.select(*seat);
        browser.open(&page);
    }
    let spectators: Vec<usize> = (0..4)
        .map(|_| {
            let tab = browser.tab(false);
            browser.open(&watched);
            browser.wait("window.viewer?.game?.moves.length > 0");
            tab
        })
        .collect();
    let mut chosen = Vec::new();
    for turn in 0.. {
        browser.select(seats[turn % 3]);
        match turn {
            1 => browser.leave("location.reload()"),
            2 => {
                browser.leave(&format!("location.href = '{watched}'"));
                browser.wait("window.viewer?.game");
                browser.leave("history.back()");
            }
            _ => {}
        }
        // What another tab has done comes first.
        browser.wait(&format!(
            "window.viewer?.isAsked() && viewer.game.moves.length === {} || window.viewer?.game?.result",
            2 * turn + 1
        ));
        if browser.eval("Boolean(viewer.game.result)") == true {
            break;
        }
        browser.wait("document.title.startsWith('Your turn: ')");
        browser.wait("document.querySelector('#tabs').textContent.startsWith('This seat is open in another tab')");
        let mv = browser.eval("(() => { const words = []; for (let choice = 0; choice < 3; choice += 1) { const vertex = viewer.offered.at(-1); words.push(viewer.square(vertex)); viewer.choose(vertex); } return `${words[0]}-${words[1]}/${words[2]}`; })()");
        chosen.push(mv);
        browser.wait(&format!("viewer.game.moves.length > {} || viewer.game.result", 2 * turn + 1));
    }
    let moves = browser.eval("viewer.game.moves.map((move) => move.text)");
    let own: Vec<_> = moves.as_array().expect("moves").iter().skip(1).step_by(2).cloned().collect();
    assert_eq!(own, chosen, "each move arrived, once");
    assert!(chosen.len() > 2, "{moves}");
    for tab in seats.into_iter().chain(spectators) {
        browser.select(tab);
        browser.wait("viewer.game?.result && viewer.ply === viewer.game.moves.length");
        assert_eq!(browser.eval("viewer.game.moves.map((move) => move.text)"), moves, "tab {tab}");
        let trouble = if tab < 3 { "" } else { "undefined" };
        browser.wait(&format!("location.hash + document.querySelector('#trouble')?.textContent === '{trouble}'"));
    }
}

#[test]
fn a_person_plays_in_seven_tabs() {
    a_game_in_seven_tabs(false);
}

#[test]
fn a_person_plays_in_seven_tabs_behind_nginx() {
    a_game_in_seven_tabs(true);
}

/// Neither tabs behind each other nor windows beside each other keep the next one from the server.
#[test]
fn eight_pages_show_the_games() {
    let Some((mut browser, rig)) = viewed() else { return };
    let text = record("ann", "bob", Shape::Square, 6, 1);
    let lines: Vec<&str> = text.lines().collect();
    rig.write("a.jsonl", &format!("{}\n", lines[..3].join("\n")));
    let id = rig.id("a.jsonl");
    for is_window in [false, true] {
        let tabs: Vec<usize> = (0..8)
            .map(|number| {
                let tab = browser.tab(is_window);
                browser.open(&format!(
                    "http://{}/{}",
                    rig.address,
                    if number % 2 == 0 { String::new() } else { format!("game/{id}") }
                ));
                browser.wait(if number % 2 == 0 {
                    "document.querySelector('#cards li')"
                } else {
                    "viewer.game?.moves.length === 2"
                });
                tab
            })
            .collect();
        let held = "Boolean(stream?.source)";
        if is_window {
            // All are seen, and follow: those without a connection of their own within some seconds.
            let mut file = File::options().append(true).open(rig.path("a.jsonl")).expect("a file");
            writeln!(file, "{}", lines[3]).expect("room");
            for (number, tab) in tabs.iter().enumerate() {
                browser.look_at(*tab);
                browser.wait(if number % 2 == 0 {
                    "document.querySelector('#cards .soft').textContent.startsWith('move 4')"
                } else {
                    "viewer.game.moves.length === 3"
                });
            }
        } else {
            for (number, tab) in tabs.iter().enumerate().skip(1).step_by(2) {
                browser.look_at(*tab);
                browser.wait(&format!("document.hidden === {} && {held} === {}", number < 7, number == 7));
            }
        }
    }
}

/// Passes requests on as nginx does, to a port that may change, and answers 502 itself while there is no server.
#[derive(Default)]
struct Proxy {
    port: AtomicU16,
    /// The first lines of the requests that there was no server for.
    refused: Mutex<Vec<String>>,
}

impl Proxy {
    fn start(self: &Arc<Self>) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let proxy = Arc::clone(self);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let proxy = Arc::clone(&proxy);
                thread::spawn(move || pass_on(stream.expect("a connection"), &proxy));
            }
        });
        address
    }

    /// Returns how often a stream was asked for in vain.
    fn refused(&self, stream: &str) -> usize {
        let refused = self.refused.lock().expect("nothing that could fail");
        refused.iter().filter(|line| line.starts_with("GET ") && line.contains(stream)).count()
    }
}

fn pass_on(mut browser: TcpStream, proxy: &Proxy) -> io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        browser.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    let port = proxy.port.load(Ordering::Relaxed);
    let Ok(mut server) = TcpStream::connect(("127.0.0.1", port)) else {
        let line = String::from_utf8_lossy(&head).lines().next().unwrap_or_default().to_owned();
        proxy.refused.lock().expect("nothing that could fail").push(line);
        return browser.write_all(b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 4\r\nconnection: close\r\n\r\nbad\n");
    };
    let head = String::from_utf8_lossy(&head);
    let kept = head.lines().filter(|line| {
        !["host:", "connection:"].iter().any(|name| line.to_ascii_lowercase().starts_with(name)) && !line.is_empty()
    });
    let head = kept.map(|line| format!("{line}\r\n")).collect::<String>();
    server.write_all(format!("{head}host: 127.0.0.1:{port}\r\nconnection: close\r\n\r\n").as_bytes())?;
    io::copy(&mut server, &mut browser).map(drop)
}

#[test]
fn pages_come_back_after_a_restart_behind_a_proxy() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = TempDir::new().expect("a folder");
    let text = record("ann", "bob", Shape::Square, 6, 1);
    let lines: Vec<&str> = text.lines().collect();
    fs::write(folder.path().join("a.jsonl"), format!("{}\n", lines[..3].join("\n"))).expect("a file");
    fs::write(folder.path().join("journal.jsonl"), "{\"journal\":1,\"ladder\":{}}\n").expect("a file");
    let start = || {
        let site = Site::of_folders(Access::Local, vec![Folder::new(folder.path()).expect("a folder")], Vec::new());
        serve(site, Access::Local, ServerLimits::default())
    };
    let server = start();
    let proxy = Arc::new(Proxy::default());
    proxy.port.store(server.address().port(), Ordering::Relaxed);
    let front = proxy.start();
    browser.open(&format!("http://{front}/"));
    browser.wait("document.querySelector('#rows a') && document.querySelector('#cards li')");
    let list = 0;
    let href = browser.eval("document.querySelector('#rows a').href");
    let game = browser.tab(true);
    browser.open(href.as_str().expect("an address"));
    browser.wait("viewer.game?.moves.length === 2");
    let event = browser.tab(true);
    browser.open(&format!("http://{front}/event/0"));
    browser.wait("document.querySelector('#progress').textContent");
    server.stop().expect("it had not failed");
    for tab in [game, event] {
        browser.look_at(tab);
        browser.wait("document.querySelector('#connection').textContent === 'Connecting again.'");
    }
    // The browser itself gives up after the first of these answers.
    for stream in ["/api/live", "/api/games/", "/api/events/"] {
        wait_until(format!("{stream} is asked for again"), || proxy.refused(stream) >= 2);
    }
    fs::write(folder.path().join("a.jsonl"), format!("{}\n", lines[..4].join("\n"))).expect("a file");
    let viewer = start();
    proxy.port.store(viewer.address().port(), Ordering::Relaxed);
    browser.look_at(game);
    browser.wait("viewer.game.moves.length === 3 && document.querySelector('#connection').textContent === ''");
    browser.look_at(event);
    browser.wait("document.querySelector('#connection').textContent === ''");
    browser.look_at(list);
    browser.wait("/^move 4, [a-z]+: [0-9.]+ s/.test(document.querySelector('#cards .soft').textContent)");
    // Only a game that the server does not know is said to be gone, and its clock stands.
    fs::remove_file(folder.path().join("a.jsonl")).expect("it was there");
    browser.look_at(game);
    browser.wait("document.querySelector('#connection').textContent === 'The server does not show this any more.'");
    assert_eq!(browser.eval("document.querySelector('.thinking').textContent"), "");
    viewer.stop().expect("it had not failed");
}
