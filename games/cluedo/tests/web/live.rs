//! `cluedo serve --watch`: tables while they are played.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::Command;

use amazons_browser::{Browser, Served, assert_good_everywhere};
use serde_json::{Value, json};

use crate::support::{PROGRAM, TemporaryFile};

/// A table for three whose deal is given, and its clients.
struct Table {
    served: Served,
    clients: Vec<BufReader<TcpStream>>,
    _deals: TemporaryFile,
}

impl Table {
    fn new(deal: &str) -> Self {
        let deals = TemporaryFile::new();
        std::fs::write(&deals.0, format!("{deal}\n{deal}\n")).expect("a file");
        let mut command = Command::new(PROGRAM);
        // A second game keeps the server there after the first.
        command.args([
            "serve",
            "0",
            "2",
            "-n",
            "3",
            "--watch",
            "--seed",
            "5",
            "--timeout",
            "0",
            "--deals",
            deals.name(),
        ]);
        command.stdout(std::process::Stdio::null());
        command.stderr(std::process::Stdio::piped());
        // Its first line names the port for clients, the second one the page.
        let mut child = command.stdin(std::process::Stdio::null()).spawn().expect("the program runs");
        let mut out = BufReader::new(child.stderr.take().expect("piped"));
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        let port: u16 = line.trim().rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        let served = Served::named_in(out, child);
        let clients = (0..3)
            .map(|seat| {
                let stream = TcpStream::connect(("127.0.0.1", port)).expect("the server listens");
                stream.set_read_timeout(Some(std::time::Duration::from_secs(60))).expect("a limit");
                let mut client = BufReader::new(stream);
                assert_eq!(hear(&mut client), format!("B {seat} 3"));
                client
            })
            .collect();
        let mut table = Self { served, clients, _deals: deals };
        for (seat, name) in ["ada", "bob", "cleo"].iter().enumerate() {
            table.say(seat, &format!("B {name}"));
        }
        table
    }

    fn say(&mut self, seat: usize, line: &str) {
        self.clients[seat].get_mut().write_all(format!("{line}\n").as_bytes()).expect("the server reads");
    }

    /// Waits until a client is asked, and lets it answer.
    fn answer(&mut self, seat: usize, request: &str, line: &str) {
        while hear(&mut self.clients[seat]) != request {}
        self.say(seat, line);
    }

    /// Returns all that spectators can get, once the table has come so far.
    fn bytes(&self, fits: impl Fn(&Value) -> bool) -> String {
        let state = self.served.await_json("/api/games/t0g0/state", fits);
        let mut all = state.to_string();
        for path in ["/", "/game/t0g0", "/api/games", "/api/games/t0g0/state?ply=0"] {
            let (status, _, body) = self.served.send("GET", path, self.served.host(), "", "");
            all += &format!("{path} {status} {body}\n");
        }
        for view in ["0", "1", "2", "all"] {
            let path = format!("/api/games/t0g0/state?view={view}");
            let (status, body) = self.served.get(&path);
            assert_eq!((status, body.as_str()), (403, "this can be seen after the end of the game\n"), "{view}");
        }
        // The first number of the stream of changes, too.
        let mut stream = TcpStream::connect(self.served.host()).expect("a connection");
        let request = format!("GET /api/games/t0g0/changes HTTP/1.1\r\nhost: {}\r\n\r\n", self.served.host());
        stream.write_all(request.as_bytes()).expect("a connection");
        let lines = BufReader::new(stream).lines().map(|line| line.expect("a line"));
        let data: Vec<String> = lines.take_while(|line| !line.starts_with("data:")).collect();
        all += &data.join("\n");
        let commitment = state["commitment"].as_str().expect("text").to_owned();
        let host = self.served.host().to_owned();
        let without_date = |line: &str| !line.starts_with("date:");
        let all: Vec<&str> = all.lines().filter(|line| without_date(line)).collect();
        all.join("\n").replace(&commitment, "COMMITMENT").replace(&host, "HOST")
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        // Asked politely, it would first play to the end.
        let _ = self.served.child.kill();
    }
}

fn hear(client: &mut BufReader<TcpStream>) -> String {
    let mut line = String::new();
    assert!(client.read_line(&mut line).expect("a line") > 0, "the server went away");
    line.trim_end().to_owned()
}

/// Two deals that differ in everything that is not public give spectators the same bytes until the end.
#[test]
fn spectators_get_no_byte_that_depends_on_a_secret() {
    let mut tables = ["2 5 10 | 0 4 8 | 1 6 9 | 3 7 11", "0 6 8 | 2 4 10 | 1 5 9 | 3 7 11"].map(Table::new);
    let compare = |tables: &[Table; 2], fits: &dyn Fn(&Value) -> bool| {
        let [one, other] = tables.each_ref().map(|table| table.bytes(fits));
        assert_eq!(one, other);
        let hidden = json!({ "secret": null, "hands": [null, null, null] });
        let state: Value =
            serde_json::from_str(one.lines().next().and_then(|line| line.split("/ 200").next()).expect("a state"))
                .expect("JSON");
        assert_eq!((&state["secret"], &state["hands"]), (&hidden["secret"], &hidden["hands"]));
    };
    compare(&tables, &|state| state["turns"].as_array().is_some_and(Vec::is_empty));
    tables.iter_mut().for_each(|table| table.answer(0, "T", "H 1 4 8"));
    compare(&tables, &|state| state["turns"].as_array().is_some_and(|turns| turns.len() == 1));
    tables.iter_mut().for_each(|table| table.answer(1, "C", "M 1"));
    compare(&tables, &|state| state["turns"][0]["shown"] == 1);
    tables.iter_mut().for_each(|table| table.answer(1, "T", "H 3 6 9"));
    tables.iter_mut().for_each(|table| table.answer(2, "C", "M 3"));
    tables.iter_mut().for_each(|table| table.answer(2, "T", "A 0 5 9"));
    compare(&tables, &|state| state["turns"][2]["act"] == "accusation");
    // The end opens everything.
    let [table, _] = &mut tables;
    table.answer(0, "T", "A 2 5 10");
    table.served.await_json("/api/games/t0g0/state", |state| !state["ending"].is_null());
    let state = table.served.json("/api/games/t0g0/state?view=all");
    assert_eq!((&state["ending"], &state["secret"]), (&json!("ada wins."), &json!([2, 5, 10])));
    assert_eq!(state["turns"][2]["cards"], json!([0, 5, 9]));
}

#[test]
fn a_page_follows_a_live_table() {
    let Some(mut browser) = Browser::start() else { return };
    let mut table = Table::new("2 5 10 | 0 4 8 | 1 6 9 | 3 7 11");
    // Its page is not there before the cards are dealt.
    table.served.await_json("/api/games", |list| list["total"] == 1);
    browser.open(&format!("{}game/t0g0", table.served.url));
    let status = "document.querySelector('#status').textContent";
    browser.wait(&format!("{status} === 'Turn 0 of 0. The cards are dealt.'"));
    table.answer(0, "T", "H 1 4 8");
    table.answer(1, "C", "M 1");
    browser.wait(&format!("{status} === 'Turn 1 of 1. ada suggests 1 4 8. Shown by bob.'"));
    assert_eq!(browser.eval("document.querySelector('#views').hidden"), true);
    assert_good_everywhere(&mut browser, "a live table");
    table.answer(1, "T", "A 2 5 10");
    browser.wait(&format!("{status}.startsWith('Turn 2 of 2. bob wins. The secret: 2 5 10')"));
}
