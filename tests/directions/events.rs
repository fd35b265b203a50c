//! Events and ladders in which players need different numberings.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use amazons::record::Record;
use amazons::tournament::ladder::{Ladder, read};
use amazons::tournament::{Event, EventLine, GameLine, Header, JOURNAL};
use amazons_program::journal::{self, JournalError};
use amazons_testing::{status_of, wait_or_tell};

use super::Players;
use crate::cli::server;
use crate::support;

/// Returns the games of an event's journal.
fn games(folder: &Path) -> Vec<GameLine> {
    let mut games = Vec::new();
    let read = journal::read::<Header, JournalError>(&folder.join(JOURNAL), |_, line| {
        if let EventLine::Game(game) = line {
            games.push(game);
        }
        Ok(())
    });
    read.expect("a journal");
    games
}

/// Fails unless every game was played by the rules, and each player's record names the numbering that it needs.
fn assert_whole(folder: &Path, games: &[GameLine]) {
    for game in games {
        assert!(game.at_fault.is_empty(), "{game:?}");
        let file = folder.join(game.record.as_ref().expect("all games are kept"));
        let record = Record::read(fs::read(file).expect("a record").as_slice()).expect("a record");
        for (name, player) in game.players.iter().zip(&record.start.players) {
            let expected = if name.starts_with("subject") { "subject" } else { "ring" };
            assert_eq!(player.directions.as_deref(), Some(expected), "{name}");
        }
    }
}

#[test]
fn a_plan_says_what_each_player_needs() {
    let root = tempfile::tempdir().expect("a folder");
    let Players { ring, subject, labels, .. } = &Players::build();
    let player = |name: &str, file: &PathBuf| format!("[[players]]\nname = {name:?}\nfile = {file:?}\n");
    let plan = format!(
        "pairs = 1\nboards = [\"c6\", \"d6\"]\n{}{}directions = \"subject\"\n{}",
        player("ring", ring),
        player("subject", subject),
        player("labels", labels)
    );
    let (file, dir) = (root.path().join("plan.toml"), root.path().join("event"));
    fs::write(&file, &plan).expect("a file");
    let [file_name, dir_name] = [&file, &dir].map(|path| path.to_str().expect("text"));
    let play = || server(["tournament", "--quiet", file_name, "--dir", dir_name]);
    let ran = play();
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    let played = games(&dir);
    assert_eq!(played.len(), 6);
    assert_whole(&dir, &played);
    let plan_read = Event::read(&dir).expect("an event").plan().clone();
    let directions = plan_read.players.iter().map(|player| player.directions.is_some()).collect::<Vec<_>>();
    assert_eq!(directions, [false, true, false]);

    // Another numbering is another event.
    fs::write(&file, plan.replace("directions = \"subject\"\n", "")).expect("a file");
    let ran = play();
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("player subject: directions: subject before, as the game's now"), "{}", ran.err);
    fs::write(&file, plan.replace("\"subject\"\n[[", "\"sideways\"\n[[")).expect("a file");
    let ran = play();
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("line 9, column 14: ") && ran.err.contains("sideways"), "{}", ran.err);
}

#[test]
fn only_libraries_have_a_numbering() {
    let root = tempfile::tempdir().expect("a folder");
    let Players { labels, .. } = &Players::build();
    let file = root.path().join("plan.toml");
    let plan =
        format!("[[players]]\nfile = {labels:?}\n[[players]]\nfile = \"bridge:/bin/cat\"\ndirections = \"ring\"\n");
    fs::write(&file, plan).expect("a file");
    let ran = server(["tournament", file.to_str().expect("text")]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("directions: only a library is given a graph"), "{}", ran.err);
}

#[test]
fn equal_plans_are_equal_however_they_are_typed() {
    let root = tempfile::tempdir().expect("a folder");
    let Players { labels, .. } = &Players::build();
    let (labels, dir) = (labels.to_str().expect("text"), root.path().join("event"));
    let dir = dir.to_str().expect("text");
    let play = |directions: &[&str]| {
        let options = ["tournament", "--quiet", "--boards", "c5", "--dir", dir];
        server([&options, directions, &[labels, labels]].concat())
    };
    for directions in [&[][..], &["--directions", "ring"], &["--directions", "ring,ring"]] {
        let ran = play(directions);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{directions:?}");
    }
    assert_eq!(play(&["--directions", "subject"]).status, 2);
}

#[test]
fn a_command_line_names_one_numbering_for_each_player() {
    let root = tempfile::tempdir().expect("a folder");
    let Players { ring, subject, labels, .. } = &Players::build();
    for (name, from) in [("ring", ring), ("subject", subject), ("labels", labels)] {
        fs::copy(from, root.path().join(format!("{name}.so"))).expect("a copy");
    }
    let path = |name: &str| root.path().join(name).to_str().expect("text").to_owned();
    let dir = path("event");
    let players = ["ring.so", "subject.so", "labels.so"].map(path);
    let options = |directions: &'static str| {
        let options = ["tournament", "--quiet", "--boards", "c6", "--dir", &dir, "--directions", directions];
        options.map(str::to_owned).to_vec()
    };
    let ran = server([options("ring,subject"), players.to_vec()].concat());
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("2 numberings for 3 players: name one for all, or one for each"), "{}", ran.err);
    let ran = server([options("ring,subject,ring"), players.to_vec()].concat());
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    let played = games(root.path().join("event").as_path());
    assert_eq!(played.len(), 6);
    assert_whole(&root.path().join("event"), &played);
}

#[test]
fn a_ladder_admits_each_with_what_its_check_has_shown() {
    let root = tempfile::tempdir().expect("a folder");
    let dir = root.path().join("ladder");
    fs::create_dir_all(dir.join("players")).expect("a folder");
    let Players { ring, subject, labels, .. } = &Players::build();
    for (name, from) in [("ring", ring), ("subject", subject), ("labels", labels)] {
        fs::copy(from, dir.join(format!("players/{name}.so"))).expect("a copy");
    }
    let mut child = Command::new(support::server())
        .arg("ladder")
        .arg(&dir)
        .args(["--boards", "c6", "--look", "50ms", "--check-size", "5", "-j1"])
        .stdout(Stdio::null())
        .spawn()
        .expect("the server can be run");
    let has_played = |ladder: &Ladder| {
        ["ring", "subject", "labels"]
            .iter()
            .all(|name| ladder.present(name).is_some_and(|player| player.tally.games >= 4))
    };
    wait_or_tell(
        || read(&dir).ok().filter(has_played).map(drop),
        || format!("{:?}", fs::read_to_string(dir.join("journal.jsonl"))),
    );
    let stopped = server(["ladder", "stop", dir.to_str().expect("text")]);
    assert_eq!(stopped.status, 0, "{}", stopped.err);
    status_of(&mut child);
    let ladder = read(&dir).expect("a ladder");
    let needs = |name: &str| ladder.present(name).expect("it plays").joined.directions.is_some();
    assert_eq!(["ring", "subject", "labels"].map(needs), [false, true, false]);
    let lines = fs::read_to_string(dir.join("journal.jsonl")).expect("a journal");
    let games = lines.lines().filter_map(|line| line.strip_prefix("{\"game\":")?.strip_suffix('}'));
    let games: Vec<GameLine> = games.map(|line| serde_json::from_str(line).expect("a game")).collect();
    assert!(games.len() >= 6);
    assert_whole(&dir, &games);
}
