//! The viewer, over plain connections and in a browser.

mod analyses;
mod browser;
mod commands;
pub(crate) mod crowd;
mod events;
mod guard;
mod lists;
mod logs;
mod play;
mod public;
mod spectators;
mod streams;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use amazons::record::RECORD_FORMAT;
use amazons::watch::{Access, Folder, ServerLimits, Site, Viewer, listen};
use amazons_formats::{Ending, GameOutcome};
use amazons_rules::Shape;
use amazons_testing::wait_for;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::formats::{random_game, start, written};

/// The time limit for a required answer; nothing here takes a hundredth of it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A viewer of a folder.
pub(crate) struct Rig {
    pub(crate) folder: TempDir,
    viewer: Option<Viewer>,
    pub(crate) address: SocketAddr,
}

impl Rig {
    pub(crate) fn new() -> Self {
        Self::with(Access::Local, ServerLimits::default(), &[])
    }

    pub(crate) fn with(access: Access, bounds: ServerLimits, logs: &[&Path]) -> Self {
        let folder = TempDir::new().expect("a folder");
        let open = |path: &Path| Folder::new(path).expect("a folder");
        let site = Site::of_folders(access, vec![open(folder.path())], logs.iter().map(|path| open(path)).collect());
        let viewer = serve(site.with_fresh_lists(Duration::ZERO), access, bounds);
        let address = viewer.address();
        Self { folder, viewer: Some(viewer), address }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, record: &str) {
        fs::write(self.path(name), record).expect("a file");
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        get(self.address, path)
    }

    /// Requests the list until it has that many games.
    pub(crate) fn listed(&self, query: &str, total: u64) -> Value {
        wait_for(format!("{query}: {total} games"), || {
            let list = self.get(&format!("/api/games?{query}")).json()["list"].clone();
            (list["total"] == total).then_some(list)
        })
    }

    /// Returns a record's name in addresses.
    pub(crate) fn id(&self, name: &str) -> String {
        wait_for(format!("{name} is listed"), || {
            let list = self.get("/api/games?size=200").json();
            let game = list["list"]["games"].as_array().expect("games").iter().find(|game| game["name"] == name)?;
            Some(game["id"].as_str().expect("a name").to_owned())
        })
    }

    pub(crate) fn events(&self, id: &str, headers: &str) -> Events {
        Events::open(self.address, &format!("/api/games/{id}/events"), headers)
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        self.viewer.take().expect("stopped once").stop().expect("the viewer had not failed");
    }
}

pub(crate) fn serve(site: Site, access: Access, bounds: ServerLimits) -> Viewer {
    let listener = listen([127, 0, 0, 1].into(), 0, access).expect("a free port");
    Viewer::start(listener, Arc::new(site), bounds).expect("a thread")
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("text")
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

pub(crate) fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
    stream.set_write_timeout(Some(PATIENCE)).expect("a limit");
    stream
}

/// Requests a page as a browser does.
pub(crate) fn get(address: SocketAddr, path: &str) -> Reply {
    raw(address, &format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"))
}

/// Sends some bytes and reads until the connection is closed.
pub(crate) fn raw(address: SocketAddr, request: &str) -> Reply {
    let mut stream = connect(address);
    stream.write_all(request.as_bytes()).expect("a connection");
    let mut answer = Vec::new();
    // A connection that is reset is also closed.
    let _ = stream.read_to_end(&mut answer);
    reply(&answer)
}

pub(crate) fn reply(answer: &[u8]) -> Reply {
    let end = answer.windows(4).position(|part| part == b"\r\n\r\n");
    let (head, body) = end.map_or((&b""[..], &b""[..]), |end| (&answer[..end], &answer[end + 4..]));
    let head = String::from_utf8(head.to_vec()).expect("text");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let is_chunked = head.contains("transfer-encoding: chunked");
    let body = if is_chunked { unchunked(&mut &*body) } else { body.to_vec() };
    Reply { status, head, body }
}

fn unchunked(mut body: impl BufRead) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(chunk) = chunk(&mut body) {
        whole.extend(chunk);
    }
    whole
}

fn chunk(body: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut size = String::new();
    body.read_line(&mut size).ok()?;
    let size = usize::from_str_radix(size.trim(), 16).ok().filter(|size| *size > 0)?;
    let mut chunk = vec![0; size + 2];
    body.read_exact(&mut chunk).ok()?;
    chunk.truncate(size);
    Some(chunk)
}

/// A stream of server-sent events.
pub(crate) struct Events {
    body: BufReader<TcpStream>,
    text: String,
}

/// An event: its number, its name, its data.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sent {
    pub(crate) id: Option<usize>,
    pub(crate) name: String,
    pub(crate) data: String,
}

impl Sent {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

impl Events {
    pub(crate) fn open(address: SocketAddr, path: &str, headers: &str) -> Self {
        let mut stream = connect(address);
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {address}\r\n{headers}\r\n").expect("a connection");
        let mut body = BufReader::new(stream);
        let mut head = String::new();
        while body.read_line(&mut head).expect("a head") > 2 {}
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        assert!(head.contains("content-type: text/event-stream"), "{head}");
        Self { body, text: String::new() }
    }

    /// Waits for the next event that tells something; `None` when the stream has ended.
    pub(crate) fn next(&mut self) -> Option<Sent> {
        // One comes every ten seconds while nothing happens, so that no read is ever late.
        let mut signs_of_life = 0;
        loop {
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                let sent = parse(event);
                self.text = rest.to_owned();
                if sent.name == "alive" {
                    signs_of_life += 1;
                    assert!(signs_of_life < 30, "waited in vain for an event");
                } else if !sent.data.is_empty() {
                    return Some(sent);
                }
            }
            let chunk = chunk(&mut self.body)?;
            self.text.push_str(std::str::from_utf8(&chunk).expect("text"));
        }
    }

    /// Waits for the next event of a kind; `None` when the stream has ended.
    pub(crate) fn find(&mut self, is_wanted: impl Fn(&Sent) -> bool) -> Option<Sent> {
        std::iter::from_fn(|| self.next()).find(is_wanted)
    }

    /// Waits for the next line of a game.
    pub(crate) fn line(&mut self) -> Option<Sent> {
        self.find(|sent| sent.name.is_empty())
    }
}

fn parse(event: &str) -> Sent {
    let mut sent = Sent::default();
    let mut data = Vec::new();
    for line in event.lines() {
        match line.split_once(": ") {
            Some(("id", id)) => sent.id = id.parse().ok(),
            Some(("event", name)) => name.clone_into(&mut sent.name),
            Some(("data", text)) => data.push(text),
            _ => {}
        }
    }
    sent.data = data.join("\n");
    sent
}

/// A record of a game between two players.
pub(crate) fn record(black: &str, white: &str, shape: Shape, size: u32, seed: u64) -> String {
    let mut game = random_game(start(shape, size), usize::MAX, seed);
    (game.details.black, game.details.white) = (Some(black.to_owned()), Some(white.to_owned()));
    let winner = Some(game.position().side_to_move().opposite());
    game.end(GameOutcome { winner, ending: Some(Ending::NoMoves), detail: None }).expect("a blocked player");
    written(RECORD_FORMAT, &game)
}

/// The same as if it had been played here.
pub(crate) fn as_if_played(record: &str, logs: [Option<&str>; 2]) -> String {
    let (first, rest) = record.split_once('\n').expect("lines");
    let mut start: Value = serde_json::from_str(first).expect("JSON");
    start["source"] = Value::Null;
    start["limits"] = json!({
        "load_ms": 5000, "initialize_ms": 1000, "move_ms": 1000, "finalize_ms": 1000, "clock": "wall", "game_ms": null,
        "increment_ms": 0, "pondering": "charged", "threads": 1, "memory_bytes": 1 << 30, "log_bytes": 1 << 20, "max_moves": null,
    });
    for (player, log) in start["players"].as_array_mut().expect("players").iter_mut().zip(logs) {
        player["file"] = "/home/somebody/secret/player.so".into();
        player["log"] = log.into();
    }
    // The words that records begin with.
    let text = start.to_string();
    format!("{{\"event\":\"start\",{}\n{rest}", text.replacen("\"event\":\"start\",", "", 1).trim_start_matches('{'))
}
