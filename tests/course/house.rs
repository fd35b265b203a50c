use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use amazons::course::{Store, Team};
use amazons::tournament::ladder::{Ladder, read};
use amazons_testing::{wait_for, wait_until};
use serde_json::Value;
use tempfile::TempDir;

use crate::cli::{Ran, server};
use crate::support;
use crate::watch::{Reply, connect};

/// A course with three teams, in its own folder.
pub(super) struct House {
    root: TempDir,
    pub(super) tokens: HashMap<String, String>,
}

/// A server at work, killed when this is dropped.
pub(super) struct AtWork {
    pub(super) child: Child,
    pub(super) address: SocketAddr,
}

impl Drop for AtWork {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl House {
    pub(super) fn new() -> Self {
        let root = tempfile::tempdir().expect("a folder");
        let teams = root.path().join("teams.csv");
        fs::write(&teams, "name,display name\nada,\"Lovelace, <b>Ada</b>\"\nbob\ncid\n").expect("a file");
        let dir = root.path().join("hall").display().to_string();
        let made = server(["course", "new", &dir, "--teams", &teams.display().to_string()]);
        assert_eq!(made.status, 0, "{made:?}");
        let tokens = made.out.lines().skip(1).map(|line| {
            let (team, token) = line.split_once(',').expect("two fields");
            (team.to_owned(), token.to_owned())
        });
        let house = Self { tokens: tokens.collect(), root };
        house.edit("baselines = [\"champion:1\", \"champion:3\"]", "");
        house.edit("[\"c10\"]", "[\"c5\"]");
        house
    }

    pub(super) fn dir(&self) -> PathBuf {
        self.root.path().join("hall")
    }

    pub(super) fn edit(&self, from: &str, to: &str) {
        let path = self.dir().join("course.toml");
        let text = fs::read_to_string(&path).expect("settings");
        assert!(text.contains(from), "{from}");
        fs::write(&path, text.replacen(from, to, 1)).expect("settings");
    }

    pub(super) fn run(&self, args: &[&str]) -> Ran {
        let dir = self.dir().display().to_string();
        server([&["course", args[0], &dir], &args[1..]].concat())
    }

    /// Returns what the doctor finds wrong, whatever this machine cannot build.
    pub(super) fn wrong(&self) -> Vec<String> {
        let found = self.run(&["doctor"]);
        assert!(found.status < 2 && (found.status == 1) == found.out.contains("wrong "), "{found:?}");
        let lines = found.out.lines().filter(|line| !line.starts_with("ok ") && !line.contains("cannot be built"));
        lines.map(str::to_owned).collect()
    }

    pub(super) fn start(&self) -> AtWork {
        self.start_with(Stdio::null(), &[])
    }

    /// Starts a server with a place for its complaints and with variables.
    pub(super) fn start_with(&self, complaints: Stdio, variables: &[(&str, &str)]) -> AtWork {
        self.start_with_options(complaints, variables, &["-j1"])
    }

    pub(super) fn start_with_options(&self, complaints: Stdio, variables: &[(&str, &str)], options: &[&str]) -> AtWork {
        let mut command = Command::new(support::server());
        command.args(["course", "run"]).arg(self.dir()).args(["--listen", "127.0.0.1:0", "--quiet"]);
        command.args(options).envs(variables.iter().copied());
        let mut child = command.stdout(Stdio::piped()).stderr(complaints).spawn().expect("the server can be run");
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        out.read_line(&mut line).expect("a line");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let address = address.unwrap_or_else(|| panic!("an address: {line}")).parse().expect("an address");
        // Its last words must not meet a closed pipe.
        std::thread::spawn(move || out.read_to_string(&mut String::new()));
        AtWork { child, address }
    }

    pub(super) fn store(&self) -> Store {
        Store::open(&self.dir()).expect("a course")
    }

    pub(super) fn team(&self, name: &str) -> Team {
        self.store().course().teams()[name].clone()
    }

    pub(super) fn ladder(&self) -> Ladder {
        read(&self.dir().join("ladder")).expect("a ladder")
    }

    /// Waits until a version has been decided, and returns the word for it.
    pub(super) fn decided(&self, team: &str, version: u32) -> &'static str {
        wait_for(format!("{team} {version} is decided"), || {
            let team = self.team(team);
            let word = team.word(team.version(version)?);
            ["admitted", "replaced", "refused"].contains(&word).then_some(word)
        })
    }

    /// Waits until the ladder plays with this version of a team, or with none.
    pub(super) fn plays(&self, team: &str, version: Option<u32>) {
        wait_until(format!("{team} plays with {version:?}"), || {
            self.ladder().present(team).map(|it| it.joined.version) == version
        });
    }

    pub(super) fn authorization(&self, team: &str) -> String {
        format!("authorization: Bearer {}\r\n", self.tokens[team])
    }

    pub(super) fn submit(&self, at: &AtWork, team: &str, file: &Path) -> Reply {
        post(at.address, &self.authorization(team), &fs::read(file).expect("a file"))
    }

    pub(super) fn get(&self, at: &AtWork, team: &str, path: &str) -> Reply {
        asked(at.address, &format!("GET {path}"), &self.authorization(team), b"")
    }

    pub(super) fn page(&self, at: &AtWork, team: &str) -> Value {
        self.get(at, team, "/api/team").json()
    }
}

#[track_caller]
pub(super) fn post(address: SocketAddr, headers: &str, body: &[u8]) -> Reply {
    let headers = format!("{headers}content-length: {}\r\n", body.len());
    asked(address, "POST /api/submit", &headers, body)
}

#[track_caller]
pub(super) fn asked(address: SocketAddr, line: &str, headers: &str, body: &[u8]) -> Reply {
    let mut stream = connect(address);
    let head = format!("{line} HTTP/1.1\r\nhost: {address}\r\n{headers}connection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("a connection");
    // A server that refuses closes the connection before all is read.
    let _ = stream.write_all(body);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("an answer");
    let head = String::from_utf8(answer[..end].to_vec()).expect("text");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    Reply { status, head, body: answer[end + 4..].to_vec() }
}
