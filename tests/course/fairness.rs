//! Teams lose nothing by a library that is lost, an upgrade, or a return in the middle of a pair.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use amazons_testing::wait_until;

use super::house::House;
use crate::cli::player;
use crate::support;

fn run(command: &mut Command) {
    let done = command.output().expect("it can be run");
    assert!(done.status.success(), "{command:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// Builds a player that needs a library from a folder of the machine.
fn needy_player(folder: &Path) -> std::path::PathBuf {
    let library = folder.join("lib");
    fs::create_dir(&library).expect("a folder");
    fs::write(folder.join("foo.c"), "int foo(void) { return 1; }\n").expect("room");
    run(Command::new("cc").args(["-shared", "-fPIC", "-o", "lib/libfoo4.so", "foo.c"]).current_dir(folder));
    run(Command::new(support::server()).args(["new-player", "c", "needy"]).current_dir(folder));
    let source = folder.join("needy/needy.c");
    let text =
        fs::read_to_string(&source).expect("a source") + "\nint foo(void);\nint needs_foo(void) { return foo(); }\n";
    fs::write(&source, text).expect("room");
    let libraries = format!("LDLIBS=-L{} -Wl,--no-as-needed -lfoo4", library.display());
    run(Command::new("make").args(["-s", "-C", "needy", &libraries]).current_dir(folder));
    folder.join("needy/needy.so")
}

#[test]
fn a_player_that_cannot_be_loaded_any_more_rests_and_loses_nothing() {
    let house = House::new();
    let folder = tempfile::tempdir().expect("a folder");
    let needy = needy_player(folder.path());
    let library = folder.path().join("lib").display().to_string();
    let variables = [("LD_LIBRARY_PATH", &*library)];
    let at = house.start_with(Stdio::null(), &variables);
    assert_eq!(house.submit(&at, "ada", &needy).status, 201);
    assert_eq!(house.submit(&at, "bob", Path::new(&player("random"))).status, 201);
    assert_eq!([house.decided("ada", 1), house.decided("bob", 1)], ["admitted"; 2]);
    let games = || house.ladder().results().games();
    wait_until("games", || games() > 2);
    drop(at);
    // Another machine, or a new release of its system.
    let complaints = folder.path().join("complaints");
    let at = house.start_with(fs::File::create(&complaints).expect("a file").into(), &[]);
    wait_until("it rests", || house.ladder().present("ada").is_none());
    wait_until("it is told", || {
        let told = fs::read_to_string(&complaints).expect("text");
        told.contains("ada#1 cannot be loaded here any more, and rests: its games are void ('server check ")
    });
    let before = games();
    drop(at);
    let journal = fs::read_to_string(house.dir().join("ladder/journal.jsonl")).expect("a journal");
    assert!(!journal.contains("load_error"), "{journal}");
    // It is back with the library, and finishes what it had begun.
    let at = house.start_with(Stdio::null(), &variables);
    house.plays("ada", Some(1));
    wait_until("more games", || games() > before + 2);
    wait_until("only the newest pairs are not whole", || {
        let ladder = house.ladder();
        ladder.unfinished().all(|pair| pair.number as usize + 2 > ladder.pairs().len())
    });
    drop(at);
}

#[test]
fn an_upgrade_changes_no_baseline() {
    let house = House::new();
    fs::copy(player("random"), house.dir().join("base.so")).expect("room");
    house.edit("\nnames = []", "\nbaselines = [\"base.so\"]\nnames = []");
    let at = house.start();
    house.plays("base", Some(1));
    drop(at);
    let hash = || house.ladder().present("base").expect("it plays").joined.sha256.clone();
    let old = hash();
    fs::copy(player("territory"), house.dir().join("base.so")).expect("room");
    let complaints = house.dir().with_file_name("complaints");
    let at = house.start_with(fs::File::create(&complaints).expect("a file").into(), &[]);
    assert_eq!(house.submit(&at, "bob", Path::new(&player("random"))).status, 201);
    assert_eq!(house.decided("bob", 1), "admitted");
    house.plays("bob", Some(1));
    assert_eq!(hash(), old);
    let told = fs::read_to_string(&complaints).expect("text");
    assert!(
        told.contains("baselines: base is another file now: the one that the course began with plays on"),
        "{told}"
    );
    drop(at);
    // A final is played against the old one, too.
    let to = house.dir().with_file_name("final");
    assert_eq!(house.run(&["event", &to.display().to_string()]).status, 0);
    let [kept, first] = [to.join("players/base.so").display().to_string(), player("random")];
    assert_eq!(fs::read(kept).expect("a file"), fs::read(first).expect("a file"));
    let _at = house.start_with_options(Stdio::null(), &[], &["-j1", "--new-baselines"]);
    wait_until("the new one plays", || house.ladder().present("base").is_some_and(|it| it.joined.sha256 != old));
}

#[test]
fn each_course_has_a_seed_of_its_own() {
    let seeds = [House::new(), House::new()].map(|house| house.store().settings().0.plan.seed);
    assert_ne!(seeds[0], seeds[1]);
}

#[test]
fn who_hands_in_a_bundled_player_is_named() {
    let house = House::new();
    for team in ["ada", "bob"] {
        let taken = house.run(&["submit", &player("champion"), "--team", team]);
        assert_eq!(taken.status, 0, "{taken:?}");
    }
    let found = house.run(&["copies"]);
    for team in ["ada", "bob"] {
        assert!(
            found.out.contains(&format!("{team} version 1 and the bundled champion\n       the same file")),
            "{found:?}"
        );
    }
}

mod long {
    use super::*;

    /// A worker has the rest of the pair already: nobody else may get it.
    #[test]
    fn a_team_that_comes_back_in_the_middle_of_a_pair_plays_each_game_once() {
        let house = House::new();
        house.edit("[\"c5\"]", "[\"c6\"]");
        house.edit("move-time = \"50ms\"", "move-time = \"30ms\"");
        let complaints = house.dir().with_file_name("complaints");
        let _at = house.start_with_options(fs::File::create(&complaints).expect("a file").into(), &[], &["-j2"]);
        for (team, name) in [("ada", "champion"), ("bob", "random")] {
            assert_eq!(house.run(&["submit", &player(name), "--team", team]).status, 0);
            assert_eq!(house.decided(team, 1), "admitted");
        }
        house.plays("bob", Some(1));
        let games = || house.ladder().results().games();
        for _ in 0..4 {
            assert_eq!(house.run(&["withdraw", "bob"]).status, 0);
            house.plays("bob", None);
            let before = games();
            wait_until("one that was begun ends without it", || games() > before);
            assert_eq!(house.run(&["rollback", "bob", "1"]).status, 0);
            house.plays("bob", Some(1));
            wait_until("two more games", || games() > before + 2);
        }
        let told = fs::read_to_string(&complaints).expect("text");
        assert!(!told.contains("no games are played"), "{told}");
    }
}
