//! Refused commands, and their messages.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

use super::event::Hall;
use crate::cli::{player, server};

#[test]
fn a_changed_plan_is_refused_with_the_difference() {
    let hall = Hall::new(&["random", "c_mobility"], &["--pairs", "2", "--boards", "c5"]);
    hall.finish();
    let before = hall.stable();
    let dir = hall.dir().display().to_string();
    let (random, mobility) = (player("random"), player("c_mobility"));
    let refused = |args: &[&str]| {
        let ran = server([&["tournament", "--quiet", "--dir", &dir], args].concat());
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        ran.err
    };
    let pairs = refused(&[&random, &mobility, "--pairs", "1", "--boards", "c5"]);
    assert!(
        pairs.contains("holds another event: format: round-robin (pairs 2) before, round-robin (pairs 1) now"),
        "{pairs}"
    );
    let game = refused(&[&random, &mobility, "--pairs", "2", "--boards", "c5", "--move-time", "1"]);
    assert!(game.contains("move-time: not set before, 1000ms now"), "{game}");
    let who = refused(&[&random, &player("territory"), "--pairs", "2", "--boards", "c5"]);
    assert!(who.contains("player c_mobility is not in the plan any more; player territory is new"), "{who}");
    assert_eq!(hall.stable(), before);
}

#[test]
fn a_changed_player_is_refused_and_a_moved_one_is_not() {
    let root = tempfile::tempdir().expect("a folder");
    let (here, there) = (root.path().join("p.so"), root.path().join("there"));
    fs::copy(player("random"), &here).expect("a copy");
    let dir = root.path().join("event").display().to_string();
    let play = |file: &std::path::Path| {
        let file = file.display().to_string();
        server(["tournament", "--quiet", "--dir", &dir, "--boards", "c5", &file, &player("c_mobility")])
    };
    assert_eq!(play(&here).status, 0);
    fs::copy(player("territory"), &here).expect("another player");
    let changed = play(&here);
    assert_eq!(changed.status, 2);
    assert!(changed.err.contains("player p has changed: "), "{}", changed.err);
    fs::create_dir(&there).expect("a folder");
    fs::copy(player("random"), there.join("p.so")).expect("a copy");
    assert_eq!(play(&there.join("p.so")).status, 0, "the same file elsewhere is the same player");
}

#[test]
fn wrong_usage_is_said_in_a_line() {
    let (random, mobility) = (player("random"), player("c_mobility"));
    let root = tempfile::tempdir().expect("a folder");
    let nowhere = root.path().join("none").display().to_string();
    let cases: [(&[&str], &str); 10] = [
        (&[], "missing a plan or players"),
        (&[&random], "an event cannot have 1 players"),
        (&["none.toml"], "cannot read none.toml"),
        (&[&random, "a.toml"], "a.toml is a plan: name it alone"),
        (&[&random, "human"], "human: a person cannot play in a tournament"),
        (
            &[&random, &mobility, "--sprt", "elo1=5", &random],
            "name both players before --sprt, or both behind its settings",
        ),
        (&["--sprt", &random, &mobility], "--sprt needs settings"),
        (&[&random, &mobility, "--sprt", "elo1=x"], "sprt: elo1: 'x' is not a number"),
        (&[&random, &mobility, "-j", "900"], "--concurrency: 900 games at a time need 900 cores"),
        (&["stop", &nowhere], "no server works on an event there"),
    ];
    for (args, expected) in cases {
        let ran = server([&["tournament"], args].concat());
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(expected) && ran.err.lines().count() == 1, "{args:?}: {}", ran.err);
    }
    assert!(!root.path().join("none").exists(), "looking leaves nothing");
}

#[test]
fn an_edited_journal_is_refused_in_a_line() {
    let hall = Hall::new(&["random", "c_mobility"], &["--pairs", "3", "--boards", "c5"]);
    hall.finish();
    let whole = hall.read("journal.jsonl");
    let (head, rest) = whole.split_once('\n').expect("a first line");
    let hash = head.split("\"sha256\":\"").nth(1).and_then(|text| text.split('"').next()).expect("a hash");
    let format = r#"{"round-robin":{"pairs":3}}"#;
    let sprt =
        r#"{"sprt":{"elo0":0.0,"elo1":5.0,"alpha":0.05,"beta":0.05,"model":"normalized","max_pairs":4294967295}}"#;
    for (from, to, expected) in [
        (hash, "ab", "player random: invalid SHA-256"),
        (r#"["c5"]"#, "[]", "boards: none given"),
        (r#"["c5"]"#, r#"["c1001"]"#, "boards: "),
        (r#"["c5"]"#, r#"["c5","c5","c5","x5"]"#, "boards: unknown board 'x5'"),
        (r#"{"random":{"plies":4}}"#, r#"{"listed":[]}"#, "openings: there is no position"),
        (r#"{"random":{"plies":4}}"#, r#"{"random":{"plies":4294967295}}"#, "plies: after 4294967295 random plies"),
        (format, sprt, "pairs: the event would have more than"),
        (format, r#"{"round-robin":{"pairs":4294967295}}"#, "pairs: the event would have more than"),
        (format, r#"{"gauntlet":{"pairs":1,"seeds":2}}"#, "seeds: 2 of 2 players leave no opponents"),
        (r#""random","file""#, r#""<b>\u001b[31m\n","file""#, r"invalid player name '<b>\u{1b}[31m\n'"),
        (r#""random","file""#, r#""c_mobility","file""#, "two players are called 'c_mobility'"),
    ] {
        assert!(head.contains(from), "{from}: {head}");
        fs::write(hall.file("journal.jsonl"), format!("{}\n{rest}", head.replacen(from, to, 1))).expect("a file");
        for ran in [server(["rate", &hall.dir().display().to_string()]), hall.play()] {
            assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{to}: {}", ran.err);
            assert_eq!(ran.err.lines().count(), 1, "{to}: {}", ran.err);
        }
        let ran = server(["rate", &hall.dir().display().to_string()]);
        assert!(ran.err.contains(expected), "{to}: {}", ran.err);
    }
    let third = whole.replace("\"pair\":2,\"game\":2,", "\"pair\":2,\"game\":7,");
    fs::write(hall.file("journal.jsonl"), third).expect("a file");
    let ran = hall.play();
    assert!(ran.status == 2 && ran.err.contains("a game of pair 2 in the journal is not in its plan"), "{}", ran.err);
    fs::remove_file(hall.file("journal.jsonl")).expect("a file");
    let made = Command::new("mkfifo").arg(hall.file("journal.jsonl")).status().expect("mkfifo");
    assert!(made.success());
    let ran = server(["rate", &hall.dir().display().to_string()]);
    assert!(ran.status == 70 && ran.err.contains("it is not a regular file"), "{}", ran.err);
}

#[test]
fn a_plan_that_cannot_be_played_leaves_the_folder_for_a_better_one() {
    let root = tempfile::tempdir().expect("a folder");
    let dir = root.path().join("event").display().to_string();
    let play = |plies: &str| {
        server([
            "tournament",
            "-q",
            "--dir",
            &dir,
            "--boards",
            "c5",
            "--plies",
            plies,
            &player("random"),
            &player("random"),
        ])
    };
    let refused = play("40");
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("plies: after 40 random plies on c5 the game is over: use fewer"), "{}", refused.err);
    assert_eq!(play("2").status, 0);
}

#[test]
fn players_may_stand_behind_the_settings_of_a_test() {
    let root = tempfile::tempdir().expect("a folder");
    let dir = root.path().join("event").display().to_string();
    let (random, mobility) = (player("random"), player("c_mobility"));
    let words = ["--boards", "c5", "--max-pairs", "17", "--dir", &dir, "-q"];
    let ran = server([&["tournament"], &words[..], &["--sprt", "elo0=-5", "elo1=5", &mobility, &random]].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    let header = fs::read_to_string(root.path().join("event/journal.jsonl")).expect("a journal");
    assert!(header.contains("\"sprt\":{\"elo0\":-5.0,\"elo1\":5.0"), "{header}");
    assert!(header.find("c_mobility") < header.find("random"), "{header}");
}

#[test]
fn what_holds_no_event_is_a_mistake_of_the_user() {
    let root = tempfile::tempdir().expect("a folder");
    let file = root.path().join("text.txt");
    fs::write(&file, "hello\n").expect("a file");
    let [folder, nowhere] =
        [root.path().to_owned(), root.path().join("nowhere")].map(|path| path.display().to_string());
    let (file, task) = (file.display().to_string(), format!("{nowhere}:1"));
    for args in [
        &["rate", &folder][..],
        &["rate", &nowhere],
        &["rate", &file],
        &["tournament", "collect", &nowhere],
        &["play-pair", &task],
        &["ladder", "status", &nowhere],
        &["ladder", "status", &file],
    ] {
        let ran = server(args);
        assert_eq!(ran.status, 2, "{args:?}: {}", ran.err);
        assert!(ran.err.contains(" holds no event and no ladder: there is no "), "{args:?}: {}", ran.err);
    }
    let random = player("random");
    for args in [&["ladder", &*file][..], &["tournament", &random, &random, "--dir", &file]] {
        let ran = server(args);
        assert_eq!(ran.status, 2, "{args:?}: {}", ran.err);
        assert!(ran.err.contains(": a file is in the way: name a folder\n"), "{args:?}: {}", ran.err);
    }
    let ran = server(["tournament", "stop", &file]);
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(!fs::exists(&nowhere).expect("it can be looked at"), "nothing is made");
}

#[test]
fn a_player_that_is_too_large_is_not_hashed() {
    let root = tempfile::tempdir().expect("a folder");
    let padded = root.path().join("padded.so");
    fs::copy(player("random"), &padded).expect("a copy");
    fs::File::options().write(true).open(&padded).and_then(|file| file.set_len(3 << 30)).expect("a hole");
    let padded = padded.display().to_string();
    let event = root.path().join("event").display().to_string();
    let ran = server(["tournament", &padded, &player("random"), "--dir", &event]);
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(ran.err.contains("padded.so: it is larger than 256 MiB, which no player may be"), "{}", ran.err);
    let game = server(["-m", "5", "--json", &padded, &player("random")]);
    assert_eq!(game.status, 0, "{}", game.err);
    assert!(game.out.contains("\"termination\":\"load_error\""), "the player loses: {}", game.out);
}

/// Journals and records are JSON, which has no other text than UTF-8.
#[test]
fn a_player_whose_path_is_not_utf_8_is_refused_before_the_folder_is_made() {
    let root = tempfile::tempdir().expect("a folder");
    let odd = root.path().join(OsStr::from_bytes(b"bad\xff.so"));
    fs::copy(player("random"), &odd).expect("a copy");
    let dir = root.path().join("event");
    let options = ["tournament", "--boards", "c5", "--dir"].map(OsStr::new);
    let players = [odd.as_os_str(), OsStr::new(&player("territory"))].map(OsStr::to_owned);
    let ran = server(options.iter().copied().chain([dir.as_os_str()]).chain(players.iter().map(|it| it.as_os_str())));
    assert_eq!((ran.status, ran.out.as_str()), (2, ""));
    assert!(ran.err.ends_with("/bad\u{fffd}.so: its path is not UTF-8: rename it\n"), "{}", ran.err);
    assert!(!dir.exists());
}
