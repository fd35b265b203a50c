//! The program over TCP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use cluedo::bots::Kind;
use cluedo::bots::play::{Buffers, Player, play};
use cluedo::line::deal::{Deal, stream};
use cluedo::line::seat::Seat;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::driver::{SESSION, SESSION_DEALS};
use crate::support::PROGRAM;

/// A server that runs, and the port that it picked.
struct Server {
    child: Child,
    port: u16,
    errors: BufReader<std::process::ChildStderr>,
}

impl Server {
    fn start(args: &[&str]) -> Self {
        let mut child = Command::new("timeout")
            .args(["100", PROGRAM, "serve", "0"])
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("timeout of coreutils");
        let mut errors = BufReader::new(child.stderr.take().expect("piped"));
        let mut line = String::new();
        errors.read_line(&mut line).expect("a line");
        let port = line.trim().rsplit(':').next().and_then(|port| port.parse().ok());
        Self { child, port: port.unwrap_or_else(|| panic!("no port in {line:?}")), errors }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out");
        stream
    }

    fn bot(&self, args: &[&str]) -> Child {
        let (level, rest) = args.split_first().expect("a level");
        Command::new("timeout")
            .args(["100", PROGRAM, "bot", level, &self.port.to_string()])
            .args(rest)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a bot")
    }

    /// Waits until the log says something so many times more.
    fn await_log(&mut self, what: &str, times: usize) {
        let mut left = times;
        while left > 0 {
            let mut line = String::new();
            assert!(self.errors.read_line(&mut line).expect("text") > 0, "the log ended before {what}");
            left -= usize::from(line.trim_end().ends_with(what));
        }
    }

    /// Waits for its end; returns status and standard output.
    fn finish(mut self) -> (Option<i32>, String, String) {
        let mut errors = String::new();
        self.errors.read_to_string(&mut errors).expect("text");
        let output = self.child.wait_with_output().expect("it ends");
        (output.status.code(), String::from_utf8(output.stdout).expect("text"), errors)
    }
}

fn finish(child: Child) -> Output {
    child.wait_with_output().expect("it ends")
}

/// A client that follows its script and returns everything that it heard.
fn follow(mut stream: TcpStream, script: &str) -> String {
    let mut heard = String::new();
    let mut reader = BufReader::new(stream.try_clone().expect("a copy"));
    for line in script.split(';').map(str::trim) {
        match line.strip_prefix('<') {
            Some(answer) => stream.write_all(format!("{answer}\n").as_bytes()).expect("the server reads"),
            None => assert!(reader.read_line(&mut heard).expect("a line") > 0, "{heard} ended before {line}"),
        }
    }
    reader.read_to_string(&mut heard).expect("the end of the stream");
    heard
}

fn file(name: &str, text: &str) -> String {
    let path = std::env::temp_dir().join(format!("cluedo-{}-{name}", std::process::id()));
    std::fs::write(&path, text).expect("a temporary file");
    path.to_str().expect("text").to_owned()
}

#[test]
fn session_over_tcp() {
    let deals = file("deals", &SESSION_DEALS.join("\n"));
    let server = Server::start(&["2", "-n", "3", "--deals", &deals, "--codes", "subject"]);
    let streams: Vec<TcpStream> = (0..3)
        .map(|_| {
            let stream = server.connect();
            // Seats go by the order of connection: the greeting says that this one is taken.
            let mut byte = [0];
            stream.peek(&mut byte).expect("a greeting");
            stream
        })
        .collect();
    let clients: Vec<_> = streams
        .into_iter()
        .zip(SESSION)
        .map(|(stream, script)| thread::spawn(move || follow(stream, script)))
        .collect();
    for (client, script) in clients.into_iter().zip(SESSION) {
        let expected: Vec<&str> = script.split(';').map(str::trim).filter(|line| !line.starts_with('<')).collect();
        assert_eq!(client.join().expect("a client"), expected.join("\n") + "\n");
    }
    let (status, out, errors) = server.finish();
    assert_eq!(status, Some(0), "{errors}");
    let gains: Vec<&str> = out.lines().skip(1).filter_map(|line| line.split_whitespace().last()).collect();
    assert_eq!(gains, ["-1", "1", "0"], "{out}");
    assert!(errors.contains("fault 201: \"H 1 2 9\""), "{errors}");
    drop(std::fs::remove_file(deals));
}

/// Lines of a record without their times.
fn without_times(text: &str) -> Vec<Value> {
    let line = |line: &str| {
        let mut value: Value = serde_json::from_str(line).expect("JSON");
        value.as_object_mut().expect("an object").remove("time");
        value
    };
    text.lines().map(line).collect()
}

#[test]
fn records_are_equal_over_tcp_and_in_process() {
    let record = file("record", "");
    let run = |seed: &str| {
        let mut server = Server::start(&["12", "-n", "4", "--seed", "5", "--record", &record]);
        let mut bots = Vec::new();
        for (seat, level) in ["4", "3", "1", "2"].iter().enumerate() {
            // In order: each has its seat before the next one connects.
            let bot = server.bot(&[level, "--seed", seed, "--login", &format!("p{seat}")]);
            bots.push(bot);
            server.await_log(": hello", 1);
        }
        let (status, _, errors) = server.finish();
        assert_eq!(status, Some(0), "{errors}");
        for bot in bots {
            let output = finish(bot);
            assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
            assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        without_times(&std::fs::read_to_string(&record).expect("a record"))
    };
    let entries = run("9");
    assert_eq!(entries[0]["seats"], serde_json::json!(["p0", "p1", "p2", "p3"]), "the seats went by connection");
    let winners: Vec<Option<u64>> =
        entries.iter().filter(|entry| entry["event"] == "end").map(|entry| entry["winner"].as_u64()).collect();
    let kinds = [Kind::Bot4, Kind::Bot3, Kind::Bot1, Kind::Bot2];
    let mut players: Vec<Player> = kinds
        .iter()
        .enumerate()
        .map(|(seat, kind)| Player {
            bot: kind.bot(),
            seat: Seat::new(seat, 4),
            rng: stream(9, 0, 0, &format!("seat {seat}")),
        })
        .collect();
    let outcomes: Vec<Option<u64>> = (0..12)
        .map(|game| {
            let deal = Deal::random(4, &mut stream(5, 0, game, "deal"));
            play(deal, 0, &mut players, &mut Buffers::default()).winner.map(|seat| seat as u64)
        })
        .collect();
    assert_eq!(winners, outcomes);
    // The record proves that the deals were not changed.
    for pair in entries.iter().filter(|entry| entry["event"] == "end") {
        let numbers = |value: &Value| -> Vec<usize> { serde_json::from_value(value.clone()).expect("numbers") };
        let mut parts = vec![numbers(&pair["secret"])];
        parts.extend(pair["hands"].as_array().expect("hands").iter().map(numbers));
        let text = parts.iter().map(|part| part.iter().map(usize::to_string).collect::<Vec<_>>().join(" "));
        let deal = Deal::parse(&text.collect::<Vec<_>>().join(" | "), 4).expect("a deal");
        let salt = pair["salt"].as_str().expect("hexadecimal");
        let salt: Vec<u8> =
            (0..16).map(|byte| u8::from_str_radix(&salt[2 * byte..2 * byte + 2], 16).expect("digits")).collect();
        let start = entries.iter().find(|entry| entry["event"] == "start" && entry["game"] == pair["game"]);
        assert_eq!(start.expect("a start")["commitment"], deal.commitment(&salt));
    }
    drop(std::fs::remove_file(record));
}

#[test]
fn signals_change_nothing_and_tell_no_secret() {
    let server = Server::start(&["400", "-n", "3", "--seed", "1", "--quiet", "--json"]);
    let timed = Command::new("pgrep").args(["-P", &server.child.id().to_string()]).output();
    let inner = timed.ok().and_then(|output| String::from_utf8_lossy(&output.stdout).trim().parse().ok());
    let Some(pid) = inner.and_then(Pid::from_raw) else {
        println!("skipped: no pgrep");
        kill_process(Pid::from_child(&server.child), Signal::TERM).expect("it runs");
        return;
    };
    let bots: Vec<Child> = ["2", "2", "2"].iter().map(|level| server.bot(&[level, "--seed", "3"])).collect();
    let signals = thread::spawn(move || {
        for _ in 0..10_000 {
            if kill_process(pid, Signal::USR1).is_err() {
                break;
            }
            thread::sleep(Duration::from_micros(50));
        }
    });
    let (status, out, errors) = server.finish();
    signals.join().expect("the thread of signals");
    assert_eq!(status, Some(0));
    let result: Value = serde_json::from_str(&out).expect("JSON");
    let wins: u64 = result["seats"].as_array().expect("seats").iter().filter_map(|seat| seat["wins"].as_u64()).sum();
    assert_eq!(wins, 400);
    assert!(errors.contains("tables unfinished"), "{errors}");
    assert!(!errors.contains("fault") || errors.contains("0 faults"), "{errors}");
    for bot in bots {
        assert_eq!(finish(bot).status.code(), Some(0));
    }
}

#[test]
fn bad_clients_and_good_ones() {
    let mut server = Server::start(&["3", "-n", "2", "--tables", "2", "--on-error", "forfeit", "--timeout", "20s"]);
    // A hello that is wrong, one that never comes, half-open connections: their seats go to others.
    let mut wrong = server.connect();
    wrong.write_all(b"HELLO\n").expect("it reads");
    let mut heard = String::new();
    wrong.read_to_string(&mut heard).expect("the end");
    assert_eq!(heard, "B 0 2\nE 101\n");
    let half: Vec<TcpStream> = (0..2).map(|_| server.connect()).collect();
    half.iter().for_each(|stream| stream.shutdown(Shutdown::Both).expect("it closes"));
    drop(half);
    server.await_log(": gone", 3);
    let bots: Vec<Child> = (0..3).map(|_| server.bot(&["2"])).collect();
    server.await_log(": hello", 3);
    // The last seat says nonsense, and reads nothing more.
    let mut nonsense = server.connect();
    nonsense.write_all(b"B liar\n").expect("it reads");
    server.await_log(": hello", 1);
    // A surplus connection is closed without a word.
    let mut surplus = String::new();
    server.connect().read_to_string(&mut surplus).expect("the end");
    assert_eq!(surplus, "");
    let mut lines = BufReader::new(nonsense.try_clone().expect("a copy")).lines();
    let request = lines.find(|line| matches!(line.as_deref(), Ok("T" | "C")));
    assert!(request.is_some_and(|line| line.is_ok()), "the liar is asked");
    nonsense.write_all(b"X 0\nM 0\nM 0\n").expect("it reads");
    let (status, out, errors) = server.finish();
    assert_eq!(status, Some(0), "{out} {errors}");
    for bot in bots {
        assert!(finish(bot).status.code().is_some_and(|code| code < 2));
    }
    let row = out.lines().find(|line| line.contains("liar")).expect("a row");
    assert!(row.trim_end().ends_with("-1"), "{out}");
}

#[test]
fn the_lobby_ends_and_usage_is_told() {
    let server = Server::start(&["1", "--wait", "200ms"]);
    let mut heard = String::new();
    server.connect().read_to_string(&mut heard).expect("the end");
    assert!(heard.ends_with("E 101\n"), "{heard}");
    assert_eq!(server.finish().0, Some(1));
    let complaint = |args: &[&str]| {
        let output = Command::new(PROGRAM).args(args).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        String::from_utf8(output.stderr).expect("text")
    };
    let bad = file("bad-deals", "2 5 10 | 0 4 8 | 1 6 9 | 3 7 10\n");
    let cases: [(&[&str], &str); 7] = [
        (&["serve", "0", "1", "-n", "11"], "2 to 10 players"),
        (&["serve", "0", "1", "--host", "0.0.0.0"], "--public"),
        (&["serve", "0", "1", "--timeout", "x"], "500ms"),
        (&["serve", "0", "1", "-n", "3", "--deals", &bad], "deals:1: card 10 is there twice"),
        (&["bot", "2", "1", "--login", "a b"], "32"),
        (&["bot", "2", "99999"], "is not a port"),
        (&["join", "1"], "is the server running?"),
    ];
    for (args, expected) in cases {
        let text = complaint(args);
        assert!(text.contains(expected), "{args:?}: {text}");
    }
    drop(std::fs::remove_file(bad));
}
