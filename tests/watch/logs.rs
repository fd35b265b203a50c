//! Players' output, and records in other formats.

use std::fs;

use amazons::watch::{Access, ServerLimits};
use amazons_rules::Shape;
use tempfile::TempDir;

use super::{Rig, as_if_played, record};

/// Writes a record that names player 1's log.
fn write(rig: &Rig, name: &str, log: &str) {
    rig.write(name, &as_if_played(&record("a", "b", Shape::Square, 5, 1), [Some(log), None]));
}

/// The answer to a request for that log.
fn answer(rig: &Rig, name: &str) -> (u16, String) {
    let id = rig.id(name);
    assert_eq!(rig.get(&format!("/api/games/{id}/log/2")).status, 404, "player 2 has none");
    assert_eq!(rig.get(&format!("/api/games/{id}/log/3")).status, 404);
    let reply = rig.get(&format!("/api/games/{id}/log/1"));
    (reply.status, reply.text().to_owned())
}

fn logged(rig: &Rig, name: &str, log: &str) -> (u16, String) {
    write(rig, name, log);
    answer(rig, name)
}

#[test]
fn the_end_of_a_log_is_shown() {
    let logs = TempDir::new().expect("a folder");
    let rig = Rig::with(Access::Local, ServerLimits::default(), &[logs.path()]);
    fs::create_dir(rig.path("logs")).expect("a folder");
    fs::write(rig.path("logs/player1.log"), "hello\n\u{1b}[31mred\u{7}\n").expect("a file");
    let whole = rig.path("logs/player1.log").display().to_string();
    assert_eq!(logged(&rig, "a.jsonl", &whole), (200, "hello\n\\u{1b}[31mred\\u{7}".to_owned()));
    assert_eq!(logged(&rig, "b.jsonl", "logs/player1.log").0, 200, "from the folder of the record");
    fs::create_dir(logs.path().join("game7")).expect("a folder");
    let long: String = (0..5000).map(|number| format!("{number}\n")).collect();
    fs::write(logs.path().join("game7/player1.log"), long).expect("a file");
    let (status, tail) = logged(&rig, "c.jsonl", "/elsewhere/game7/player1.log");
    assert_eq!((status, tail.lines().next(), tail.lines().last()), (200, Some("..."), Some("4999")));
    assert!(tail.len() <= 4100 && tail.len() > 4000, "{}", tail.len());
}

#[test]
fn no_other_file_is_a_log() {
    let outside = TempDir::new().expect("a folder");
    fs::write(outside.path().join("player1.log"), "outside").expect("a file");
    let rig = Rig::new();
    fs::write(rig.path("secret.txt"), "secret").expect("a file");
    std::os::unix::fs::symlink(outside.path(), rig.path("out")).expect("a link");
    let other = outside.path().join("player1.log").display().to_string();
    let up = format!("../{}/player1.log", outside.path().file_name().expect("a name").display());
    let named = [
        other.as_str(),
        &up,
        "out/player1.log",
        "secret.txt",
        "/etc/passwd",
        "../../etc/passwd",
        "",
        "/",
        "missing/x.log",
    ];
    // All of them first: a list may be a second old.
    for (number, log) in named.into_iter().enumerate() {
        write(&rig, &format!("{number}.jsonl"), log);
    }
    for (number, log) in named.into_iter().enumerate() {
        assert_eq!(answer(&rig, &format!("{number}.jsonl")).0, 404, "{log}");
    }
}

#[test]
fn a_game_is_offered_in_every_format() {
    let rig = Rig::new();
    rig.write("a.jsonl", &record("a", "b", Shape::Clover, 8, 1));
    let id = rig.id("a.jsonl");
    let beginnings: [(&str, &[u8]); 7] = [
        ("sgf", b"(;"),
        ("pgn", b"[Event"),
        ("fen", b""),
        ("svg", b"<svg"),
        ("png", b"\x89PNG"),
        ("gif", b"GIF89a"),
        ("html", b"<!doctype"),
    ];
    for (format, beginning) in beginnings {
        let reply = rig.get(&format!("/api/games/{id}/as/{format}"));
        assert_eq!(reply.status, 200, "{format}");
        assert!(reply.body.starts_with(beginning), "{format}");
        let disposition = reply.header("content-disposition").expect("a name");
        let extension = if format == "fen" { "fen" } else { format };
        assert_eq!(disposition, format!("attachment; filename=\"a.{extension}\""));
    }
    let at = |query: &str| rig.get(&format!("/api/games/{id}/as/fen?{query}"));
    assert_eq!(at("ply=4").header("content-disposition"), Some("attachment; filename=\"a-4.fen\""));
    rig.write("Zoë \"1\".jsonl", &record("a", "b", Shape::Square, 5, 1));
    let named = rig.get(&format!("/api/games/{}/record", rig.id("Zoë \"1\".jsonl")));
    let disposition = "attachment; filename=\"Zo___1_.jsonl\"; filename*=UTF-8''Zo%C3%AB%20%221%22.jsonl";
    assert_eq!(named.header("content-disposition"), Some(disposition));
    assert_eq!(at("ply=0").text().matches('*').count() + 4, at("ply=4").text().matches('*').count());
    assert_eq!(at("ply=9999").status, 422);
    assert_eq!(at("ply=x").status, 422);
    assert_eq!(rig.get(&format!("/api/games/{id}/as/exe")).status, 404);
    let text = record("a", "b", Shape::Clover, 8, 1);
    rig.write("cut.jsonl", &text.lines().take(3).map(|line| format!("{line}\n")).collect::<String>());
    let cut = rig.id("cut.jsonl");
    let reply = rig.get(&format!("/api/games/{cut}/as/sgf"));
    assert_eq!(reply.status, 422);
    assert!(reply.text().contains("without an end"), "{}", reply.text());
}
