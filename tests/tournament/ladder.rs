//! Running ladders: players come, are replaced and go, servers are killed.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use amazons::host::use_server;
use amazons::tournament::ladder::{
    AdmissionSettings, Arrivals, Ladder, LadderHeader, LadderLine, LadderSettings, LadderTable, News, PlayersFolder,
    open, read,
};
use amazons::tournament::{JOURNAL, read_header};
use amazons_program::journal::{self, JournalError};
use amazons_testing::{let_pass, output_of, status_of, wait_for, wait_or_tell, wait_until};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use super::assert_views_agree;
use crate::cli::{Ran, player, ran, server};
use crate::support;

/// A ladder in its own folder.
struct House {
    root: TempDir,
}

impl House {
    fn new(players: &[&str]) -> Self {
        let house = Self { root: tempfile::tempdir().expect("a folder") };
        fs::create_dir_all(house.file("players")).expect("a folder");
        for name in players {
            house.add(name, name);
        }
        house
    }

    fn file(&self, name: &str) -> PathBuf {
        self.root.path().join("hall").join(name)
    }

    fn dir(&self) -> String {
        self.file("").display().to_string()
    }

    /// Submits one of our players under a name.
    fn add(&self, name: &str, library: &str) {
        let ran = server(["ladder", "add", &self.dir(), &player(library), "--name", name]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(support::server());
        let dir = self.dir();
        command.args(["ladder", &dir, "--boards", "c5", "--look", "50ms", "--check-size", "5", "-j1"]).args(args);
        command
    }

    fn start(&self, args: &[&str]) -> Child {
        self.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the server can be run")
    }

    fn finish(&self, args: &[&str]) -> Ran {
        ran(self.command(args).output().expect("the server can be run"))
    }

    /// The same on the ranks of a job.
    fn on_ranks(&self, mpi: &support::Mpi, ranks: usize, args: &[&str]) -> Command {
        let (mut launched, plain) = (mpi.launch(ranks), self.command(args));
        launched.arg(plain.get_program()).args(plain.get_args()).arg("--force");
        launched
    }

    fn ladder(&self) -> Option<Ladder> {
        read(&self.root.path().join("hall")).ok()
    }

    fn games(&self) -> usize {
        self.ladder().map_or(0, |ladder| ladder.results().games())
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Waits until the ladder has the expected state.
    #[track_caller]
    fn wait(&self, what: &str, is_so: impl Fn(&Ladder) -> bool) {
        let tell = || format!("{what}: {:?}", fs::read_to_string(self.file(JOURNAL)));
        wait_or_tell(|| self.ladder().filter(&is_so).map(drop), tell);
    }

    fn lines(&self) -> (LadderHeader, Vec<LadderLine>) {
        let (folder, mut lines) = (self.root.path().join("hall"), Vec::new());
        let header = read_header::<LadderHeader>(&folder).expect("a journal");
        let read = journal::read::<LadderHeader, JournalError>(&folder.join(JOURNAL), |_, line| {
            lines.push(line);
            Ok(())
        });
        read.expect("a journal");
        (header, lines)
    }

    /// The journal explains itself: each meeting follows from the lines before it, and the tables from all.
    #[track_caller]
    fn check(&self) {
        let (header, lines) = self.lines();
        let mut ladder = Ladder::new(header.ladder);
        for line in &lines {
            if let LadderLine::Meet(meet) = line {
                assert_eq!(ladder.next_meet().as_ref(), Some(meet));
            }
            ladder.apply(line).expect("a line that follows");
        }
        let table = LadderTable::of(&ladder);
        assert_eq!(self.read("ladder.json"), table.json());
        assert_eq!(self.read("ladder.csv"), table.csv());
        assert_eq!(self.read("games.csv").lines().count(), ladder.results().games() + 1);
    }
}

fn count(lines: &[LadderLine], is_counted: impl Fn(&LadderLine) -> bool) -> usize {
    lines.iter().filter(|line| is_counted(line)).count()
}

fn games_of(ladder: &Ladder, name: &str) -> u64 {
    ladder.present(name).map_or(0, |contender| contender.tally.games)
}

#[test]
fn players_come_are_replaced_and_go_while_it_runs() {
    let house = House::new(&["random", "c_mobility"]);
    let child = house.start(&["--plies", "2"]);
    house.wait("the first games", |ladder| games_of(ladder, "random") >= 4);
    house.add("late", "territory");
    house.wait("games of who came later", |ladder| games_of(ladder, "late") >= 2);
    house.add("random", "territory");
    house.wait("games of a new version", |ladder| {
        ladder.present("random").is_some_and(|random| random.joined.version == 2 && random.tally.games >= 2)
    });
    let (_folder, library) = support::player_in_c("bad", "abort();", "");
    fs::copy(&library, house.file("players/bad.so")).expect("a copy");
    house.wait("a refusal", |ladder| ladder.refused().contains_key("bad"));
    let removed = server(["ladder", "remove", &house.dir(), "late"]);
    assert_eq!((removed.status, removed.out.as_str()), (0, "late is taken out\n"), "{}", removed.err);
    house.wait("a farewell", |ladder| ladder.present("late").is_none());
    let games = house.games();
    house.wait("more games", |ladder| ladder.results().games() > games + 4);
    let stop = server(["ladder", "stop", &house.dir()]);
    assert_eq!(stop.status, 0, "{}", stop.err);
    let ran = ran(output_of(child));
    assert_eq!(ran.status, 130, "{}{}", ran.out, ran.err);
    for told in ["late joins, version 1", "random joins, version 2", "late leaves", "bad is not admitted: "] {
        assert!(ran.err.contains(told), "{told}: {}", ran.err);
    }
    assert!(ran.err.ends_with("server: stopped: the same command goes on\n"), "{}", ran.err);
    let report = house.read("rejected/bad.txt");
    assert!(report.starts_with("players/bad.so was not admitted: ") && report.contains("Failed"), "{report}");
    let handed_in = house.file("players/bad.so").display().to_string();
    let advice = format!(" --isolation none {handed_in} ");
    assert!(report.contains(&advice) && !report.contains("admitted/bad"), "{report}");
    assert_views_agree(&house.file(""), &house.file(""));
    let status = server(["ladder", "status", &house.dir()]);
    assert!(status.out.contains("not admitted: bad: ") && status.out.contains("ladder, 2 players"), "{}", status.out);
    assert!(status.out.ends_with("\nno server is at work on it\n"), "{}", status.out);
    house.check();
    // The old versions' games are kept; the copies have the hashes of what was handed in.
    let (_, lines) = house.lines();
    assert_eq!(count(&lines, |line| matches!(line, LadderLine::Joined(_))), 4);
    assert_eq!(count(&lines, |line| matches!(line, LadderLine::Left(_))), 2);
    // An unchanged file is not checked again, and its player goes on without a new check.
    let finished = house.finish(&["--plies", "2", "--games", &(house.games() + 6).to_string()]);
    assert_eq!(finished.status, 0, "{}", finished.err);
    let (_, lines) = house.lines();
    assert_eq!(count(&lines, |line| matches!(line, LadderLine::Refused(_))), 1);
    assert_eq!(count(&lines, |line| matches!(line, LadderLine::Joined(_))), 4);
    house.check();
}

#[test]
fn a_killed_server_loses_nothing_and_goes_on() {
    let house = House::new(&["random", "c_mobility", "territory"]);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    let mut survived = Vec::new();
    for _ in 0..5 {
        let games = house.games();
        let mut child = house.start(&[]);
        let wanted = games + rng.random_range(1..9);
        wait_until("it goes on", || house.games() >= wanted);
        let_pass(Duration::from_micros(rng.random_range(0..5000)));
        child.kill().expect("a kill");
        status_of(&mut child);
        survived.push(house.games());
    }
    println!("games after each kill: {survived:?}");
    assert!(survived.windows(2).all(|two| two[0] < two[1]), "no finished game is lost: {survived:?}");
    let before = LadderTable::of(&house.ladder().expect("a ladder"));
    let goal = (before.games + 10).to_string();
    let ran = house.finish(&["--games", &goal]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains(&format!("going on after {} games", before.games)), "{}", ran.err);
    house.check();
    let table = LadderTable::of(&house.ladder().expect("a ladder"));
    assert_eq!((table.games, table.running.len()), (2 * table.pairs, 0), "pairs that were begun are whole");
    assert!((before.games + 10..before.games + 14).contains(&table.games), "{} after {}", table.games, before.games);
    // Data left out of a finished ladder's tables can be made again.
    fs::remove_file(house.file("ladder.json")).expect("a file");
    assert_eq!(house.finish(&["--games", &goal]).status, 0);
    assert_eq!(house.read("ladder.json"), table.json());
}

#[test]
fn a_file_is_taken_when_it_has_come_to_rest() {
    let house = House::new(&[]);
    let settings: LadderSettings = toml::from_str("boards = [\"c5\"]").expect("settings");
    let (plan, _) = settings.check(house.root.path()).expect("a ladder");
    // Each request for news is a look.
    let settings = AdmissionSettings { check: None, look: Duration::ZERO };
    use_server(&support::server());
    let folder = house.root.path().join("hall");
    let ladder = open(&folder, Some(plan)).expect("a ladder").event;
    let mut admission = PlayersFolder::new(&folder, &ladder, settings);
    let bytes = fs::read(player("territory")).expect("a player");
    let mut file = fs::File::create(house.file("players/slow.so")).expect("a file");
    for part in bytes.chunks(bytes.len() / 50) {
        assert!(admission.news(&ladder).is_empty(), "half a file is nobody");
        file.write_all(part).expect("room");
    }
    let news = wait_for("a verdict", || admission.news(&ladder).pop());
    assert!(matches!(&news, News::Joined(joined) if joined.name == "slow"), "{news:?}");
}

#[test]
fn links_are_not_followed_and_refused_files_are_not_kept() {
    let house = House::new(&["random", "c_mobility"]);
    let secret = house.root.path().join("secret");
    fs::write(&secret, "for the server's eyes").expect("a file");
    symlink(&secret, house.file("players/link.so")).expect("a link");
    fs::write(house.file("players/junk.so"), "junk").expect("a file");
    File::create(house.file("players/huge.so")).and_then(|file| file.set_len(3 << 30)).expect("a file");
    fs::create_dir(house.file("players/folder.so")).expect("a folder");
    symlink("nowhere", house.file("players/lost.so")).expect("a link");
    let pipe = house.file("players/pipe.so");
    assert!(Command::new("mkfifo").arg(pipe).status().expect("mkfifo runs").success());
    let name = "x\n 1 evil  1  +999\u{1b}]0;pwned\u{7}";
    fs::write(house.file(&format!("players/{name}.so")), "junk").expect("a file");
    fs::write(house.file("players").join(OsStr::from_bytes(b"bad\xff.so")), "junk").expect("a file");
    let child = house.start(&[]);
    house.wait("all are judged", |ladder| (ladder.refused().len(), ladder.contenders().len()) == (7, 2));
    assert_eq!(server(["ladder", "stop", &house.dir()]).status, 0);
    let ran = ran(output_of(child));
    assert_eq!(ran.status, 130, "{}", ran.err);
    let left_out = "bad\u{fffd}.so is left out: its name is not UTF-8: rename it";
    assert_eq!(ran.err.matches(left_out).count(), 1, "{}", ran.err);
    for (name, reason) in [
        ("link", "it is a link: hand in the file itself"),
        ("junk", "it is not a shared library"),
        ("folder", "it is a folder: hand in a file"),
        ("lost", "it is a link: hand in the file itself"),
        ("pipe", "it is a pipe or a device: hand in a file"),
        ("huge", "it is larger than 256 MiB"),
        (r"x\n 1 evil  1  +999\u{1b}]0;pwned\u{7}", "its name cannot stand in a table"),
    ] {
        assert!(ran.out.contains(&format!("\nnot admitted: {name}: {reason}")), "{name}: {}", ran.out);
        assert!(ran.err.contains(&format!("{name} is not admitted: {reason}")), "{name}: {}", ran.err);
    }
    let kept: Vec<_> =
        fs::read_dir(house.file("admitted")).expect("a folder").map(|entry| entry.expect("a file")).collect();
    assert_eq!(kept.len(), 2, "{kept:?}");
    for file in kept {
        assert_eq!(file.metadata().expect("a file").permissions().mode() & 0o777, 0o600, "{file:?}");
    }
    // A refused file is remembered.
    assert_eq!(house.finish(&["--games", &(house.games() + 20).to_string()]).status, 0);
    let (_, lines) = house.lines();
    assert_eq!(count(&lines, |line| matches!(line, LadderLine::Refused(_))), 7);
}

/// Their checks do not end during the test, nor hold up the end of the ladder.
#[test]
fn players_that_hang_hold_nobody_back() {
    let (_folder, library) = support::player_in_c("sleeper", "sleep(600);", "");
    let house = House::new(&[]);
    for name in ["a", "b"] {
        fs::copy(&library, house.file(&format!("players/{name}.so"))).expect("a copy");
    }
    house.add("y", "random");
    house.add("z", "c_mobility");
    let child = house.start(&["--move-time", "600", "--records", "none"]);
    house.wait("games of the others", |ladder| games_of(ladder, "y") >= 2 && games_of(ladder, "z") >= 2);
    let ladder = house.ladder().expect("a ladder");
    assert!(["a", "b"].iter().all(|name| ladder.present(name).is_none()));
    assert!(ladder.refused().is_empty(), "{:?}", ladder.refused());
    kill_process(Pid::from_child(&child), Signal::HUP).expect("it lives");
    assert_eq!(ran(output_of(child)).status, 130);
}

#[test]
fn a_file_that_comes_back_is_the_version_that_it_was() {
    let house = House::new(&["random", "c_mobility"]);
    let child = house.start(&[]);
    let version = |ladder: &Ladder| ladder.present("random").map_or(0, |random| random.joined.version);
    house.wait("the first games", |ladder| games_of(ladder, "random") >= 4);
    house.add("random", "territory");
    house.wait("a second version", |ladder| version(ladder) == 2);
    house.add("random", "random");
    house.wait("the first version", |ladder| version(ladder) == 1 && games_of(ladder, "random") >= 6);
    house.add("random", "c_mobility");
    house.wait("a third version", |ladder| version(ladder) == 3);
    let table = LadderTable::of(&house.ladder().expect("a ladder"));
    assert!(table.suspicions.iter().any(|it| it.ends_with(" are the same file")), "{:?}", table.suspicions);
    assert_eq!(server(["ladder", "stop", "--now", &house.dir()]).status, 0);
    assert_eq!(ran(output_of(child)).status, 130);
    // The journal has the same meaning for every reader.
    assert_eq!(house.ladder().map(|ladder| version(&ladder)), Some(3));
}

#[test]
fn who_is_mostly_at_fault_is_noted() {
    let (_folder, library) = support::player_in_c("faulty", "abort();", "");
    let house = House::new(&["random"]);
    fs::copy(&library, house.file("players/faulty.so")).expect("a copy");
    fs::write(house.file("players/README.txt"), "no player").expect("a file");
    fs::write(house.file("players/text.so"), "no library").expect("a file");
    fs::write(house.file("players/a b.so"), "no name").expect("a file");
    fs::write(house.file("ladder.toml"), "boards = [\"c5\"]\ncheck = false\nlook = \"50ms\"\n").expect("a file");
    let ran = server(["ladder", &house.dir(), "-q", "--games", "100"]);
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("note: faulty was at fault in 100 of 100 games (crash 100): see their records and its logs"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("not admitted: text: it is not a shared library"), "{}", ran.out);
    assert!(ran.out.contains("not admitted: a b: its name cannot stand in a table"), "{}", ran.out);
    assert!(!house.file("rejected/a b.txt").exists());
    house.check();
}

#[test]
fn what_is_no_ladder_is_said_in_a_line() {
    let house = House::new(&["random", "c_mobility"]);
    assert_eq!(house.finish(&["--games", "2", "--seed", "4"]).status, 0);
    let (dir, none) = (house.dir(), house.root.path().join("none").display().to_string());
    let cases: [(&[&str], &str); 9] = [
        (&["ladder"], "missing DIR"),
        (
            &["ladder", &dir, "--boards", "c5", "--seed", "5"],
            "holds a ladder with other settings: seed: 4 before, 5 now",
        ),
        (&["ladder", &dir, "--boards", "c5", "--seed", "4", "--pairs", "2"], "pairs: 1 before, 2 now"),
        (&["ladder", &none, "--boards", "c5", "--plies", "40"], "plies: after 40 random plies on c5 the game is over"),
        (&["ladder", &dir, "--for", "soon"], "use hours, minutes or seconds, such as 8h, 90m or 30s"),
        (&["ladder", "remove", &dir, "nobody"], "there is no player nobody"),
        (&["ladder", "remove", &dir, "../x"], "invalid player name '../x'"),
        (&["ladder", "add", &none, &player("random")], "is not a ladder: it has no folder"),
        (&["rate", &dir], "this is the journal of a ladder: use 'server ladder status', or another folder"),
    ];
    for (args, expected) in cases {
        let ran = server(args);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(expected) && ran.err.lines().count() == 1, "{args:?}: {}", ran.err);
    }
    fs::write(house.file("ladder.toml"), "seed = 4\nbords = [\"c5\"]\n").expect("a file");
    let wrong = server(["ladder", &dir]);
    assert!(wrong.status == 2 && wrong.err.contains("ladder.toml: line 2, column 1: unknown field"), "{}", wrong.err);
    fs::write(house.file("ladder.toml"), "seed = 4\nboards = [\"c5\"]\n").expect("a file");
    let flag = server(["ladder", &dir, "--seed", "4"]);
    assert!(flag.status == 2 && flag.err.contains("--seed belongs into "), "{}", flag.err);
    assert_eq!(server(["ladder", &dir, "--games", "2"]).status, 0, "the file has what the ladder began with");
}

#[test]
fn levels_of_the_champion_are_players() {
    let house = House::new(&[]);
    for level in ["champion:1", "champion:2"] {
        let ran = server(["ladder", "add", &house.dir(), level]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    }
    // Only the champion itself has levels.
    house.add("champion-3", "random");
    let child = house.start(&[]);
    let names = ["champion-1", "champion-2", "champion-3"];
    house.wait("games of all", |ladder| names.iter().all(|name| games_of(ladder, name) >= 2));
    assert_eq!(server(["ladder", "stop", &house.dir()]).status, 0);
    assert_eq!(ran(output_of(child)).status, 130);
    let (_, lines) = house.lines();
    let options = |name: &str| {
        let is_it = |line: &LadderLine| match line {
            LadderLine::Joined(joined) if joined.name == name => Some(joined.options.clone()),
            _ => None,
        };
        lines.iter().find_map(is_it).expect("it has joined")
    };
    assert_eq!(options("champion-1").as_deref(), Some("level=1"));
    assert_eq!(options("champion-2").as_deref(), Some("level=2"));
    assert_eq!(options("champion-3"), None);
    house.check();
}

/// Whole pairs, with what follows from them: the winners and the moves.
fn played(house: &House) -> BTreeMap<String, String> {
    let ladder = house.ladder().expect("a ladder");
    let whole = ladder.pairs().iter().filter_map(|pair| {
        let [Some(one), Some(two)] = ladder.results().games_of(pair.number) else { return None };
        let games = [one, two].map(|game| (game.winner, game.fingerprint));
        Some((format!("{pair:?}"), format!("{games:?}")))
    });
    whole.collect()
}

/// Lets one player join after the other, so that the games of the first pairs are always the same.
fn play_in_order(house: &House, mut command: Command) {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it can be run");
    house.wait("the first one plays", |ladder| ladder.present("random").is_some());
    house.add("c_mobility", "c_mobility");
    house.wait("games are played", |ladder| ladder.results().games() >= 20);
    house.add("territory", "territory");
    house.wait("all play", |ladder| games_of(ladder, "territory") >= 4);
    assert_eq!(server(["ladder", "stop", &house.dir()]).status, 0);
    let ended = ran(output_of(child));
    assert_eq!(ended.status, 130, "{}{}", ended.out, ended.err);
    house.check();
}

/// Launchers take seconds for each job.
mod long {
    use std::process::Stdio;

    use amazons_testing::{output_of, wait_until};
    use rustix::process::{Signal, kill_process};

    use super::{House, JOURNAL, play_in_order, played};
    use crate::cli::{ran, server};
    use crate::support;

    #[test]
    fn ranks_play_the_ladder_that_threads_play() {
        let threads = House::new(&["random"]);
        play_in_order(&threads, threads.command(&[]));
        for mpi in support::Mpi::installed() {
            let house = House::new(&["random"]);
            play_in_order(&house, house.on_ranks(mpi, 4, &[]));
            // The order of the pairs depends on which games end first.
            let [here, mut there] = [&threads, &house].map(played);
            there.retain(|pair, _| here.contains_key(pair));
            assert!(!there.is_empty() && there.iter().all(|(pair, games)| here[pair] == *games), "{here:?} {there:?}");
            assert!(house.read(JOURNAL).contains("\"concurrency\":3"), "{}", mpi.program);
            // It goes on without ranks.
            let goal = (house.games() + 10).to_string();
            assert_eq!(house.finish(&["--games", &goal]).status, 0);
            house.check();
        }
    }

    #[test]
    fn a_killed_rank_costs_a_ladder_no_game() {
        for mpi in support::Mpi::installed() {
            for rank in [0, 2] {
                let house = House::new(&["random", "c_mobility", "territory"]);
                let mut command = house.on_ranks(mpi, 4, &[]);
                let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a launcher");
                wait_until("games are played", || house.games() >= 30);
                let variable = format!("{}={rank}", mpi.rank);
                let process = support::process_with(&[&house.dir()], Some(&variable)).expect("a process of this rank");
                kill_process(process, Signal::KILL).expect("it lives");
                let before = house.games();
                // A launcher may end all, or leave the others to play on.
                wait_until("the loss shows", || {
                    house.games() > before + 20 || server(["ladder", "stop", &house.dir()]).status == 2
                });
                let _ = server(["ladder", "stop", &house.dir()]);
                let ended = ran(output_of(child));
                let games = house.games();
                assert!(games >= before, "{}: {games} of {before}: {}{}", mpi.program, ended.out, ended.err);
                let goal = (games + 30).to_string();
                let resumed =
                    ran(house.on_ranks(mpi, 3, &["--games", &goal]).output().expect("the launcher can be run"));
                assert_eq!(resumed.status, 0, "{}{}", resumed.out, resumed.err);
                assert!(house.games() >= games + 30, "{}", house.games());
                house.check();
            }
        }
    }
}
