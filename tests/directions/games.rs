//! Single games: each player gets the requested numbering, and the record names it.

use std::fs;
use std::path::Path;

use amazons::record::Record;

use super::Players;
use crate::cli::{player, server};

/// Plays a game on a clover and returns the numberings of its record; no player may be at fault.
fn numberings(directions: &[&str], players: [&Path; 2]) -> [Option<String>; 2] {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.jsonl");
    let [one, two] = players.map(|player| player.to_str().expect("a path that is text"));
    let record = ["-m", "6", "-t", "t", "--seed", "1", "--strict", "--quiet", "--record", file.to_str().expect("text")];
    let ran = server([&record, directions, &[one, two]].concat());
    assert_eq!(ran.status, 0, "{directions:?}: {}{}", ran.out, ran.err);
    let text = fs::read(&file).expect("a record");
    let record = Record::read(text.as_slice()).expect("a record");
    record.verify().expect("a legal game");
    record.start.players.map(|player| player.directions)
}

#[test]
fn each_player_has_a_numbering_of_its_own() {
    let Players { ring, subject, labels, .. } = &Players::build();
    let named = |one: &str, two: &str| [one, two].map(|name| Some(name.to_owned()));
    for (directions, players, expected) in [
        (&[][..], [ring, labels], named("ring", "ring")),
        (&["--directions", "ring"], [ring, ring], named("ring", "ring")),
        (&["--directions", "subject"], [subject, subject], named("subject", "subject")),
        (&["--directions", "ring,subject"], [ring, subject], named("ring", "subject")),
        (&["--directions", "subject,ring", "--first", "2"], [subject, ring], named("subject", "ring")),
        (&["--directions=subject,ring", "--isolation", "none"], [subject, ring], named("subject", "ring")),
    ] {
        assert_eq!(numberings(directions, players.map(|path| path.as_path())), expected, "{directions:?}");
    }
}

#[test]
fn the_wrong_numbering_breaks_a_player_that_computes_with_labels() {
    let Players { ring, subject, labels, .. } = &Players::build();
    for (directions, player) in [("subject", ring), ("ring", subject)] {
        let [player, labels] = [player, labels].map(|path| path.to_str().expect("text"));
        let ran = server(["-m", "6", "--strict", "--quiet", "--directions", directions, player, labels]);
        assert_eq!(ran.status, 3, "{}", ran.out);
        assert!(ran.out.contains("illegal"), "{}", ran.out);
    }
}

#[test]
fn more_numberings_than_players_are_refused() {
    let random = player("random");
    let ran = server(["--directions", "ring,subject,ring", &random, &random]);
    let expected = "--directions: 3 numberings for two players: name one for both, or one for each";
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains(expected) && ran.err.lines().count() == 1, "{}", ran.err);
}

/// Programs get positions, not a graph.
#[test]
fn programs_have_no_numbering() {
    let Players { labels, .. } = &Players::build();
    let bot = Path::new("bridge:/bin/cat");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.jsonl");
    let paths = [bot, labels, &file].map(|path| path.to_str().expect("text"));
    // The program says nothing until its time is over.
    server(["-m", "5", "--quiet", "--load-time", "0.3", paths[0], paths[1], "--record", paths[2]]);
    let record = Record::read(fs::read(&file).expect("a record").as_slice()).expect("a record");
    assert_eq!(record.start.players.map(|player| player.directions), [None, Some("ring".to_owned())]);
}
