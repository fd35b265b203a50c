//! One seed, one record: over TCP, over standard input and output, and in this process.

use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

use amazons_testing::{output_of, status_of};
use cluedo::bots::Kind;
use cluedo::deal::{Deal, stream};
use cluedo::line::options::Options;
use cluedo::line::record::Entry;
use serde_json::Value;

use super::driver::{Bots, Net, honest};
use super::server::Server;
use crate::bots::direct::play;
use crate::support::{PROGRAM, TemporaryFile};

const KINDS: [(Kind, &str); 4] = [(Kind::Bot4, "4"), (Kind::Bot3, "3"), (Kind::Bot1, "1"), (Kind::Bot2, "2")];
const GAMES: u64 = 12;
const BOTS_SEED: u64 = 9;

fn options() -> Options {
    let mut options = Options::new(4, GAMES);
    options.seed = 5;
    // That of `Server::start`.
    options.timeout = 600_000_000;
    options
}

/// A line of a record without its time, and without where the clients are.
fn without_time(line: &str) -> Value {
    let mut value: Value = serde_json::from_str(line).expect("JSON");
    let fields = value.as_object_mut().expect("an object");
    fields.remove("time");
    fields.remove("clients");
    value
}

fn entries(net: &Net) -> Vec<Value> {
    net.entries.iter().map(|entry| without_time(&entry.line())).collect()
}

fn over_tcp() -> Vec<Value> {
    let record = TemporaryFile::new();
    let games = GAMES.to_string();
    let server = Server::start(&[&games, "-n", "4", "--seed", "5", "--record", record.name()]);
    let mut bots = Vec::new();
    for (seat, (_, level)) in KINDS.iter().enumerate() {
        bots.push(server.bot(&[level, "--seed", &BOTS_SEED.to_string(), "--login", &format!("p{seat}")]));
        // Each has its seat before the next one connects.
        server.await_log(": hello", 1);
    }
    let ended = server.finish();
    assert_eq!(ended.status, Some(0), "{}", ended.log);
    for bot in bots {
        let output = output_of(bot);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    record.text().lines().map(without_time).collect()
}

fn in_process() -> Vec<Value> {
    let mut net = Net::seated(options());
    Bots::new(&KINDS.map(|(kind, _)| kind), BOTS_SEED).play(&mut net, |_, _, answer| honest(answer));
    assert!(net.ending.is_some());
    entries(&net)
}

/// The program behind two pipes.
fn bot(seat: usize, level: &str) -> (std::process::Child, ChildStdin, BufReader<ChildStdout>) {
    let mut child = Command::new(PROGRAM)
        .args(["bot", level, "-", "--seed", &BOTS_SEED.to_string(), "--login", &format!("p{seat}")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a bot");
    let (stdin, stdout) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
    (child, stdin, BufReader::new(stdout))
}

fn over_pipes() -> Vec<Value> {
    let mut net = Net::new(options());
    let mut bots: Vec<_> = KINDS.iter().enumerate().map(|(seat, (_, level))| bot(seat, level)).collect();
    let mut line = String::new();
    for (seat, (_, _, output)) in bots.iter_mut().enumerate() {
        net.connect(seat);
        line.clear();
        output.read_line(&mut line).expect("a hello");
        net.send(seat, line.as_bytes());
    }
    loop {
        for (seat, (_, input, _)) in bots.iter_mut().enumerate() {
            let heard = std::mem::take(&mut net.heard[seat]);
            input.write_all(heard.as_bytes()).expect("it reads");
        }
        let Some((seat, _)) = net.table.waits_for() else { break };
        line.clear();
        bots[seat].2.read_line(&mut line).expect("an answer");
        net.send(seat, line.as_bytes());
    }
    for (mut child, input, _) in bots {
        drop(input);
        assert_eq!(status_of(&mut child).code(), Some(0));
    }
    entries(&net)
}

#[test]
fn records_are_equal_by_seed() {
    let record = over_tcp();
    assert_eq!(record[0]["seats"], serde_json::json!(["p0", "p1", "p2", "p3"]), "the seats went by connection");
    assert!(record.len() > 12 * 10);
    assert_eq!(over_tcp(), record);
    assert_eq!(in_process(), record);
    assert_eq!(over_pipes(), record);
    // Games without a table and without lines have the same winners.
    let mut players = Bots::new(&KINDS.map(|(kind, _)| kind), BOTS_SEED).players;
    let ends: Vec<&Value> = record.iter().filter(|entry| entry["event"] == "end").collect();
    for (game, end) in (0..GAMES).zip(&ends) {
        let deal = Deal::course(4, &mut stream(5, 0, game, "deal"));
        let winner = play(&deal, 0, &mut players).winner;
        assert_eq!(end["winner"].as_u64(), winner.map(|seat| seat as u64));
    }
    assert_eq!(ends.len() as u64, GAMES);
}

#[test]
fn the_record_proves_the_deals() {
    for line in in_process().iter().filter(|entry| entry["event"] == "end") {
        let numbers = |value: &Value| -> Vec<usize> { serde_json::from_value(value.clone()).expect("numbers") };
        let mut parts = vec![numbers(&line["secret"])];
        parts.extend(line["hands"].as_array().expect("hands").iter().map(numbers));
        let text = parts.iter().map(|part| part.iter().map(usize::to_string).collect::<Vec<_>>().join(" "));
        let deal = Deal::parse(&text.collect::<Vec<_>>().join(" | "), 4).expect("a deal");
        let salt = line["salt"].as_str().expect("hexadecimal");
        let salt: Vec<u8> =
            (0..16).map(|byte| u8::from_str_radix(&salt[2 * byte..2 * byte + 2], 16).expect("digits")).collect();
        let start = in_process().into_iter().find(|entry| entry["event"] == "start" && entry["game"] == line["game"]);
        assert_eq!(start.expect("a start")["commitment"], deal.commitment(&salt));
    }
    assert_eq!(Entry::VERSION, 1);
}
