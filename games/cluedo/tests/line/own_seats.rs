//! Programs that the server starts itself, in the sandbox.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use amazons_testing::output_of;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::server::Server;
use crate::support::{PublicFolder, TemporaryFile, command, create_public, run};

/// A folder with a program that is a script.
pub(crate) fn team(folder: &Path, name: &str, script: &str) -> String {
    let home = folder.join(name);
    create_public(&home);
    let bot = home.join("bot");
    fs::write(&bot, format!("#!/bin/sh\n{script}\n")).expect("a temporary file");
    fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).expect("rights");
    format!("stdio:'{}'", bot.display())
}

/// Programs that misbehave after saying hello.
pub(crate) const HOSTILE: [(&str, &str); 3] = [
    ("crash", "echo B crash; read -r welcome; read -r hand; echo 'out of luck' >&2; kill -SEGV $$"),
    ("flood", "echo B flood; read -r welcome; read -r hand; while :; do echo 'M 999 and so on'; done"),
    ("liar", "echo B liar; while read -r line; do case $line in T) echo 'H 0 1 2';; C) echo 'M 77';; esac; done"),
];

fn bot(folder: &PublicFolder, level: u32) -> String {
    format!("stdio:{} bot {level} - --seed 7", folder.program())
}

/// The record says where each client is, which programs the server has started, and how the games are run.
#[test]
fn the_record_names_programs_and_options() {
    let (folder, record) = (PublicFolder::new(), TemporaryFile::new());
    let four = bot(&folder, 4);
    let options = ["-n", "2", "--timeout", "600s", "--echo", "all", "--codes", "0.2", "--on-error", "forfeit"];
    let files = ["--record", record.name(), "--seat", &four];
    let server = Server::start(&[&["2"], &options[..], &files].concat());
    let guest = server.bot(&["1"]);
    assert_eq!(server.finish().status, Some(0));
    let _ = output_of(guest);
    let text = record.text();
    let starts: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .filter(|line: &Value| line["event"] == "start")
        .collect();
    assert_eq!(starts.len(), 2);
    let program = folder.0.join("program/cluedo");
    let sum: String =
        Sha256::digest(fs::read(&program).expect("a program")).iter().map(|byte| format!("{byte:02x}")).collect();
    for start in &starts {
        let own = json!({ "address": "stdio", "program": program, "sha256": sum });
        assert_eq!(start["clients"], json!([own, { "address": "127.0.0.1" }]));
        let options = json!({ "games": 2, "timeout": 600_000_000, "rejoin": 0, "echo": "all",
            "codes": "0.2", "trailing_blank": false, "framing": "auto", "on_error": "forfeit" });
        assert_eq!(start["options"], options);
    }
    // Records of earlier versions do not say so, and are as right.
    let replay = || run(command(&["replay", record.name()]), b"").status.code();
    assert_eq!(replay(), Some(0));
    let field = |name: &str, end: &str| {
        let begin = text.find(&format!(",\"{name}\":")).expect("a field");
        let length = text[begin..].find(end).expect("its end") + end.len();
        &text[begin..begin + length]
    };
    let (clients, options) = (field("clients", "]"), field("options", "}"));
    let old = text.replace(clients, "").replace(options, "");
    assert_eq!(old.len() + 2 * (clients.len() + options.len()), text.len());
    fs::write(&record.0, old).expect("a record");
    assert_eq!(replay(), Some(0));
}

/// The results of a server that starts all its players, and waits for them however busy the machine is.
fn results(args: &[&str]) -> Value {
    let output = run(command(&[&["serve", "0", "--timeout", "600s"], args, &["--json", "--quiet"]].concat()), b"");
    // Faults, for who reads of a test that failed.
    print!("{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.code().is_some_and(|code| code < 2), "{output:?}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn number(results: &Value, seat: usize, what: &str) -> i64 {
    results["seats"][seat][what].as_i64().expect("a number")
}

#[test]
fn bots_in_the_sandbox_play_as_over_tcp() {
    let folder = PublicFolder::new();
    let (two, four) = (bot(&folder, 2), bot(&folder, 4));
    let all =
        results(&["6", "-n", "3", "--tables", "2", "--seed", "4", "--seat", &two, "--seat", &four, "--seat", &two]);
    let wins: i64 = (0..6).map(|seat| number(&all, seat, "wins")).sum();
    assert_eq!(wins, 12, "{all}");
    let faults: i64 = (0..6).map(|seat| number(&all, seat, "faults")).sum();
    assert_eq!(faults, 0, "{all}");
}

#[test]
fn hostile_programs_hurt_only_themselves() {
    let folder = PublicFolder::new();
    for (name, script) in HOSTILE {
        let (hostile, three) = (team(&folder.0, name, script), bot(&folder, 3));
        let args = ["4", "-n", "3", "--seed", "1", "--on-error", "forfeit"];
        let seats = ["--seat", &three, "--seat", &hostile, "--seat", &three];
        let all = results(&[&args[..], &seats].concat());
        assert_eq!(number(&all, 0, "wins") + number(&all, 2, "wins"), 4, "{name}: {all}");
        assert_eq!(number(&all, 1, "faults"), 1, "{name}: {all}");
    }
}

#[test]
fn a_file_has_the_options_and_the_command_line_wins() {
    let (file, folder) = (TemporaryFile::new(), PublicFolder::new());
    let bot = bot(&folder, 2);
    let text = format!(
        "port = 0\ngames = 3\nn = 2\nseat = [{bot:?}, {bot:?}]\nquiet = true\nseed = 8\njson = true\ntimeout = \"600s\"\n"
    );
    fs::write(&file.0, text).expect("a file");
    let plain = run(command(&["serve", "--config", file.name()]), b"");
    assert_eq!(plain.status.code(), Some(0), "{plain:?}");
    let plain: Value = serde_json::from_slice(&plain.stdout).expect("JSON");
    assert_eq!((plain["seed"].as_i64(), number(&plain, 0, "games")), (Some(8), 3));
    let other = run(command(&["serve", "0", "2", "--seed", "9", "--config", file.name()]), b"");
    let other: Value = serde_json::from_slice(&other.stdout).expect("JSON");
    assert_eq!((other["seed"].as_i64(), number(&other, 0, "games")), (Some(9), 2));
}

#[test]
fn what_is_wrong_with_a_seat_or_a_file_is_named() {
    let complaint = |args: &[&str]| {
        let output = run(command(&[&["serve"], args].concat()), b"");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).expect("text")
    };
    let file = TemporaryFile::new();
    let configs = [
        ("port = 0\n\ntimout = \"1s\"\n", "line 3: unknown option timout"),
        ("games = 1\ntimeout = \"x\"\n", "line 2: invalid value 'x' for '--timeout"),
        ("port =\n", "line 1: "),
        ("port = 70000\n", "line 1: invalid value '70000'"),
        ("quiet = 3\n", "line 1: quiet: write true or false"),
        ("seed = 3\n", "PORT and GAMES are missing"),
    ];
    for (text, expected) in configs {
        fs::write(&file.0, text).expect("a file");
        let text = complaint(&["--config", file.name()]);
        assert!(text.contains(expected) && text.lines().count() == 1, "{text}");
    }
    let folder = PublicFolder::new();
    let bot = team(&folder.0, "spy", "read -r line");
    let record = folder.0.join("spy/record");
    let record = record.to_str().expect("text");
    let cases: [(&[&str], &str); 4] = [
        (&["0", "1", "--seat", "stdio:no-such-program"], "no such program"),
        (&["0", "1", "--seat", "builtin:bot2"], "only stdio:COMMAND"),
        (&["0", "1", "--seat", "bot2"], "write stdio:COMMAND"),
        (&["0", "1", "--record", record, "--seat", &bot], "folders of their own"),
    ];
    for (args, expected) in cases {
        let text = complaint(args);
        assert!(text.contains(expected) && text.lines().count() == 1, "{text}");
    }
}
