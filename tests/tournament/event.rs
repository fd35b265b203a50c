//! Whole events through the installed server.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use amazons::tournament::{Event, JOURNAL};
use tempfile::TempDir;

use crate::bridge;
use crate::cli::{Ran, player, ran, server};
use crate::support;

/// The files that must not depend on the order of games or on interruptions.
const STABLE: [&str; 4] = ["standings.json", "standings.csv", "standings.txt", "games.csv"];

/// An event in its own folder.
pub(super) struct Hall {
    root: TempDir,
    args: Vec<String>,
}

impl Hall {
    /// Plays these players with these options.
    pub(super) fn new(players: &[&str], options: &[&str]) -> Self {
        let root = tempfile::tempdir().expect("a folder");
        let mut args: Vec<String> = players.iter().map(|name| player(name)).collect();
        args.extend(options.iter().map(|&option| option.to_owned()));
        Self { root, args }
    }

    pub(super) fn dir(&self) -> PathBuf {
        self.root.path().join("event")
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.dir().join(name)
    }

    pub(super) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(super) fn args(&self) -> Vec<String> {
        let mut args = vec!["tournament".to_owned()];
        args.extend(self.args.iter().cloned());
        args.extend(["--dir".to_owned(), self.dir().display().to_string(), "--quiet".to_owned()]);
        args
    }

    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(support::server());
        command.args(self.args());
        command
    }

    pub(super) fn play(&self) -> Ran {
        ran(self.command().output().expect("the server can be run"))
    }

    /// Plays, and expects success.
    #[track_caller]
    pub(super) fn finish(&self) -> Ran {
        let ran = self.play();
        assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
        ran
    }

    /// The results that must be the same however the event was played.
    pub(super) fn stable(&self) -> Vec<String> {
        STABLE.iter().map(|name| self.read(name)).collect()
    }

    pub(super) fn games(&self) -> usize {
        Event::read(&self.dir()).map_or(0, |event| event.results().games())
    }
}

fn field(json: &str, path: &str) -> serde_json::Value {
    let value: serde_json::Value = serde_json::from_str(json).expect("JSON");
    value.pointer(path).unwrap_or_else(|| panic!("{path} in {json}")).clone()
}

#[test]
fn a_round_robin_writes_everything_and_ends() {
    let hall = Hall::new(&["random", "c_mobility", "territory"], &["--pairs", "3", "--boards", "c5,d6", "--seed", "3"]);
    let ran = hall.finish();
    assert_eq!(ran.err, "");
    assert!(ran.out.starts_with("event: round robin, 3 players, 9 whole pairs, 18 games, complete\n"), "{}", ran.out);
    assert!(ran.out.contains("our own overhead per move: "), "{}", ran.out);
    assert_eq!(hall.read("standings.txt").lines().next(), ran.out.lines().next());
    let json = hall.read("standings.json");
    assert_eq!((field(&json, "/is_complete"), field(&json, "/pairs")), (true.into(), 9.into()));
    assert_eq!(field(&json, "/players/2/name"), "random", "{json}");
    assert_eq!(hall.read("games.csv").lines().count(), 19);
    for game in ["000001-1", "000009-2"] {
        let record = hall.file(&format!("records/000/{game}.jsonl"));
        let replayed = server(["replay", "-q", &record.display().to_string()]);
        assert_eq!((replayed.status, replayed.err.as_str()), (0, ""), "{game}");
    }
    // Both games of a pair start from one position, and the other player moves first.
    let start =
        |game: &str| hall.read(&format!("records/000/{game}.jsonl")).lines().next().expect("a start").to_owned();
    let [one, two] = ["000004-1", "000004-2"].map(start);
    assert_eq!(field(&one, "/position"), field(&two, "/position"));
    assert_eq!((field(&one, "/first"), field(&two, "/first")), (1.into(), 2.into()));
    assert_eq!(field(&one, "/players/0/sha256"), field(&two, "/players/0/sha256"));
    assert_ne!(field(&one, "/seed"), field(&two, "/seed"));
}

#[test]
fn the_number_of_workers_does_not_matter() {
    let options = ["--pairs", "6", "--boards", "c5", "--format", "swiss", "--rounds", "2"];
    let players = ["random", "c_mobility", "territory"];
    let alone = Hall::new(&players, &[&options[..], &["-j", "1"]].concat());
    let together = Hall::new(&players, &[&options[..], &["-j", "3", "--force"]].concat());
    alone.finish();
    together.finish();
    assert_eq!(alone.stable(), together.stable());
    // Random openings and players have seeds, so the games are the same.
    let fingerprints = |hall: &Hall| {
        let mut lines: Vec<String> = hall
            .read(JOURNAL)
            .lines()
            .filter(|line| line.starts_with("{\"game\""))
            .map(|line| {
                ["/game/pair", "/game/game", "/game/fingerprint"].map(|path| field(line, path).to_string()).join(" ")
            })
            .collect();
        lines.sort();
        lines
    };
    assert_eq!(fingerprints(&alone), fingerprints(&together));
}

#[test]
fn a_finished_event_stays_finished() {
    let hall = Hall::new(&["random", "c_mobility"], &["--pairs", "2", "--boards", "c5"]);
    hall.finish();
    let (journal, stable) = (hall.read(JOURNAL), hall.stable());
    fs::remove_file(hall.file("standings.json")).expect("a file");
    let ran = hall.finish();
    assert!(ran.out.contains(", complete\n"), "{}", ran.out);
    assert_eq!(
        (hall.read(JOURNAL), hall.stable()),
        (journal, stable),
        "what is missing is made anew, nothing is played"
    );
}

#[test]
fn a_test_of_two_players_ends_with_a_verdict() {
    let sprt = ["--sprt", "elo0=0", "elo1=40", "alpha=.05", "beta=.05", "model=logistic"];
    let hall = Hall::new(&["c_mobility", "random"], &[&["--boards", "c5", "--max-pairs", "500"], &sprt[..]].concat());
    let ran = hall.finish();
    assert!(ran.out.contains("the difference is 40 rather than 0 Elo: log-likelihood ratio"), "{}", ran.out);
    let json = hall.read("standings.json");
    assert_eq!(field(&json, "/sprt/verdict"), "elo1");
    let pairs = field(&json, "/pairs").as_u64().expect("a number");
    assert!((16..400).contains(&pairs), "{pairs}");
    let again =
        Hall::new(&["c_mobility", "random"], &[&["--boards", "c5", "-j1", "--max-pairs", "500"], &sprt[..]].concat());
    again.finish();
    assert_eq!(again.read("standings.json"), json, "the verdict does not depend on who was faster");
}

#[test]
fn a_knockout_and_a_gauntlet_end() {
    let cup = Hall::new(
        &["random", "c_mobility", "territory"],
        &["--format", "knockout", "--best-of", "2", "--boards", "c5"],
    );
    let ran = cup.finish();
    assert!(ran.out.contains("knockout, 3 players"), "{}", ran.out);
    assert_eq!(field(&cup.read("standings.json"), "/ranked_by"), "knockout");
    let gauntlet =
        Hall::new(&["random", "c_mobility", "territory"], &["--format", "gauntlet", "--pairs", "2", "--boards", "c5"]);
    gauntlet.finish();
    assert!(!gauntlet.read("games.csv").contains("c_mobility,territory"));
}

#[test]
fn a_faulty_player_loses_and_its_logs_are_kept() {
    let (_folder, library) = support::player_in_c("faulty", "fprintf(stderr, \"about to crash\\n\"); abort();", "");
    let hall = Hall::new(&["random"], &[&library, "--boards", "c5", "--pairs", "2", "--records", "faulty"]);
    let ran = hall.finish();
    assert!(
        ran.out.contains("note: library was at fault in 4 of 4 games (crash 4): see their records and its logs"),
        "{}",
        ran.out
    );
    assert_eq!(hall.read("logs/000/000001-1-player2.log"), "about to crash\n");
    assert!(hall.file("records/000/000002-2.jsonl").exists());
    assert_eq!(field(&hall.read("standings.json"), "/players/1/at_fault"), 4);
    let quiet = Hall::new(&["random", "random"], &["--boards", "c5", "--records", "faulty"]);
    quiet.finish();
    assert!(!quiet.file("records").exists(), "games without a fault are not kept");
    assert!(quiet.read("standings.json").contains("\"random-2\""), "one file may play twice");
}

#[test]
fn a_plan_in_a_file_has_its_folder_next_to_it() {
    let root = tempfile::tempdir().expect("a folder");
    fs::copy(support::player("random"), root.path().join("random.so")).expect("a player");
    let plan = "pairs = 1\nboards = [\"c5\"]\n[[players]]\nfile = \"random.so\"\n[[players]]\nname = \"other\"\nfile = \"random.so\"\n";
    let path = root.path().join("spring.toml");
    fs::write(&path, plan).expect("a plan");
    let name = path.display().to_string();
    let ran = server(["tournament", &name]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(root.path().join("spring/standings.txt").exists());
    assert!(ran.out.starts_with("spring: round robin"), "{}", ran.out);
    let flags = server(["tournament", &name, "--pairs", "3"]);
    assert_eq!(flags.status, 2);
    assert!(flags.err.contains("--pairs belongs into the plan"), "{}", flags.err);
}

/// Standings of several events are rated together.
#[test]
fn rate_computes_standings_anew() {
    let one = Hall::new(&["random", "c_mobility"], &["--pairs", "3", "--boards", "c5"]);
    let two = Hall::new(&["c_mobility", "territory"], &["--pairs", "3", "--boards", "d6", "--seed", "1"]);
    one.finish();
    two.finish();
    let rate = |dirs: &[&Path], to: &str| {
        let dirs = dirs.iter().map(|dir| dir.display().to_string());
        server(["rate".to_owned(), "--to".to_owned(), to.to_owned()].into_iter().chain(dirs))
    };
    let alone = rate(&[&one.dir()], "json");
    assert_eq!((alone.status, alone.out), (0, one.read("standings.json")));
    let both = rate(&[&one.dir(), &two.dir()], "json");
    assert_eq!((field(&both.out, "/pairs"), field(&both.out, "/players/0/name")), (6.into(), "territory".into()));
    assert_eq!(
        field(&both.out, "/players").as_array().map(Vec::len),
        Some(3),
        "the same file under the same name is one"
    );
    assert!(rate(&[&one.dir(), &two.dir()], "text").out.contains("2 events, 3 players, 6 whole pairs"));
    let nothing = rate(&[one.root.path()], "text");
    assert_eq!(nothing.status, 2);
    assert!(nothing.err.contains(" holds no event and no ladder: there is no "), "{}", nothing.err);
}

#[test]
fn an_extended_event_is_the_longer_one_and_counts_once() {
    let players = ["random", "c_mobility"];
    let [short, long] = ["2", "3"].map(|pairs| Hall::new(&players, &["--pairs", pairs, "--boards", "c5"]));
    short.finish();
    long.finish();
    let [one, two] = [&short, &long].map(|hall| hall.dir().display().to_string());
    let rated = server(["rate", &one, &two]);
    assert_eq!((rated.status, rated.out.as_str(), rated.err.lines().count()), (2, "", 1), "{}", rated.err);
    let expected = format!("{two} has the seed and the openings of {one}, and random and c_mobility meet in both");
    assert!(rated.err.contains(&expected), "{}", rated.err);
    assert_eq!(server(["rate", &one, &one]).status, 2, "an event counts once");
    let mut args = long.args();
    let dir = args.iter().position(|arg| arg == "--dir").expect("a folder") + 1;
    args[dir] = one;
    let ran = server(args);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains("going on after 4 games"), "{}", ran.err);
    assert_eq!(short.stable(), long.stable());
}

#[test]
fn programs_play_events() {
    let folder = bridge::open_folder();
    let bot = bridge::shell_bot(&folder, "echo 'bestmove none'");
    let hall = Hall::new(&["random"], &[&bot, "--boards", "c5", "-j", "1"]);
    hall.finish();
    let games = hall.read("games.csv");
    assert_eq!(games.lines().count(), 3, "{games}");
    assert_eq!(games.lines().filter(|line| line.contains(",random,illegal_move,")).count(), 2, "{games}");
}

#[test]
fn paths_to_read_may_stand_in_any_order() {
    let hall = |paths: [&str; 2]| {
        let [one, two] = paths;
        let options = ["--allow-read", one, "--allow-read", two, "--boards", "c5", "-j", "1"];
        Hall::new(&["random", "random"], &options)
    };
    let [first, again] = [["/usr", "/etc"], ["/etc", "/usr"]].map(hall);
    first.finish();
    let mut args = again.args();
    let dir = args.iter().position(|arg| arg == "--dir").expect("a folder") + 1;
    args[dir] = first.dir().display().to_string();
    let ran = server(args);
    assert_eq!(ran.status, 0, "{}", ran.err);
}

#[test]
fn a_path_that_a_journal_cannot_hold_is_refused() {
    let hall = Hall::new(&["random", "random"], &["--boards", "c5", "--max-moves", "3", "--allow-read"]);
    let mut args: Vec<OsString> = hall.args().into_iter().map(OsString::from).collect();
    let value = args.iter().position(|arg| arg == "--allow-read").expect("an option") + 1;
    args.insert(value, OsStr::from_bytes(b"/tmp/\xff").to_owned());
    let ran = ran(Command::new(support::server()).args(args).output().expect("the server can be run"));
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(ran.err.contains("is not UTF-8 text"), "{}", ran.err);
    assert!(!hall.dir().exists());
}
