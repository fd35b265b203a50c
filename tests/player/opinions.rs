//! The opinions of bundled players, in records and the formats made of them.

use std::fs;

use serde_json::Value;

use crate::cli::{player, server};

/// The moves of a game's record.
fn moves(players: [&str; 2]) -> (tempfile::TempDir, String, Vec<Value>) {
    let folder = tempfile::tempdir().expect("a folder");
    let record = folder.path().join("game.jsonl").display().to_string();
    let [one, two] = players.map(player);
    let ran = server(["-m", "6", "--move-time", "60ms", "--quiet", "--record", &record, &one, &two]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let text = fs::read_to_string(&record).expect("a record");
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let moves = lines.filter(|line| line["event"] == "move").collect();
    (folder, record, moves)
}

#[test]
fn searches_tell_what_they_found() {
    for name in ["champion", "mcts", "alphabeta", "c_mobility"] {
        let (_folder, record, moves) = moves([name, "random"]);
        for mv in &moves {
            let (value, comment) = (mv["value"].as_f64(), mv["comment"].as_str());
            let (has, words) = (mv["player"] == 1, if name == "c_mobility" { " places to go to " } else { "depth " });
            assert_eq!((value.is_some(), comment.is_some_and(|text| text.contains(words))), (has, has), "{name}: {mv}");
        }
        let sgf = server(["convert", &record, "-", "--to", "sgf"]);
        assert!(sgf.status == 0 && sgf.out.contains("V[") && sgf.out.contains("C["), "{}{}", sgf.out, sgf.err);
        let replayed = server(["replay", &record]);
        assert_eq!(replayed.status, 0, "{}", replayed.err);
    }
    // The winner of a game that it won knows so in the end.
    let (_folder, _, moves) = moves(["champion", "random"]);
    let last = moves.iter().rfind(|mv| mv["player"] == 1).expect("a move");
    assert!(last["value"].as_f64().is_some_and(|value| value > 0.9), "{last}");
}
