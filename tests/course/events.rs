//! Events of a course, and courses of earlier versions.

use std::fs;
use std::path::Path;

use amazons::course::Store;
use amazons::tournament::ladder::read;

use super::house::House;
use crate::cli::{player, server};

/// A folder as the first version wrote it, with each kind of line: every later version reads it.
#[test]
fn the_first_format_is_read() {
    let root = tempfile::tempdir().expect("a folder");
    let (golden, copy) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/course/golden"), root.path().join("hall"));
    fs::create_dir_all(copy.join("ladder")).expect("a folder");
    for file in ["course.toml", "course.jsonl", "ladder/journal.jsonl"] {
        fs::copy(golden.join(file), copy.join(file)).expect("a file");
    }
    let store = Store::open(&copy).expect("it is read");
    let teams = store.course().teams();
    let states = teams.iter().map(|(name, team)| {
        let words: Vec<_> = team.versions.iter().map(|version| team.word(version)).collect();
        format!("{name}: {} {:?}", words.join(" "), team.playing().map(|(number, _)| number))
    });
    let expected =
        ["ada: admitted replaced Some(1)", "bob: admitted Some(1)", "cid: admitted None", "dan: refused received None"];
    assert_eq!(states.collect::<Vec<_>>(), expected);
    assert!(teams["cid"].player(1).is_some_and(|player| player.directions.is_some()));
    assert!(teams["dan"].versions[0].is_late && teams["dan"].email.as_deref() == Some("dan@example.org"));
    let ladder = read(&copy.join("ladder")).expect("it is read");
    assert_eq!((ladder.contenders().len(), ladder.results().games()), (3, 36));
    assert_eq!(server(["ladder", "status", &copy.join("ladder").display().to_string()]).status, 0);
}

#[test]
fn a_final_is_a_plan_that_tournaments_play() {
    let house = House::new();
    let to = house.dir().with_file_name("final");
    let event = |more: &[&str]| house.run(&[&["event", to.to_str().expect("a path")], more].concat());
    let early = event(&[]);
    assert!(early.status == 2 && early.err.contains("at least two players"), "{early:?}");
    let at = house.start();
    for (team, name) in [("ada", "random"), ("bob", "territory")] {
        assert_eq!(house.submit(&at, team, Path::new(&player(name))).status, 201);
        assert_eq!(house.decided(team, 1), "admitted");
    }
    assert!(event(&["--stage", "final"]).err.contains("there is no stage 'final'"));
    let past = "[[stages]]\nname = \"past\"\ndeadline = 2020-01-01T00:00:00Z\n[ladder]\n";
    house.edit("[ladder]\n", past);
    assert!(event(&["--stage", "past"]).err.contains("at least two players"), "all came later");
    let made = event(&["--seed", "7"]);
    assert!(made.status == 0 && made.out.contains("has 2 players"), "{made:?}");
    assert_eq!(event(&[]).status, 2, "it is there");
    let plan = fs::read_to_string(to.join("event.toml")).expect("a plan");
    assert!(plan.contains("seed = 7\n") && plan.contains("move-time = \"50ms\"\n"), "{plan}");
    for (team, name) in [("ada", "random"), ("bob", "territory")] {
        let copy = to.join(format!("players/{team}.so"));
        assert_eq!(fs::read(copy).expect("a copy"), fs::read(player(name)).expect("a player"));
    }
    let (plan, results) = (to.join("event.toml"), to.join("results"));
    let (plan, results) = (plan.display().to_string(), results.display().to_string());
    let played = server(["tournament", &plan, "--dir", &results, "-j1", "--quiet"]);
    assert!(played.status == 0 && played.out.contains("bob"), "{played:?}");
    // A file that is not the one that was admitted plays nowhere.
    fs::write(house.dir().join("versions/ada/0001/player.so"), "other").expect("a file");
    fs::remove_dir_all(&to).expect("a folder");
    let other = event(&[]);
    assert!(other.status != 0 && other.err.contains("is not the file that was admitted") && !to.exists(), "{other:?}");
}
